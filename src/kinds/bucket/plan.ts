/** Decides what to do with a bucket. Pure. Rules of the service are the lines below. */
import { steps, waiting, type Plan, type StepFacts, type Wait } from '../../reconcile/plan.ts'
import type { SeenBucket } from './seen.ts'

export interface WantedBucket {
  readonly name: string
  /** Whom a new bucket is charged to. */
  readonly chargedTo: number
  /** Whom it stays charged to; undefined: not managed. */
  readonly billingAccount: number | undefined
}

export type BucketStep =
  | { readonly do: 'create'; readonly name: string; readonly billingAccount: number }
  | { readonly do: 'setBillingAccount'; readonly billingAccount: number }
  | { readonly do: 'delete' }

const NOT_EMPTY: Wait = {
  reason: 'NotEmpty',
  message:
    'only an empty bucket can be deleted and this one still holds objects; it is never emptied by us and deleted by itself once empty, or set spec.lifecycle.onDelete: Retain',
}

export function planBucket(want: WantedBucket, seen: SeenBucket | undefined): Plan<BucketStep> {
  if (seen === undefined) return steps({ do: 'create', name: want.name, billingAccount: want.chargedTo })
  const { billingAccount } = want
  const recharged =
    billingAccount !== undefined &&
    seen.billingAccount !== undefined &&
    seen.billingAccount !== billingAccount
  const list: BucketStep[] = recharged ? [{ do: 'setBillingAccount', billingAccount }] : []
  if (seen.suspended !== true) return { steps: list }
  const message =
    'the service has suspended the bucket: settle its billing account or ask the provider; it is looked at again by itself'
  return { steps: list, block: { reason: 'Suspended', message } }
}

/** An unknown number of objects does not hold the deletion: the service itself refuses to delete a bucket with objects. */
export function planBucketGone(seen: SeenBucket): Plan<BucketStep> {
  return (seen.objects ?? 0) > 0 ? waiting(NOT_EMPTY.reason, NOT_EMPTY.message) : steps({ do: 'delete' })
}

/** The count of objects lags behind, so that a delete can be refused although it showed none. */
export function bucketRefusedWait(step: BucketStep, text: string): Wait | undefined {
  return step.do === 'delete' &&
    /(?:not|non|isn't)[ -]?empty|\b(?:contains|holds|has) (?:any )?objects/i.test(text)
    ? NOT_EMPTY
    : undefined
}

export function bucketFacts(step: BucketStep): StepFacts {
  switch (step.do) {
    case 'create':
      return { nature: 'create', words: `create the bucket ${step.name}` }
    case 'setBillingAccount':
      return { nature: 'set', words: `charge the bucket to billing account ${step.billingAccount}` }
    case 'delete':
      return { nature: 'destroy', words: 'delete the bucket' }
  }
}
