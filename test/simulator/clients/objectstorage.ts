/** Object storage: its address, buckets, and the storage user with its keys. */
import { z } from 'zod'
import { bodiless, diskTime, empty, many, one, shape, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const objectStorageOperations = [
  'GET /storage/api/s3',
  'PUT /storage/bucket',
  'PATCH /storage/bucket',
  'DELETE /storage/bucket',
  'GET /storage/bucket',
  'GET /storage/bucket/list',
  'GET /storage/user',
  'GET /storage/user/keys',
  'POST /storage/user/keys',
  'DELETE /storage/user/keys',
] as const

const address = shape({ url: z.url() })

const bucket = shape({
  name: z.string(),
  billing_account_id: whole,
  num_objects: whole,
  size_bytes: whole,
  is_suspended: z.boolean(),
  created_at: diskTime,
  modified_at: diskTime,
})

const keyFields = { accessKey: z.string().min(1), secretKey: z.string().min(1), userId: z.string() }
const key = shape(keyFields)

const storageUser = shape({
  userId: z.string(),
  displayName: z.string(),
  email: z.string(),
  maxBuckets: whole,
  suspended: whole,
  caps: z.array(z.unknown()),
  subusers: z.array(z.unknown()),
  swiftCredentials: z.array(z.unknown()),
  s3Credentials: z.array(z.strictObject(keyFields)),
})

export function objectStorageClient({ send, dialect }: Wire) {
  return {
    address: async () => one(await send('GET /storage/api/s3'), dialect, address),
    createBucket: async (name: string, billingAccount?: number) =>
      one(
        await send('PUT /storage/bucket', { form: { name, billing_account_id: billingAccount } }),
        dialect,
        bucket,
      ),
    changeBillingAccount: async (name: string, billingAccount: number) =>
      one(
        await send('PATCH /storage/bucket', { form: { name, billing_account_id: billingAccount } }),
        dialect,
        bucket,
      ),
    deleteBucket: async (name: string) =>
      empty(await send('DELETE /storage/bucket', { query: { name } }), 204),
    getBucket: async (name: string) =>
      one(await send('GET /storage/bucket', { query: { name } }), dialect, bucket),
    buckets: async (billingAccount?: number) =>
      many(
        await send('GET /storage/bucket/list', { query: { billing_account_id: billingAccount } }),
        dialect,
        bucket,
      ),
    user: async () => one(await send('GET /storage/user'), dialect, storageUser),
    keys: async () => many(await send('GET /storage/user/keys'), dialect, key),
    /** Answers with all key pairs. */
    createKey: async () => many(await send('POST /storage/user/keys'), dialect, key),
    deleteKey: async (accessKey: string) =>
      bodiless(await send('DELETE /storage/user/keys', { form: { access_key: accessKey } })),
  }
}
