/** Which CloudDisk a machine boots from: by its cloud id, whatever its name; by the name while no id is known. Pure. */
import type { CloudDisk } from '../api/disk.ts'
import type { CloudVM } from '../api/vm.ts'

/** Cloud id of the disk that the machine was last seen to boot from. */
export function bootDiskID({ status }: CloudVM): string | undefined {
  return status?.disks?.find((each) => each.primary === true)?.id
}

/** What it has on record, or is to have: with its status lost the spec of one that adopts still says it. */
export function diskIDOf({ spec, status }: CloudDisk): string | undefined {
  return status?.id ?? spec.adopt?.id
}

export function bootsFrom(vm: CloudVM, disk: CloudDisk): boolean {
  const [bootID, id] = [bootDiskID(vm), diskIDOf(disk)]
  if (bootID !== undefined && id !== undefined) return bootID === id
  const named = vm.spec.source?.diskRef?.name === disk.metadata.name
  return named && vm.metadata.namespace === disk.metadata.namespace
}
