/** Buckets: charged to an account, suspended by the service, deleted only while empty. */
import type { BucketStatus, CloudBucket } from '../../../src/api/bucket.ts'
import { bucketKind } from '../../../src/kinds/bucket/kind.ts'
import type { BucketStep, WantedBucket } from '../../../src/kinds/bucket/plan.ts'
import type { SeenBucket } from '../../../src/kinds/bucket/seen.ts'
import type { Model, Rule, Served, State } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'

export interface Bucket {
  readonly billingAccount: number
  readonly objects: number
  readonly suspended: boolean
  readonly hides: { readonly billingAccount?: true; readonly objects?: true; readonly suspended?: true }
  /** The service takes changes and makes none. */
  readonly deaf?: true
}

export interface BucketWords {
  object: CloudBucket
  want: WantedBucket
  cloud: Bucket
  seen: SeenBucket
  step: BucketStep
  status: BucketStatus
}

function look({ billingAccount, objects, suspended, hides }: Bucket): SeenBucket {
  return {
    id: 'bucket',
    showsLabel: false,
    ...(hides.billingAccount !== true && { billingAccount }),
    ...(hides.objects !== true && { objects }),
    ...(hides.suspended !== true && { suspended }),
  }
}

function serve({ cloud }: State<BucketWords>, step: BucketStep): Served<BucketWords> {
  if (step.do === 'create') {
    const { billingAccount } = step
    return { is: 'done', cloud: { billingAccount, objects: 0, suspended: false, hides: {} } }
  }
  if (cloud === undefined) throw new Error('there is no bucket')
  if (step.do === 'setBillingAccount') {
    return {
      is: 'done',
      cloud: cloud.deaf === true ? cloud : { ...cloud, billingAccount: step.billingAccount },
    }
  }
  return cloud.objects > 0
    ? { is: 'refused', text: 'the bucket is not empty' }
    : { is: 'done', cloud: undefined }
}

function* states(): Generator<State<BucketWords>> {
  for (const billingAccount of [undefined, 1]) {
    yield { want: { name: 'bucket', chargedTo: 1, billingAccount }, cloud: undefined, status: {} }
  }
  const axes = {
    charged: FIELD,
    objects: [0, 3],
    hidesObjects: [false, true],
    suspended: [false, true],
    hidesSuspended: [false, true],
    deaf: [false, true],
    observes: [false, true],
    applied: [false, true],
  } as const
  for (const each of product(axes)) {
    yield {
      want: { name: 'bucket', chargedTo: 1, billingAccount: each.charged === 'unmanaged' ? undefined : 1 },
      cloud: {
        billingAccount: isEqual(each.charged) ? 1 : 2,
        objects: each.objects,
        suspended: each.suspended,
        hides: {
          ...(isHidden(each.charged) && { billingAccount: true }),
          ...(each.hidesObjects && { objects: true }),
          ...(each.hidesSuspended && { suspended: true }),
        },
        ...(each.deaf && { deaf: true }),
      },
      status: {},
      observes: each.observes,
      appliedBefore: each.applied,
    }
  }
}

const rules: readonly Rule<BucketWords>[] = [
  {
    says: 'a billing account is set only where another one is shown',
    of: ['setBillingAccount'],
    kept: ({ cloud }, step) =>
      step.do === 'setBillingAccount' &&
      cloud?.hides.billingAccount === undefined &&
      cloud?.billingAccount !== step.billingAccount,
  },
  {
    says: 'a bucket that shows objects is not deleted',
    of: ['delete'],
    kept: ({ cloud }) => cloud?.objects === 0 || cloud?.hides.objects === true,
  },
  { says: 'a bucket is created only where there is none', of: ['create'], kept: ({ cloud }) => !cloud },
]

export const bucketModel: Omit<Model<BucketWords>, 'ends'> = {
  kind: 'CloudBucket',
  planner: bucketKind,
  states,
  object: () => ({ spec: {} }) as CloudBucket,
  look,
  serve,
  elapse: (cloud) => cloud,
  made: (want) => want,
  stepOf: () => undefined,
  names: () => [],
  rules,
  most: 3,
}
