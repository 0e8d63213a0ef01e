/** Decides what to do with a disk. Pure. Rules of the service are the lines below. */
import type { DiskStatus } from '../../api/disk.ts'
import type { Memory } from '../../reconcile/kind.ts'
import { blocked, waiting, type Pending, type Plan, type Wait } from '../../reconcile/plan.ts'
import type { SeenDisk } from './seen.ts'
import type { DiskStep, NewDiskWish } from './steps.ts'

export interface WantedDisk {
  /** Undefined: exists already, or is taken over. */
  readonly create: NewDiskWish | undefined
  /** With the marker as its suffix; undefined: not managed. */
  readonly name: string | undefined
  readonly sizeGiB: number | undefined
  readonly billingAccount: number | undefined
  readonly vm: WantedVmOfDisk
}

/** waiting: a machine that is not there yet; until it is, the disk stays where it is. */
export type WantedVmOfDisk =
  | { readonly is: 'none' }
  | { readonly is: 'ready'; readonly id: string; readonly name: string }
  | { readonly is: 'waiting'; readonly message: string }

export function planDisk(want: WantedDisk, seen: SeenDisk | undefined): Plan<DiskStep> {
  if (seen === undefined) return planNew(want)
  const transition = inTransition(seen)
  if (transition !== undefined) return transition
  const quiet = quietSteps(want, seen)
  const place = placePlan(want.vm, seen)
  const grow = growPlan(want, seen, place)
  // A disk that is to be free grows while it still has its machine.
  const moves = want.vm.is === 'none' ? [...grow.steps, ...place.steps] : [...place.steps, ...grow.steps]
  const list = [...quiet, ...moves]
  const wait = place.wait ?? grow.wait
  return {
    steps: list,
    ...(wait !== undefined && list.length === 0 && { wait }),
    ...(place.block !== undefined && { block: place.block }),
    ...(grow.pending !== undefined && { pending: grow.pending }),
  }
}

function planNew(want: WantedDisk): Plan<DiskStep> {
  if (want.create === undefined) return blocked('NotFoundToAdopt', 'spec.adopt.id: there is no such disk')
  const create: DiskStep = { do: 'create', disk: want.create }
  return { steps: want.vm.is === 'ready' ? [create, { do: 'attach', vmID: want.vm.id }] : [create] }
}

/** Every word but Active means a transition: nothing is sent into it. */
function inTransition({ status }: SeenDisk): Plan<never> | undefined {
  if (status === undefined || status.toLowerCase() === 'active') return undefined
  return waiting('WaitingForCloud', `the disk is ${status}: waiting until it is active`)
}

function quietSteps(want: WantedDisk, seen: SeenDisk): DiskStep[] {
  const { billingAccount, name } = want
  const list: DiskStep[] = []
  if (billingAccount !== undefined && differs(billingAccount, seen.billingAccount)) {
    list.push({ do: 'setBillingAccount', billingAccount })
  }
  // Only where the service shows names: without one the label is unknown.
  if (name !== undefined && differs(name, seen.label)) list.push({ do: 'rename', name })
  return list
}

const UNKNOWN: Wait = {
  reason: 'WaitingForCloud',
  message: 'the service does not show which virtual machine the disk is attached to, if any',
}

/** A disk moves by being detached first, and never while it may be attached elsewhere. */
function placePlan(vm: WantedVmOfDisk, seen: SeenDisk): Plan<DiskStep> {
  const { attachments } = seen
  if (vm.is === 'waiting') return waiting('WaitingForDependency', vm.message)
  if (attachments === undefined) return vm.is === 'none' ? { steps: [] } : { steps: [], wait: UNKNOWN }
  const boots = attachments.find((each) => each.primary === true)
  if (boots !== undefined) return vm.is === 'none' ? { steps: [] } : bootedFrom(boots.vmID)
  const others = attachments.filter((each) => vm.is === 'none' || each.vmID !== vm.id)
  const unsure = others.find((each) => each.primary === undefined)
  if (unsure !== undefined) {
    const message = `the service does not show whether virtual machine ${unsure.vmID} boots from the disk: it is not detached`
    return waiting('WaitingForCloud', message)
  }
  const detach = others.map((each): DiskStep => ({ do: 'detach', vmID: each.vmID }))
  if (vm.is === 'none' || attachments.some((each) => each.vmID === vm.id)) return { steps: detach }
  return { steps: [...detach, { do: 'attach', vmID: vm.id }] }
}

function bootedFrom(vmID: string): Plan<never> {
  return blocked(
    'ReferenceInvalid',
    `spec.vmRef: virtual machine ${vmID} boots from this disk, so it belongs to that one; remove vmRef`,
  )
}

const ATTACH_REQUIRED: Pending = {
  reason: 'AttachRequired',
  message:
    'spec.sizeGiB: the service grows a disk only through a virtual machine it is attached to; set spec.vmRef, and it grows once attached',
}

/** A disk only grows, and only through a machine that has it. */
function growPlan(want: WantedDisk, seen: SeenDisk, place: Plan<DiskStep>): Plan<DiskStep> {
  const { sizeGiB } = want
  if (sizeGiB === undefined || !differs(sizeGiB, seen.sizeGiB)) return { steps: [] }
  if (seen.sizeGiB !== undefined && seen.sizeGiB > sizeGiB) {
    const message = `spec.sizeGiB: the disk has ${seen.sizeGiB} GiB and a disk can only grow; set at least ${seen.sizeGiB}`
    return { steps: [], pending: { reason: 'Unsupported', message } }
  }
  const attached = place.steps.at(-1)
  const vmID = attached?.do === 'attach' ? attached.vmID : holderOf(want.vm, seen)
  if (vmID !== undefined) return { steps: [{ do: 'grow', vmID, sizeGiB }] }
  if (seen.attachments === undefined) return { steps: [], wait: UNKNOWN }
  return want.vm.is === 'waiting' ? { steps: [] } : { steps: [], pending: ATTACH_REQUIRED }
}

/** The machine it has and keeps; else the one it still has. */
function holderOf(vm: WantedVmOfDisk, { attachments = [] }: SeenDisk): string | undefined {
  const kept = attachments.find((each) => vm.is === 'ready' && each.vmID === vm.id)
  return (kept ?? attachments[0])?.vmID
}

/** An absent field is unknown, never different. */
function differs<T>(wanted: T, seen: T | undefined): boolean {
  return seen !== undefined && seen !== wanted
}

/** Deleting a disk deletes its snapshots with it: that needs the user's word. Nothing is detached before it can be deleted. */
export function planDiskGone(
  seen: SeenDisk,
  _memory: Memory<DiskStatus>,
  snapshots: 'Hold' | 'Delete',
): Plan<DiskStep> {
  const transition = inTransition(seen)
  if (transition !== undefined) return transition
  const { attachments } = seen
  if (attachments === undefined) return waiting(UNKNOWN.reason, UNKNOWN.message)
  const boots = attachments.find((each) => each.primary !== false)
  if (boots !== undefined) {
    const verb = boots.primary === true ? 'boots' : 'may boot'
    const message = `virtual machine ${boots.vmID} ${verb} from the disk, which goes with that one; to leave the disk alone set spec.lifecycle.onDelete: Retain`
    return waiting('WaitingForDependents', message)
  }
  if (snapshots === 'Hold') {
    const held = heldBySnapshots(seen)
    if (held !== undefined) return held
  }
  return {
    steps: [...attachments.map((each): DiskStep => ({ do: 'detach', vmID: each.vmID })), { do: 'delete' }],
  }
}

function heldBySnapshots({ snapshots }: SeenDisk): Plan<never> | undefined {
  const remedy = 'delete them, or set spec.snapshotsOnDelete: Delete'
  if (snapshots === undefined) {
    const message = `the service does not show whether the disk has snapshots, which would be deleted with it; ${remedy}`
    return waiting('WaitingForCloud', message)
  }
  if (snapshots.length === 0) return undefined
  const message = `the disk has ${snapshots.length} snapshots, which would be deleted with it; ${remedy}`
  return waiting('NotEmpty', message)
}
