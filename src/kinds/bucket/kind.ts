/** CloudBucket: how the pipeline reads, plans, changes and reports buckets. */
import type { BucketStatus, CloudBucket } from '../../api/bucket.ts'
import type { KindDefinition } from '../../reconcile/kind.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { mayBeSameTime } from '../../reconcile/times.ts'
import { actBucket } from './act.ts'
import {
  bucketFacts,
  bucketRefusedWait,
  planBucket,
  planBucketGone,
  type BucketStep,
  type WantedBucket,
} from './plan.ts'
import { bucketReads, type SeenBucket } from './seen.ts'

export const bucketKind: KindDefinition<CloudBucket, WantedBucket, SeenBucket, BucketStep, BucketStatus> = {
  kind: 'CloudBucket',
  type: resourceType('CloudBucket'),
  noun: 'bucket',
  reads: bucketReads,
  creation: {
    identity: () => 'name',
    idFor: (object) => object.spec.bucketName,
    candidate: (want, row) => row.id === want.name,
  },
  links: () => [],
  secrets: () => [],
  want: ({ spec }, facts) => ({
    is: 'ready',
    want: {
      name: spec.bucketName,
      chargedTo: spec.billingAccount ?? facts.session.billingAccount,
      billingAccount: spec.billingAccount,
    },
  }),
  plan: planBucket,
  planGone: planBucketGone,
  facts: bucketFacts,
  act: (context, step, _want, seen) => actBucket(context, step, seen),
  effect: () => true,
  refusedWait: bucketRefusedWait,
  report: (seen) => ({
    ...(seen.endpoint !== undefined && { endpoint: seen.endpoint }),
    ...(seen.createdAt !== undefined && { createdAt: seen.createdAt }),
    ...(seen.suspended !== undefined && { suspended: seen.suspended }),
    ...(seen.objects !== undefined && { objects: seen.objects }),
    ...(seen.sizeBytes !== undefined && { sizeBytes: seen.sizeBytes }),
  }),
  // Counts change with every upload: they would write the status of a busy bucket at each look.
  slowFields: ['objects', 'sizeBytes'],
  usability: (seen) =>
    seen.suspended === true
      ? { usable: false, reason: 'Available', message: 'The service has suspended the bucket.' }
      : { usable: true, reason: 'Available', message: 'The bucket is available.' },
  // Its objects are gone with it.
  remakes: () => false,
  // The name can be taken again, by anybody, once it is free.
  same: (status, seen) => mayBeSameTime(status.createdAt, seen.createdAt),
}
