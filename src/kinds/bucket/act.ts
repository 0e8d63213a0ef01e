/** Carries out one step: one switch, one HTTP call each. */
import type { BucketStatus } from '../../api/bucket.ts'
import { createBucket, deleteBucket, setBucketBillingAccount } from '../../cloud/buckets.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import type { BucketStep } from './plan.ts'
import { seenBucket, type SeenBucket } from './seen.ts'

export async function actBucket(
  context: CallContext<BucketStatus>,
  step: BucketStep,
  seen: SeenBucket | undefined,
): Promise<SeenBucket> {
  const { client, inventory } = context.session
  switch (step.do) {
    case 'create': {
      const bucket = { name: step.name, billingAccount: step.billingAccount }
      const record = await createBucket(client, bucket, context.send)
      inventory.note('bucket', undefined, record)
      return seenBucket(record, context.session)
    }
    case 'setBillingAccount': {
      const before = needed(seen)
      const record = await setBucketBillingAccount(client, before.id, step.billingAccount, context.send)
      inventory.note('bucket', undefined, record)
      return { ...before, ...seenBucket(record, context.session) }
    }
    case 'delete': {
      const before = needed(seen)
      await deleteBucket(client, before.id, context.send)
      inventory.forget('bucket', undefined, before.id)
      return before
    }
  }
}
