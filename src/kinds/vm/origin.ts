/** What a new machine is made from: an image, a disk, a snapshot, or another machine. Pure. */
import type { CloudDisk } from '../../api/disk.ts'
import type { CloudSnapshot } from '../../api/snapshot.ts'
import type { CloudVM } from '../../api/vm.ts'
import { NOT_OF_A_CLONE } from '../../api/vmsource.ts'
import type { CloudResource, Link, Wish, WishFacts } from '../../reconcile/kind.ts'
import { markedName } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import type { NewClone, NewVmWish } from './steps.ts'

const FIELD = {
  disk: 'spec.source.diskRef',
  snapshot: 'spec.source.snapshotRef',
  vm: 'spec.source.vmRef',
} as const

/** References to the source; they matter to the creation alone. */
export function sourceLinks({ source = {} }: CloudVM['spec']): readonly Link[] {
  const { diskRef, snapshotRef, vmRef } = source
  const needed = 'create'
  return [
    ...(diskRef ? [{ field: FIELD.disk, kind: 'CloudDisk', name: diskRef.name, needed } as const] : []),
    ...(snapshotRef
      ? [{ field: FIELD.snapshot, kind: 'CloudSnapshot', name: snapshotRef.name, needed } as const]
      : []),
    ...(vmRef ? [{ field: FIELD.vm, kind: 'CloudVM', name: vmRef.name, needed } as const] : []),
  ]
}

/** An image, a disk or a snapshot. */
export function originOf({ spec }: CloudVM, facts: WishFacts): Wish<NewVmWish['from']> {
  const { image, source, bootDisk } = spec
  if (source?.diskRef !== undefined) return bootDiskFrom(source.diskRef.name, facts)
  if (source?.snapshotRef !== undefined) return snapshotFrom(source.snapshotRef.name, facts)
  if (image === undefined || bootDisk === undefined)
    return invalid('spec.image: needs spec.bootDisk beside it')
  const from = { os: image.os, version: image.version, bootDiskGiB: bootDisk.sizeGiB }
  return { is: 'ready', want: from }
}

/** A disk to boot from belongs to its machine: it must be free, and is never attached by a vmRef of its own. */
function bootDiskFrom(name: string, facts: WishFacts): Wish<NewVmWish['from']> {
  const target = placed(facts, FIELD.disk, `CloudDisk ${name}`)
  if (target.is !== 'ready') return target
  const disk = target.want.object as CloudDisk
  if (disk.spec.vmRef !== undefined) {
    return unusable(
      `${FIELD.disk}: CloudDisk ${name} is attached by its own vmRef; a disk to boot from belongs to the virtual machine made from it: remove spec.vmRef there`,
    )
  }
  if (disk.status?.attachedTo !== undefined) {
    const holder = disk.status.attachedTo.name ?? disk.status.attachedTo.id
    return waitForHolder(
      `${FIELD.disk}: CloudDisk ${name} is still attached to ${holder}; waiting until it is free`,
    )
  }
  return { is: 'ready', want: { diskID: target.want.id } }
}

/** The service asks for the machine that the snapshot is of besides the snapshot itself. */
function snapshotFrom(name: string, facts: WishFacts): Wish<NewVmWish['from']> {
  const target = placed(facts, FIELD.snapshot, `CloudSnapshot ${name}`)
  if (target.is !== 'ready') return target
  const vm = (target.want.object as CloudSnapshot).status?.vm
  if (vm === undefined) {
    return waitFor(`${FIELD.snapshot}: CloudSnapshot ${name} does not show its virtual machine yet`)
  }
  return { is: 'ready', want: { replicaID: target.want.id, vmID: vm.id } }
}

/** A clone. The original is only read; while a change of it is open, the clone waits for what comes of that. */
export function cloneOf({ metadata, spec }: CloudVM, facts: WishFacts): Wish<NewClone> {
  const name = spec.source?.vmRef?.name ?? ''
  const given = NOT_OF_A_CLONE.find((field) => spec[field] !== undefined)
  if (given !== undefined)
    return invalid(
      `spec.${given}: a clone takes it from the original; remove it, or make a machine of its own`,
    )
  if (name === metadata.name) return invalid(`${FIELD.vm}: a machine cannot be a clone of itself`)
  const target = placed(facts, FIELD.vm, `CloudVM ${name}`)
  if (target.is !== 'ready') return target
  const { status } = target.want.object as CloudVM
  const charged = status?.billingAccount
  if (spec.billingAccount !== undefined && charged !== undefined && charged !== spec.billingAccount) {
    return invalid(
      `spec.billingAccount: a clone is charged to the billing account of the original, ${charged}; set ${charged}, or leave it out`,
    )
  }
  const change = status?.operation?.verb
  if (change !== undefined || status?.resize?.wasRunning === true) {
    return waitFor(`${FIELD.vm}: CloudVM ${name} is being changed; it is cloned once that is over`)
  }
  return {
    is: 'ready',
    want: {
      cloneOf: target.want.id,
      original: name,
      name: markedName(spec.name ?? metadata.name, facts.marker),
      withAddress: (status?.publicIPs ?? []).length > 0,
    },
  }
}

function placed(
  facts: WishFacts,
  field: string,
  named: string,
): Wish<{ readonly id: string; readonly object: CloudResource }> {
  const target = linked(facts, field, named)
  if (target.is !== 'ready') return target
  const elsewhere = misplaced(facts, field, target.want.object, true)
  return elsewhere === undefined ? target : unusable(elsewhere)
}

/** What a reference leads to, once it is there. */
export function linked(
  facts: WishFacts,
  field: string,
  named: string,
): Wish<{ readonly id: string; readonly object: CloudResource }> {
  const state = facts.link(field)
  if (state?.state === 'ready') return { is: 'ready', want: state }
  if (state?.state === 'leaving') return waitFor(`${field}: ${named} is being deleted; refer to another one`)
  return waitFor(state?.message ?? `${field}: ${named} does not exist yet`)
}

export function waitFor(message: string): Wish<never> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message } }
}

/** Of a machine that holds the disk: it may be this very one, made before its status was lost. */
function waitForHolder(message: string): Wish<never> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message }, mayBeOurs: true }
}

export function invalid(message: string): Wish<never> {
  return { is: 'blocked', block: { reason: 'InvalidSpec', message } }
}

/** It refers to something that cannot be used so. */
export function unusable(message: string): Wish<never> {
  return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
}
