/** Who may work on a virtual machine, beyond one process: what an object has begun there is on record, and goes first. */
import type { VmOperationStatus } from '../api/vmoperation.ts'
import type { CloudResource } from './kind.ts'
import { ANSWERED } from './ending.ts'
import { sessionOf, type Pass } from './pass.ts'
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

/**
 * An object whose change of the machine was sent and not answered: it may still take effect, so that it is found out first.
 * Never for long: what stays unanswered is given up after the settle time. For a CloudVM these are its referrers, for all
 * others the CloudVM itself. A create is its own matter, and may wait for a person.
 */
export function unansweredOn(pass: Pass, vmID: string): CloudResource | undefined {
  const { env, kind, object } = pass
  const { endpoint } = sessionOf(pass)
  const others =
    kind.kind === 'CloudVM'
      ? env.references.referrers(object)
      : env.stores.CloudVM.byIndex(INDEX.cloudID, vmID).filter(
          (each) => (each.status?.account?.endpoint ?? endpoint) === endpoint,
        )
  return others.find((each) => {
    const operation = each.status?.operation
    return (
      operation !== undefined && operation.verb !== 'create' && operation.details?.[ANSWERED] === undefined
    )
  })
}
