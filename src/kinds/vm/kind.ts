/** CloudVM: how the pipeline reads, plans, changes and reports virtual machines. */
import type { CloudVM, VmStatus } from '../../api/vm.ts'
import { bootDiskID, bootsFrom } from '../../reconcile/bootdisk.ts'
import type { CloudResource, KindDefinition, Memory, Patch, Usability } from '../../reconcile/kind.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { actVm } from './act.ts'
import { confirmVm, leftoversOf, namelessAddresses } from './companions.ts'
import { bootDiskOf, planVm, planVmGone, sizeChange, sizeIsRight, type WantedVm } from './plan.ts'
import { vmReads, type SeenVm } from './seen.ts'
import { refusedVm, refusedVmField, refusedVmWait } from './refusals.ts'
import { CLONE, rememberVm, roundedVm, vmEffect, vmFacts, type VmStep } from './steps.ts'
import { vmLinks, vmSecrets, wantVm } from './wish.ts'

const STOP_SECONDS = 300

export const vmKind: KindDefinition<CloudVM, WantedVm, SeenVm, VmStep, VmStatus> = {
  kind: 'CloudVM',
  type: resourceType('CloudVM'),
  noun: 'virtual machine',
  reads: vmReads,
  creation: {
    identity: () => 'marker',
    // Told by the marker; of a clone whose status was lost, everything but the original may be it.
    candidate: (_want, row, operation) => row.id !== operation?.details?.[CLONE.of],
    labelGoes: ({ spec }) => spec.source?.vmRef !== undefined,
    // A clone has the description of its original, and is called otherwise.
    mayBeCopy: ({ spec, metadata }, { name }) => {
      const own = spec.name ?? (spec.adopt === undefined ? metadata.name : undefined)
      return own !== undefined && name !== own
    },
    companionsBefore: async (context, want) => (bringsAddress(want) ? namelessAddresses(context) : []),
  },
  links: vmLinks,
  secrets: vmSecrets,
  want: wantVm,
  plan: planVm,
  planGone: (seen, memory, { spec }) => planVmGone(seen, memory, spec.stop?.mode ?? 'Graceful'),
  facts: vmFacts,
  act: (context, step, _want, seen) => actVm(context, step, seen),
  effect: vmEffect,
  overdueAfterMs: ({ verb }, { spec }) =>
    verb === 'stop' || verb === 'forceStop' ? (spec.stop?.timeoutSeconds ?? STOP_SECONDS) * 1000 : undefined,
  report: reportVm,
  usability: vmUsability,
  remember: rememberVm,
  refused: refusedVm,
  refusedWait: refusedVmWait,
  refusedField: refusedVmField,
  confirm: confirmVm,
  leftovers: leftoversOf,
  parting: {
    unfinished: (status) => status.resize?.wasRunning === true,
    next: (seen, { status }) => {
      if (seen.power === 'between') return 'wait'
      return seen.power === 'stopped' && status?.resize?.wasRunning === true ? { do: 'start' } : undefined
    },
  },
  heldBy: [
    {
      kind: 'CloudDisk',
      named: (vm) => (vm as CloudVM).spec.source?.diskRef?.name,
      related: (vm) => {
        const id = bootDiskID(vm)
        return id === undefined
          ? []
          : [
              ['cloudID', id],
              ['adopts', id],
            ]
      },
      // A person says that it is to be looked after, whether it is adopted yet or not.
      claims: (disk) => disk.spec.adopt !== undefined,
      // Its data would go with the machine; a disk attached by its own vmRef is detached before.
      holds: (disk, vm, keeps) =>
        bootsFrom(vm, disk) && (disk.metadata.deletionTimestamp === undefined || keeps(disk)),
      missing: bootDiskLetGo,
      until:
        'the machine boots from it, and what is on it goes with the machine: delete that disk too, with onDelete Delete (an object that only observes it just goes), or keep both with spec.lifecycle.onDelete: Retain here',
    },
    {
      kind: 'CloudSnapshot',
      // The service deletes the snapshots of a machine with it.
      holds: () => true,
      until: 'snapshots go with their machine: it is deleted once they are deleted',
    },
  ],
  // What was on its disk is gone: another one is a decision.
  remakes: () => false,
}

/** The disk had an object of its own, which may have been let go so that the disk stays. */
function bootDiskLetGo(vm: CloudResource, disks: readonly CloudResource[]): string | undefined {
  const id = bootDiskID(vm)
  const own = (vm as CloudVM).spec.source?.diskRef === undefined
  if (own || id === undefined || disks.some((disk) => disk.status?.id === id || disk.spec.adopt?.id === id))
    return undefined
  return `the machine boots from disk ${id}, which no CloudDisk has on record, and what is on it goes with the machine: to keep both set spec.lifecycle.onDelete: Retain here; to delete both make a CloudDisk with spec.adopt.id: ${id} and onDelete Delete, and delete that as well`
}

function bringsAddress(want: WantedVm | undefined): boolean {
  const create = want?.create
  return create === undefined || 'cloneOf' in create || create.reservePublicIP
}

function reportVm(seen: SeenVm, memory: Memory<VmStatus>, want: WantedVm | undefined): Patch<VmStatus> {
  const boot = bootDiskOf(seen)?.sizeGiB
  const pool = seen.poolName ?? seen.poolID
  return {
    ...(seen.power !== undefined && { powerState: powerText(seen) }),
    ...(seen.os !== undefined &&
      seen.osVersion !== undefined && { image: { os: seen.os, version: seen.osVersion } }),
    ...(boot !== undefined && { bootDiskGiB: boot }),
    ...(seen.privateIP !== undefined && { privateIP: seen.privateIP }),
    ...(seen.publicIPs !== undefined && { publicIPs: [...seen.publicIPs] }),
    ...(seen.mac !== undefined && { mac: seen.mac }),
    ...(seen.hostname !== undefined && { hostname: seen.hostname }),
    ...(pool !== undefined && { pool }),
    ...(seen.storage !== undefined && { disks: disksOf(seen.storage, memory.status?.disks) }),
    ...(seen.passwordSet !== undefined && { passwordApplied: seen.passwordSet }),
    ...resizePatch(seen, memory, want),
  }
}

function powerText(seen: SeenVm): string {
  if (seen.power === 'running') return 'Running'
  if (seen.power === 'stopped') return 'Stopped'
  return seen.powerWord ?? ''
}

type Disks = NonNullable<VmStatus['disks']>

/** Boot disk first, then by id: the service may list them in any order. */
function disksOf(storage: NonNullable<SeenVm['storage']>, before: Disks | undefined): Disks {
  // Which one the machine boots from stays on record while the service leaves it out.
  const told = storage.some(({ primary }) => primary === true)
  const recorded = told ? undefined : before?.find(({ primary }) => primary === true)?.id
  const primaryOf = (disk: (typeof storage)[number]) =>
    disk.primary ?? (disk.uuid === recorded ? true : undefined)
  const rank = (disk: (typeof storage)[number]) => (primaryOf(disk) === true ? 0 : 1)
  return [...storage]
    .sort((a, b) => rank(a) - rank(b) || a.uuid.localeCompare(b.uuid))
    .map((disk) => {
      const primary = primaryOf(disk)
      return {
        id: disk.uuid,
        ...(disk.name !== undefined && { name: disk.name }),
        ...(disk.sizeGiB !== undefined && { sizeGiB: disk.sizeGiB }),
        ...(primary !== undefined && { primary }),
      }
    })
}

/**
 * A change of size is over once the machine is as it was wanted. After a refusal what was refused stays remembered, but no
 * longer that the machine ran: once it runs again, turning it off is the user's own doing.
 */
function resizePatch(seen: SeenVm, memory: Memory<VmStatus>, want: WantedVm | undefined): Patch<VmStatus> {
  const resize = memory.status?.resize
  const change = want && sizeChange(want, seen)
  if (change !== undefined && memory.fought === 'resize') {
    return roundedVm(change.target, resize?.wasRunning ?? false, seen)
  }
  // An open stop may still take effect, and its machine must then be started.
  if (resize === undefined || want === undefined || memory.status?.operation !== undefined) return {}
  const staysOff = want.powerState === 'Stopped' || (want.powerState === undefined && !resize.wasRunning)
  if (seen.power !== 'running' && !(seen.power === 'stopped' && staysOff)) return {}
  if (sizeIsRight(want, seen)) return { resize: undefined }
  const restarted = resize.refused !== undefined && resize.wasRunning
  return restarted ? { resize: { ...resize, wasRunning: false } } : {}
}

function vmUsability(seen: SeenVm, want: WantedVm | undefined): Usability {
  if (seen.power === 'between') {
    const message = `The virtual machine is ${seen.powerWord ?? 'between two states'}.`
    return { usable: false, reason: 'Available', message }
  }
  if (seen.power === 'stopped') {
    return want?.powerState === 'Running'
      ? { usable: false, reason: 'Stopped', message: 'The virtual machine is off and is to run.' }
      : { usable: true, reason: 'Stopped', message: 'The virtual machine is off.' }
  }
  // A list row may leave its state out: an exact read comes at least once an hour.
  const message = seen.power === 'running' ? 'The virtual machine runs.' : 'The virtual machine exists.'
  return { usable: true, reason: 'Available', message }
}
