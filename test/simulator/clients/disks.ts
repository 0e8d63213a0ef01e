/** Block storage disks. Location-specific. */
import { z } from 'zod'
import { diskTime, empty, many, one, shape, uuid, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const diskOperations = [
  'POST /storage/disks',
  'GET /storage/disks',
  'GET /storage/disks/{disk_uuid}',
  'PATCH /storage/disks/{disk_uuid}',
  'DELETE /storage/disks/{disk_uuid}',
] as const

const fields = {
  uuid,
  status: z.string(),
  user_id: whole,
  billing_account_id: whole,
  size_gb: whole,
  source_image_type: z.enum(['OS_BASE', 'DISK', 'SNAPSHOT', 'EMPTY']),
  /** Present when copied from a source. */
  source_image: z.string().optional(),
  created_at: diskTime,
  updated_at: diskTime,
}
const snapshot = z.strictObject({ uuid, sizeGb: whole, created_at: diskTime, disk_uuid: uuid })
const adds = { display_name: z.string() }

const disk = shape(fields, { adds })
const diskWithSnapshots = shape({ ...fields, snapshots: z.array(snapshot) }, { adds })

export interface CreateDisk {
  /** GiB, as a string. */
  size_gb?: string
  billing_account_id?: number
  source_image_type?: 'OS_BASE' | 'DISK' | 'SNAPSHOT' | 'EMPTY'
  source_image?: string
}

export function disksClient({ send, dialect }: Wire) {
  return {
    create: async (form: CreateDisk) =>
      one(await send('POST /storage/disks', { form: { ...form } }), dialect, disk),
    list: async () => many(await send('GET /storage/disks'), dialect, diskWithSnapshots),
    get: async (id: string) =>
      one(
        await send('GET /storage/disks/{disk_uuid}', { path: { disk_uuid: id } }),
        dialect,
        diskWithSnapshots,
      ),
    changeBillingAccount: async (id: string, billingAccount: number) =>
      one(
        await send('PATCH /storage/disks/{disk_uuid}', {
          path: { disk_uuid: id },
          form: { billing_account_id: billingAccount },
        }),
        dialect,
        disk,
      ),
    delete: async (id: string) =>
      empty(await send('DELETE /storage/disks/{disk_uuid}', { path: { disk_uuid: id } }), 204),
  }
}
