/** Block storage disks. Bodies are forms: JSON is ignored by some services. */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { DiskRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { diskSchema } from './schemas.ts'

const route = 'storage/disks'
const one = `${route}/{disk}`

export interface NewDisk {
  /** Required when the source does not give a size. */
  readonly sizeGiB?: number | undefined
  readonly billingAccount: number
  /** Absent: an empty disk. `id` is `<os>_<version>` for OS_BASE, else the uuid of the source. */
  readonly source?: { readonly type: 'OS_BASE' | 'DISK' | 'SNAPSHOT'; readonly id: string } | undefined
  /** Only where the service shows names of disks. */
  readonly displayName?: string | undefined
}

/** The disks of a location, boot disks of VMs included. */
export function listDisks(
  client: CloudClient,
  location: string,
  options?: ReadOptions,
): Promise<readonly DiskRecord[]> {
  return client.read({ family: 'disk', method: 'GET', location, route, answer: rows(diskSchema) }, options)
}

/** One disk, read exactly; absent when it is gone, or a record with `deleted`. */
export function getDisk(
  client: CloudClient,
  location: string,
  uuid: string,
  options?: ReadOptions,
): Promise<DiskRecord> {
  return client.read(
    {
      family: 'disk',
      method: 'GET',
      location,
      route: one,
      ids: { disk: uuid },
      exact: { kind: 'disk', id: uuid },
      answer: record(diskSchema),
    },
    options,
  )
}

/** Creates a disk, attached to nothing. */
export function createDisk(
  client: CloudClient,
  location: string,
  disk: NewDisk,
  send: Send,
): Promise<DiskRecord> {
  return client.change(
    {
      family: 'disk',
      method: 'POST',
      location,
      route,
      ...(disk.source === undefined ? {} : { texts: { source_image: disk.source.id } }),
      form: {
        size_gb: disk.sizeGiB,
        billing_account_id: disk.billingAccount,
        source_image_type: disk.source?.type ?? 'EMPTY',
        source_image: disk.source?.id,
        display_name: disk.displayName,
      },
      answer: record(diskSchema),
    },
    send,
  )
}

/** Moves a disk to another billing account. */
export function setDiskBillingAccount(
  client: CloudClient,
  location: string,
  uuid: string,
  billingAccount: number,
  send: Send,
): Promise<DiskRecord> {
  return patchDisk(client, location, uuid, { billing_account_id: billingAccount }, send)
}

/** Renames a disk; only where the service shows names of disks. */
export function renameDisk(
  client: CloudClient,
  location: string,
  uuid: string,
  displayName: string,
  send: Send,
): Promise<DiskRecord> {
  return patchDisk(client, location, uuid, { display_name: displayName }, send)
}

function patchDisk(
  client: CloudClient,
  location: string,
  uuid: string,
  form: { readonly billing_account_id: number } | { readonly display_name: string },
  send: Send,
): Promise<DiskRecord> {
  return client.change(
    {
      family: 'disk',
      method: 'PATCH',
      location,
      route: one,
      ids: { disk: uuid },
      form,
      exact: { kind: 'disk', id: uuid },
      answer: record(diskSchema),
    },
    send,
  )
}

/** Deletes a disk, its data and all its snapshots. */
export function deleteDisk(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'disk',
      method: 'DELETE',
      location,
      route: one,
      ids: { disk: uuid },
      exact: { kind: 'disk', id: uuid },
      answer: ignored,
    },
    send,
  )
}
