/** Which CloudDisk a machine boots from: by its cloud id, whatever its name; by the name while no id is known. Pure. */
import type { CloudDisk } from '../api/disk.ts'
import type { CloudVM } from '../api/vm.ts'

/** Cloud id of the disk that the machine was last seen to boot from. */
export function bootDiskID({ status }: Pick<CloudVM, 'status'>): string | undefined {
  return status?.disks?.find((each) => each.primary === true)?.id
}

export function bootsFrom(vm: CloudVM, disk: CloudDisk): boolean {
  const near = vm.metadata.namespace === disk.metadata.namespace
  // With its status lost, or not adopted yet, the spec says it; nobody reaches into another namespace by that.
  const id = disk.status?.id ?? (near ? disk.spec.adopt?.id : undefined)
  const bootID = bootDiskID(vm)
  if (bootID !== undefined && id !== undefined) return bootID === id
  return near && vm.spec.source?.diskRef?.name === disk.metadata.name
}
