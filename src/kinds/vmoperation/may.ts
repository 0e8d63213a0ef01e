/** Whether an operation may begin, by what it says and what it is done to. Pure. */
import type { FixReason } from '../../api/group.ts'
import type { CloudSnapshot } from '../../api/snapshot.ts'
import type { CloudVM } from '../../api/vm.ts'
import type { VmOperationSpec } from '../../api/vmoperation.ts'
import { parseTime } from '../../loop/clock.ts'

/** Why nothing is done; it ends with that. */
export interface Bar {
  readonly reason: FixReason
  readonly message: string
}

const DAYS_MAX = 7
const DAY_MS = 86_400_000

/**
 * Why the time is over, or is not believed, at `nowMs` by the operator's wall clock; undefined: it may begin. Asked when it
 * is first looked at and right before its call leaves.
 */
export function expiredAt({ expiresAt }: VmOperationSpec, nowMs: number): Bar | undefined {
  if (expiresAt === undefined) return undefined
  const atMs = parseTime(expiresAt)
  if (atMs === undefined) {
    return { reason: 'InvalidSpec', message: `spec.expiresAt: ${expiresAt} is not a time` }
  }
  if (atMs <= nowMs) {
    const message = `spec.expiresAt: ${expiresAt} is over, so nothing is done; make a new CloudVMOperation if it is still wanted`
    return { reason: 'Expired', message }
  }
  if (atMs - nowMs <= DAYS_MAX * DAY_MS) return undefined
  const message = `spec.expiresAt: ${expiresAt} is more than ${DAYS_MAX} days ahead, so nothing is done; make a new CloudVMOperation with a time nearer by`
  return { reason: 'Expired', message }
}

/** What the operation and its CloudVM contradict each other in. */
export function contradiction(spec: VmOperationSpec, vm: CloudVM, id: string): Bar | undefined {
  const { name } = vm.metadata
  if (vm.spec.lifecycle?.management === 'ObserveOnly') {
    const message = `spec.vmRef: CloudVM ${name} is only observed (spec.lifecycle.management there), so nothing is done to it`
    return { reason: 'ReferenceInvalid', message }
  }
  if ((spec.restart ?? spec.rescue) !== undefined && vm.spec.powerState === 'Stopped') {
    const what = spec.restart === undefined ? 'spec.rescue' : 'spec.restart'
    const message = `${what}: CloudVM ${name} is to be off (spec.powerState: Stopped), and this would start it; set spec.powerState: Running there and make a new CloudVMOperation`
    return { reason: 'InvalidSpec', message }
  }
  if (spec.confirmVMID === undefined || spec.confirmVMID === id) return undefined
  const message = `spec.confirmVMID: is ${spec.confirmVMID}, and CloudVM ${name} is ${id}: nothing is done; confirm the machine that is meant`
  return { reason: 'InvalidSpec', message }
}

/** A snapshot is put back only to the machine it was taken of. */
export function foreignSnapshot(snapshot: CloudSnapshot, vm: CloudVM, id: string): Bar | undefined {
  const of = snapshot.status?.vm
  if (of === undefined || of.id === id) return undefined
  const message = `spec.rebuild.snapshotRef: CloudSnapshot ${snapshot.metadata.name} is of the virtual machine ${of.name ?? of.id} (${of.id}), and CloudVM ${vm.metadata.name} is ${id}; refer to a snapshot of that machine`
  return { reason: 'ReferenceInvalid', message }
}
