/** Object storage: address, buckets, the storage user and its keys. */
import type { Route } from '../http/route.ts'
import { bucketRecord, keyRecords, objectStorageUrl, storageUserRecord } from '../records/bucket.ts'
import {
  bucketOf,
  bucketsOf,
  createBucket,
  createKey,
  deleteBucket,
  deleteKey,
  ensureStorageUser,
  keysOf,
  setBucketBilling,
} from '../state/buckets.ts'

const common = { family: 'bucket', slug: 'never' } as const

export const bucketRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/storage/api/s3',
    reads: 'none',
    handle: () => ({ status: 200, body: { url: objectStorageUrl } }),
  },
  {
    ...common,
    method: 'PUT',
    path: '/storage/bucket',
    reads: 'form',
    handle: (call) => {
      const bucket = createBucket(call, call.body.requiredText('name'), call.body.whole('billing_account_id'))
      return { status: 200, body: bucketRecord(bucket) }
    },
  },
  {
    ...common,
    method: 'PATCH',
    path: '/storage/bucket',
    reads: 'form',
    handle: (call) => {
      const { body } = call
      const bucket = setBucketBilling(
        call,
        body.requiredText('name'),
        body.requiredWhole('billing_account_id'),
      )
      return { status: 200, body: bucketRecord(bucket) }
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/storage/bucket',
    reads: 'none',
    handle: (call) => {
      deleteBucket(call, call.query.requiredText('name'))
      return { status: 204 }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/storage/bucket',
    reads: 'none',
    handle: (call) => ({ status: 200, body: bucketRecord(bucketOf(call, call.query.requiredText('name'))) }),
  },
  {
    ...common,
    method: 'GET',
    path: '/storage/bucket/list',
    reads: 'none',
    handle: (call) => ({
      status: 200,
      body: bucketsOf(call, call.query.whole('billing_account_id')).map(bucketRecord),
    }),
  },
  {
    ...common,
    method: 'GET',
    path: '/storage/user',
    reads: 'none',
    changes: true,
    handle: (call) => {
      ensureStorageUser(call)
      return { status: 200, body: storageUserRecord(call.account) }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/storage/user/keys',
    reads: 'none',
    handle: (call) => ({ status: 200, body: keyRecords(call.account, keysOf(call)) }),
  },
  {
    ...common,
    method: 'POST',
    path: '/storage/user/keys',
    reads: 'none',
    handle: (call) => ({ status: 200, body: keyRecords(call.account, createKey(call)) }),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/storage/user/keys',
    reads: 'form',
    handle: (call) => {
      deleteKey(call, call.body.requiredText('access_key'))
      return { status: 200 }
    },
  },
]
