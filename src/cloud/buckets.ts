/** Object storage buckets. A bucket belongs to no location; its name is unique across all users. */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { BucketRecord, S3Record } from './records.ts'
import type { ReadOptions } from './request.ts'
import { bucketSchema, presentSchema, s3Schema, storageUserSchema } from './schemas.ts'

const route = 'storage/bucket'

export interface NewBucket {
  readonly name: string
  readonly billingAccount: number
}

/** All buckets of the account. */
export function listBuckets(client: CloudClient, options?: ReadOptions): Promise<readonly BucketRecord[]> {
  return client.read(
    { family: 'bucket', method: 'GET', route: `${route}/list`, answer: rows(bucketSchema) },
    options,
  )
}

/** One bucket, read exactly; absent when the caller has none of this name. */
export function getBucket(client: CloudClient, name: string, options?: ReadOptions): Promise<BucketRecord> {
  return client.read(
    {
      family: 'bucket',
      method: 'GET',
      route,
      ids: { name },
      query: { name },
      exact: { kind: 'bucket', id: name },
      answer: record(bucketSchema),
    },
    options,
  )
}

/** Creates a bucket; refused with `nameTaken` when anybody has one of this name. */
export function createBucket(client: CloudClient, bucket: NewBucket, send: Send): Promise<BucketRecord> {
  return client.change(
    {
      family: 'bucket',
      method: 'PUT',
      route,
      ids: { name: bucket.name },
      form: { name: bucket.name, billing_account_id: bucket.billingAccount },
      answer: record(bucketSchema),
    },
    send,
  )
}

/** Moves a bucket to another billing account. */
export function setBucketBillingAccount(
  client: CloudClient,
  name: string,
  billingAccount: number,
  send: Send,
): Promise<BucketRecord> {
  return client.change(
    {
      family: 'bucket',
      method: 'PATCH',
      route,
      ids: { name },
      form: { name, billing_account_id: billingAccount },
      exact: { kind: 'bucket', id: name },
      answer: record(bucketSchema),
    },
    send,
  )
}

/** Deletes an empty bucket; one with objects is refused. */
export function deleteBucket(client: CloudClient, name: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'bucket',
      method: 'DELETE',
      route,
      ids: { name },
      query: { name },
      exact: { kind: 'bucket', id: name },
      answer: ignored,
    },
    send,
  )
}

/** The address of the object storage. */
export function getS3(client: CloudClient, options?: ReadOptions): Promise<S3Record> {
  return client.read(
    {
      family: 'objectStorage',
      method: 'GET',
      route: 'storage/api/s3',
      answer: record(s3Schema),
    },
    options,
  )
}

/**
 * How many buckets the user of the object storage may have; undefined while there is no such user. Asking for the user
 * would make one, and keys: so it is asked for only where the list of keys shows that there is one.
 */
export async function readMaxBuckets(client: CloudClient): Promise<number | undefined> {
  const keys = await client.read({
    family: 'objectStorage',
    method: 'GET',
    route: 'storage/user/keys',
    answer: rows(presentSchema),
  })
  if (keys.length === 0) return undefined
  const user = await client.read({
    family: 'objectStorage',
    method: 'GET',
    route: 'storage/user',
    answer: record(storageUserSchema),
  })
  return user.maxBuckets
}
