/** What an operation refers to, by the field that says so. Pure. */
import type { Resource } from '../../api/object.ts'
import type { VmOperationSpec, VmOperationStatus } from '../../api/vmoperation.ts'
import type { CommonSpec, Link } from '../../reconcile/kind.ts'

/** A CloudVMOperation; of what all specs can have it has nothing. */
export type OperationObject = Resource<VmOperationSpec & CommonSpec, VmOperationStatus>

export const VM = (name: string): Link => ({ field: 'spec.vmRef', kind: 'CloudVM', name, needed: 'always' })
export const SNAPSHOT = (name: string): Link => ({
  field: 'spec.rebuild.snapshotRef',
  kind: 'CloudSnapshot',
  name,
  needed: 'always',
})

export function operationLinks({ vmRef, rebuild }: VmOperationSpec): readonly Link[] {
  return [VM(vmRef.name), ...(rebuild ? [SNAPSHOT(rebuild.snapshotRef.name)] : [])]
}
