/** CloudDisk: how the pipeline reads, plans, changes and reports disks. */
import type { CloudDisk, DiskStatus } from '../../api/disk.ts'
import type { Operation } from '../../api/shared.ts'
import type { CloudVM } from '../../api/vm.ts'
import type {
  KindDefinition,
  Known,
  Link,
  Memory,
  Patch,
  Usability,
  Wish,
  WishFacts,
} from '../../reconcile/kind.ts'
import { bootsFrom } from '../../reconcile/bootdisk.ts'
import { standsForLost } from '../../reconcile/look.ts'
import { markedName } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { actDisk } from './act.ts'
import { planDisk, planDiskGone, type WantedDisk, type WantedVmOfDisk } from './plan.ts'
import { diskReads, type SeenDisk } from './seen.ts'
import {
  diskEffect,
  diskFacts,
  diskRefusedField,
  diskRefusedWait,
  mayBeCreated,
  mayBeOlder,
  mayBeWished,
  type DiskStep,
  type NewDiskWish,
} from './steps.ts'

const FIELD = { vm: 'spec.vmRef', source: 'spec.source.diskRef' } as const

export const diskKind: KindDefinition<CloudDisk, WantedDisk, SeenDisk, DiskStep, DiskStatus> = {
  kind: 'CloudDisk',
  type: resourceType('CloudDisk'),
  noun: 'disk',
  reads: diskReads,
  creation: {
    identity: (session) => (session.capabilities.diskNames === true ? 'marker' : 'baseline'),
    candidate: (want, row, operation, known) => {
      if (cameWithMachine(row, operation, known)) return false
      const details = operation?.details
      if (details !== undefined) {
        return standsForLost(operation) ? mayBeOlder(details, row) : mayBeCreated(details, row)
      }
      return want.create !== undefined && mayBeWished(want.create, row)
    },
  },
  links: ({ spec }) => {
    const links: Link[] = []
    if (spec.vmRef !== undefined) {
      links.push({ field: FIELD.vm, kind: 'CloudVM', name: spec.vmRef.name, needed: 'always' })
    }
    const source = spec.source?.diskRef
    if (source !== undefined) {
      links.push({ field: FIELD.source, kind: 'CloudDisk', name: source.name, needed: 'create' })
    }
    return links
  },
  secrets: () => [],
  want: wantDisk,
  plan: planDisk,
  planGone: (seen, memory, { spec }) => planDiskGone(seen, memory, spec.snapshotsOnDelete ?? 'Hold'),
  facts: diskFacts,
  act: (context, step, _want, seen) => actDisk(context, step, seen),
  effect: diskEffect,
  refusedWait: diskRefusedWait,
  refusedField: diskRefusedField,
  report: reportDisk,
  usability: diskUsability,
  heldBy: [
    {
      kind: 'CloudVM',
      // One that boots from it; one that merely has it attached lets it go.
      holds: (vm, disk, keeps) =>
        bootsFrom(vm, disk) &&
        disk.spec.lifecycle?.management !== 'ObserveOnly' &&
        !(keeps(disk) && keeps(vm)),
      related: ({ spec, status }) => {
        const id = status?.id ?? spec.adopt?.id
        return id === undefined ? [] : [['boots', id]]
      },
      // Let go, nothing would keep the machine's deletion from taking it along.
      evenIfKept: true,
      until:
        'a machine boots from it: it goes once that machine is gone, or is kept with onDelete Retain as well',
    },
  ],
  // Its data is gone: another one is a decision.
  remakes: () => false,
}

/**
 * A machine boots from it that was not told to boot from this disk: it came into being with the machine. Of one that nobody here
 * has on record that is certain only of a disk that cannot have been put to use, because its create was not answered yet.
 */
function cameWithMachine({ attachments = [] }: SeenDisk, operation?: Operation, known?: Known): boolean {
  return attachments.some(({ vmID, primary }) => {
    if (primary !== true) return false
    const machine = known?.holderOf('CloudVM', vmID) as CloudVM | undefined
    if (machine === undefined) return !standsForLost(operation)
    const { name, namespace } = known?.object.metadata ?? {}
    return machine.spec.source?.diskRef?.name !== name || machine.metadata.namespace !== namespace
  })
}

function wantDisk(object: CloudDisk, facts: WishFacts): Wish<WantedDisk> {
  const { metadata, spec, status } = object
  const creates = status?.id === undefined && spec.adopt === undefined
  const vm = vmOf(object, facts)
  if (vm.is !== 'ready') return vm
  // Nothing is made for a machine that may never come.
  if (creates && vm.want.is === 'waiting') return waitFor(vm.want.message)
  const create = creates ? newDisk(object, facts) : undefined
  if (create !== undefined && create.is !== 'ready') return create
  const named = spec.adopt === undefined || spec.name !== undefined
  return {
    is: 'ready',
    want: {
      create: create?.want,
      name: named ? markedName(spec.name ?? metadata.name, facts.marker) : undefined,
      sizeGiB: spec.sizeGiB,
      billingAccount: spec.billingAccount,
      vm: vm.want,
    },
  }
}

function vmOf({ metadata, spec }: CloudDisk, facts: WishFacts): Wish<WantedVmOfDisk> {
  const state = spec.vmRef === undefined ? undefined : facts.link(FIELD.vm)
  if (state === undefined || state.state === 'leaving') return { is: 'ready', want: { is: 'none' } }
  if (state.state === 'waiting') return { is: 'ready', want: { is: 'waiting', message: state.message } }
  const vm = state.object as CloudVM
  if (vm.spec.source?.diskRef?.name === metadata.name) {
    return invalid(
      `${FIELD.vm}: CloudVM ${vm.metadata.name} boots from this disk, so it belongs to it; remove vmRef`,
    )
  }
  const elsewhere = misplaced(facts, FIELD.vm, vm, true)
  if (elsewhere !== undefined) return invalid(elsewhere)
  return { is: 'ready', want: { is: 'ready', id: state.id, name: vm.metadata.name } }
}

function newDisk({ metadata, spec }: CloudDisk, facts: WishFacts): Wish<NewDiskWish> {
  if (spec.sizeGiB === undefined) {
    return {
      is: 'blocked',
      block: { reason: 'InvalidSpec', message: 'spec.sizeGiB: is required unless adopting' },
    }
  }
  const source = sourceOf(spec, facts)
  if (source.is !== 'ready') return source
  return {
    is: 'ready',
    want: {
      name: markedName(spec.name ?? metadata.name, facts.marker),
      sizeGiB: spec.sizeGiB,
      billingAccount: spec.billingAccount ?? facts.session.billingAccount,
      ...(source.want !== undefined && { source: source.want }),
    },
  }
}

function sourceOf({ source }: CloudDisk['spec'], facts: WishFacts): Wish<NewDiskWish['source']> {
  if (source?.image !== undefined) {
    return { is: 'ready', want: { type: 'OS_BASE', id: `${source.image.os}_${source.image.version}` } }
  }
  if (source?.snapshotID !== undefined) {
    return { is: 'ready', want: { type: 'SNAPSHOT', id: source.snapshotID } }
  }
  if (source?.diskRef === undefined) return { is: 'ready', want: undefined }
  const state = facts.link(FIELD.source)
  if (state?.state !== 'ready') {
    const missing = `${FIELD.source}: CloudDisk ${source.diskRef.name} is being deleted or does not exist yet`
    return waitFor(state?.state === 'waiting' ? state.message : missing)
  }
  const elsewhere = misplaced(facts, FIELD.source, state.object, true)
  return elsewhere === undefined ? { is: 'ready', want: { type: 'DISK', id: state.id } } : invalid(elsewhere)
}

function waitFor(message: string): Wish<never> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message } }
}

function invalid(message: string): Wish<never> {
  return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
}

function reportDisk(
  seen: SeenDisk,
  memory: Memory<DiskStatus>,
  want: WantedDisk | undefined,
): Patch<DiskStatus> {
  return {
    ...(seen.sizeGiB !== undefined && { sizeGiB: seen.sizeGiB }),
    ...(seen.attachments !== undefined && attachmentStatus(seen, memory, want)),
    ...(seen.snapshots !== undefined && { snapshots: snapshotsOf(seen.snapshots) }),
  }
}

const SERIAL_LENGTH = 20

/** In the guest a disk goes by the beginning of its id, where the guest supports it. */
function attachmentStatus(
  seen: SeenDisk,
  memory: Memory<DiskStatus>,
  want: WantedDisk | undefined,
): Patch<DiskStatus> {
  const wanted = want?.vm.is === 'ready' ? want.vm : undefined
  const all = seen.attachments ?? []
  const vmID = (all.find((each) => each.vmID === wanted?.id) ?? all[0])?.vmID
  if (vmID === undefined) return { attachedTo: undefined, device: undefined }
  const before = memory.status?.attachedTo
  const name = wanted?.id === vmID ? wanted.name : before?.id === vmID ? before.name : undefined
  return {
    attachedTo: { id: vmID, ...(name !== undefined && { name }) },
    device: `/dev/disk/by-id/virtio-${seen.id.slice(0, SERIAL_LENGTH)}`,
  }
}

/** By id: the service may list them in any order. */
function snapshotsOf(snapshots: NonNullable<SeenDisk['snapshots']>): NonNullable<DiskStatus['snapshots']> {
  return [...snapshots]
    .sort((a, b) => a.uuid.localeCompare(b.uuid))
    .map(({ uuid, sizeGiB, createdAt }) => ({
      id: uuid,
      ...(sizeGiB !== undefined && { sizeGiB }),
      ...(createdAt !== undefined && { createdAt }),
    }))
}

function diskUsability(seen: SeenDisk, want: WantedDisk | undefined): Usability {
  const reason = 'Available'
  if (seen.status !== undefined && seen.status.toLowerCase() !== 'active') {
    return { usable: false, reason, message: `The disk is ${seen.status}.` }
  }
  const attached = seen.attachments?.map((each) => each.vmID)
  if (want?.vm.is !== 'ready' || attached === undefined) {
    return { usable: true, reason, message: 'The disk is available.' }
  }
  const { id, name } = want.vm
  return attached.includes(id)
    ? { usable: true, reason, message: `The disk is attached to CloudVM ${name}.` }
    : { usable: false, reason, message: `The disk is not attached to CloudVM ${name}.` }
}
