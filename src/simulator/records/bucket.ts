/** Buckets, and the object storage user with its keys. */
import { maxBuckets } from '../state/buckets.ts'
import type { Account, Bucket, KeyPair } from '../state/model.ts'
import { diskTime } from '../time.ts'

export const objectStorageUrl = 'https://objects.simulator.invalid'

export function bucketRecord(bucket: Bucket): Record<string, unknown> {
  return {
    name: bucket.name,
    billing_account_id: bucket.billingAccount,
    num_objects: bucket.objects,
    size_bytes: bucket.sizeBytes,
    is_suspended: bucket.suspended,
    created_at: diskTime(bucket.createdAt),
    modified_at: diskTime(bucket.modifiedAt),
  }
}

export function keyRecords(account: Account, keys: readonly KeyPair[]): Record<string, unknown>[] {
  return keys.map(({ accessKey, secretKey }) => ({ accessKey, secretKey, userId: storageUserId(account) }))
}

export function storageUserRecord(account: Account): Record<string, unknown> {
  return {
    userId: storageUserId(account),
    displayName: account.name,
    email: account.email,
    maxBuckets,
    suspended: 0,
    caps: [],
    subusers: [],
    swiftCredentials: [],
    s3Credentials: keyRecords(account, account.objectStorage.keys),
  }
}

function storageUserId(account: Account): string {
  return `user-${account.userId}`
}
