/** Disks on a VM. Growing names the disk `disk_uuid`, everything else `storage_uuid`. */
import { ignored, record } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { StorageRecord } from './records.ts'
import { storageSchema } from './schemas.ts'

const route = 'user-resource/vm/storage'

/** Grows a disk of a VM to `sizeGiB`; a smaller size is refused. */
export function growDisk(
  client: CloudClient,
  location: string,
  vmUUID: string,
  diskUUID: string,
  sizeGiB: number,
  send: Send,
): Promise<StorageRecord> {
  return client.change(
    {
      family: 'vmStorage',
      method: 'PATCH',
      location,
      route,
      ids: { uuid: vmUUID, disk_uuid: diskUUID },
      form: { uuid: vmUUID, disk_uuid: diskUUID, size_gb: sizeGiB },
      answer: record(storageSchema),
    },
    send,
  )
}

/** Attaches a disk. The VM's own record can show it later than this answers. */
export function attachDisk(
  client: CloudClient,
  location: string,
  vmUUID: string,
  diskUUID: string,
  send: Send,
): Promise<StorageRecord> {
  return client.change(
    {
      family: 'vmStorage',
      method: 'POST',
      location,
      route: `${route}/attach`,
      ids: { uuid: vmUUID, storage_uuid: diskUUID },
      form: { uuid: vmUUID, storage_uuid: diskUUID },
      answer: record(storageSchema),
    },
    send,
  )
}

/** Detaches a disk, which keeps its data. */
export function detachDisk(
  client: CloudClient,
  location: string,
  vmUUID: string,
  diskUUID: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      family: 'vmStorage',
      method: 'POST',
      location,
      route: `${route}/detach`,
      ids: { uuid: vmUUID, storage_uuid: diskUUID },
      form: { uuid: vmUUID, storage_uuid: diskUUID },
      answer: ignored,
    },
    send,
  )
}
