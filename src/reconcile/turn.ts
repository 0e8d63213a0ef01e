/** Who may work on a virtual machine, beyond one process: what an object has begun there is on record, and goes first. */
import { KINDS } from '../api/group.ts'
import type { Operation } from '../api/shared.ts'
import type { VmOperationStatus } from '../api/vmoperation.ts'
import type { CloudResource } from './kind.ts'
import { ACCEPTED, ANSWERED } from './ending.ts'
import { sessionOf, type Pass } from './pass.ts'
import type { StepFacts } from './plan.ts'
import { INDEX, isCopy } from './references.ts'

/** The operation, other than this object, that has begun on the machine with this cloud id and not ended. */
export function operationOn(pass: Pass, vmID: string): CloudResource | undefined {
  const { env, object } = pass
  const { endpoint } = sessionOf(pass)
  return env.stores.CloudVMOperation.byIndex(INDEX.cloudID, vmID).find(
    (each) =>
      each.metadata.uid !== object.metadata.uid &&
      hasBegun(each) &&
      !isCopy(each) &&
      (each.status?.account?.endpoint ?? endpoint) === endpoint,
  )
}

/** Something of the operation was sent, and it has not ended: until then its machine is its own. */
export function hasBegun(operation: CloudResource): boolean {
  const { sent, finishedAt } = (operation.status ?? {}) as VmOperationStatus
  return finishedAt === undefined && sent !== undefined && sent.length > 0
}

/** Detail of an operation: the cloud ids that its call names, where only one change at a time may be under way. */
const MACHINES = 'machines'

/** A detail has at most 512 characters, and a UUID 36. */
const EACH = 13

/** The details by which an open operation tells which machines it is at work on. */
export function machinesDetail({ locks = [] }: StepFacts): Readonly<Record<string, string>> {
  const parts = Array.from({ length: Math.ceil(locks.length / EACH) }, (_, nth) =>
    locks.slice(nth * EACH, (nth + 1) * EACH),
  )
  return Object.fromEntries(parts.map((ids, nth) => [`${MACHINES}${nth || ''}`, ids.join(' ')]))
}

/** The machines that an open operation is at work on. */
export function machinesOf(operation: Operation | undefined): string[] {
  const details = Object.entries(operation?.details ?? {})
  return details.flatMap(([name, ids]) => (name.startsWith(MACHINES) ? ids.split(' ') : []))
}

/**
 * An object whose change of the machine was sent and not answered: it may still take effect, so that it is found out first.
 * Never for long: what stays unanswered is given up after the settle time, or then waits for a person and holds nobody.
 */
export function unansweredOn(pass: Pass, vmID: string): CloudResource | undefined {
  const { env, object } = pass
  const { endpoint } = sessionOf(pass)
  return KINDS.flatMap((kind) => env.stores[kind].byIndex(INDEX.machine, vmID)).find(
    (each) =>
      each.metadata.uid !== object.metadata.uid &&
      isUnanswered(each) &&
      !isCopy(each) &&
      stillFresh(pass, each) &&
      (each.status?.account?.endpoint ?? endpoint) === endpoint,
  )
}

/** Later it is sent again, or a person is asked: it holds nobody. */
function stillFresh(pass: Pass, { status }: CloudResource): boolean {
  return status?.operation !== undefined && pass.env.ages.of(status.operation) < sessionOf(pass).settleMs
}

function isUnanswered({ status }: CloudResource): boolean {
  const operation = status?.operation
  if (operation === undefined || operation.candidates !== undefined) return false
  const { [ANSWERED]: answered, [ACCEPTED]: accepted } = operation.details ?? {}
  if (answered !== undefined || accepted !== undefined) return false
  // The answer to a create is its id.
  return operation.verb !== 'create' || status?.id === undefined
}
