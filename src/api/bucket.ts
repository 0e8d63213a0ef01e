/** CloudBucket: one object storage bucket, known by its name. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  cloudID,
  commonStatusShape,
  lifecycle,
  lifecycleDescription,
  mutableBillingAccount,
  objectSpecShape,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

/** What a new bucket may be called; older buckets of other names can still be adopted. */
const newBucketName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

export const bucketSpec = ruled(
  z.object({
    accountRef: objectSpecShape.accountRef,
    adopt: objectSpecShape.adopt,
    billingAccount: mutableBillingAccount.exactOptional(),
    lifecycle: lifecycle.exactOptional().describe(lifecycleDescription),
    bucketName: cloudID.describe(
      'Name of the bucket, unique among all users of the service. Frozen once a cloud object may exist. Required. Example: shop-images',
    ),
  }),
  [
    {
      rule: `has(self.adopt) || (self.bucketName.size() >= 3 && self.bucketName.size() <= 63 && self.bucketName.matches('${newBucketName.source}'))`,
      holds: ({ adopt, bucketName }) =>
        adopt !== undefined ||
        (bucketName.length >= 3 && bucketName.length <= 63 && newBucketName.test(bucketName)),
      message:
        'bucketName: the name of a new bucket has 3 to 63 small letters, digits, hyphens and single dots, with a letter or digit at both ends of each part',
      at: 'bucketName',
    },
    {
      rule: '!has(self.adopt) || self.adopt.id == self.bucketName',
      holds: ({ adopt, bucketName }) => adopt === undefined || adopt.id === bucketName,
      message: 'adopt.id must be the bucketName, a bucket is known by its name',
      at: 'adopt',
    },
  ],
)
export type BucketSpec = z.infer<typeof bucketSpec>

export const bucketStatus = z.object({
  ...commonStatusShape,
  endpoint: text
    .exactOptional()
    .describe('Address of the object storage API. Example: https://s3.example.com'),
  createdAt: z
    .string()
    .max(64)
    .exactOptional()
    .describe('When the bucket was made, as the service shows it; part of its identity'),
  suspended: z.boolean().exactOptional().describe('Whether the service has suspended the bucket'),
  objects: z
    .int()
    .exactOptional()
    .describe('Number of objects; refreshed with another change, or hourly at most'),
  sizeBytes: z
    .int()
    .exactOptional()
    .describe('Bytes stored; refreshed with another change, or hourly at most'),
})
export type BucketStatus = z.infer<typeof bucketStatus>
export type CloudBucket = Resource<BucketSpec, BucketStatus>

export const bucketKind: KindSchema = {
  kind: 'CloudBucket',
  plural: 'cloudbuckets',
  singular: 'cloudbucket',
  shortName: 'cbkt',
  description: 'An object storage bucket in the cloud. It is never emptied by the operator.',
  spec: bucketSpec,
  status: bucketStatus,
  columns: [
    {
      name: 'Endpoint',
      type: 'string',
      jsonPath: '.status.endpoint',
      description: 'Address of the object storage API',
    },
  ],
  selectableFields: ['.spec.accountRef.name', '.spec.bucketName', '.status.id'],
  frozen: [
    ...frozenEverywhere.filter(({ field }) => field !== 'location'),
    { field: 'bucketName', instead: 'make a new CloudBucket and copy the objects' },
  ],
  growOnly: [],
}
