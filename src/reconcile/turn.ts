/** Who may work on a virtual machine, beyond one process: what an object has begun there is on record, and goes first. */
import type { VmOperationStatus } from '../api/vmoperation.ts'
import type { CloudResource } from './kind.ts'
import { sessionOf, type Pass } from './pass.ts'
import { INDEX } from './references.ts'

/** The operation, other than this object, that has begun on the machine with this cloud id and not ended. */
export function operationOn(pass: Pass, vmID: string): CloudResource | undefined {
  const { env, object } = pass
  const { endpoint } = sessionOf(pass)
  return env.stores.CloudVMOperation.byIndex(INDEX.cloudID, vmID).find(
    (each) =>
      each.metadata.uid !== object.metadata.uid &&
      hasBegun(each) &&
      (each.status?.account?.endpoint ?? endpoint) === endpoint,
  )
}

/** Something of the operation was sent, and it has not ended: until then its machine is its own. */
export function hasBegun(operation: CloudResource): boolean {
  const { sent, finishedAt } = (operation.status ?? {}) as VmOperationStatus
  return finishedAt === undefined && sent !== undefined && sent.length > 0
}
