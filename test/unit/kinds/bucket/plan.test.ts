import { expect, test } from 'vitest'
import {
  bucketFacts,
  bucketRefusedWait,
  planBucket,
  planBucketGone,
  type BucketStep,
  type WantedBucket,
} from '../../../../src/kinds/bucket/plan.ts'
import type { SeenBucket } from '../../../../src/kinds/bucket/seen.ts'
import type { Plan } from '../../../../src/reconcile/plan.ts'

const want: WantedBucket = { name: 'shop-images', chargedTo: 7, billingAccount: undefined }
const seen: SeenBucket = { id: 'shop-images', billingAccount: 7, objects: 0, suspended: false }

/** What a plan says besides its messages. */
function gist({ steps, wait, block, pending }: Plan<BucketStep>) {
  return { steps, wait: wait?.reason, block: block?.reason, pending: pending?.reason }
}

const live: readonly {
  says: string
  want?: Partial<WantedBucket>
  seen: Partial<SeenBucket> | undefined
  steps?: readonly BucketStep[]
  block?: string
}[] = [
  {
    says: 'a bucket that does not exist is created and charged to the account',
    seen: undefined,
    steps: [{ do: 'create', name: 'shop-images', billingAccount: 7 }],
  },
  { says: 'a bucket that is as wished needs nothing', seen: {} },
  { says: 'whom it is charged to is not compared when the spec does not say', seen: { billingAccount: 8 } },
  {
    says: 'another billing account in the spec is set',
    want: { billingAccount: 9 },
    seen: {},
    steps: [{ do: 'setBillingAccount', billingAccount: 9 }],
  },
  {
    says: 'a row without a billing account is not different',
    want: { billingAccount: 9 },
    seen: { billingAccount: undefined as never },
  },
  { says: 'a suspended bucket is a matter for a person', seen: { suspended: true }, block: 'Suspended' },
  {
    says: 'a suspended bucket can still be charged to somebody who pays',
    want: { billingAccount: 9 },
    seen: { suspended: true },
    steps: [{ do: 'setBillingAccount', billingAccount: 9 }],
    block: 'Suspended',
  },
  { says: 'what is in it is nobody’s concern while it lives', seen: { objects: 12 } },
]

test.each(live)('$says', ({ want: change, seen: shown, steps = [], block }) => {
  const plan = planBucket({ ...want, ...change }, shown && { ...seen, ...shown })
  expect(gist(plan)).toEqual({ steps, wait: undefined, block, pending: undefined })
})

const gone: readonly {
  says: string
  seen: Partial<SeenBucket>
  steps?: readonly BucketStep[]
  wait?: string
}[] = [
  { says: 'an empty bucket is deleted', seen: { objects: 0 }, steps: [{ do: 'delete' }] },
  {
    says: 'only an empty bucket can be deleted: one with objects is waited for and never emptied',
    seen: { objects: 1 },
    wait: 'NotEmpty',
  },
  {
    says: 'an unknown number of objects leaves the refusal to the service',
    seen: { objects: undefined as never },
    steps: [{ do: 'delete' }],
  },
  {
    says: 'a suspended empty bucket is deleted as well',
    seen: { suspended: true },
    steps: [{ do: 'delete' }],
  },
]

test.each(gone)('$says', ({ seen: shown, steps = [], wait }) => {
  const plan = planBucketGone({ ...seen, ...shown })
  expect(gist(plan)).toEqual({ steps, wait, block: undefined, pending: undefined })
})

test('no step empties a bucket', () => {
  const possible = [...live, ...gone].flatMap(({ steps = [] }) => steps.map((step) => step.do))
  expect(new Set(possible)).toEqual(new Set(['create', 'setBillingAccount', 'delete']))
})

test.each([
  ['Bucket shop-images is not empty.', true],
  ['The bucket you tried to delete is not empty', true],
  ['BucketNotEmpty', true],
  ['non-empty bucket', true],
  ['bucket contains objects', true],
  ['Bucket name is invalid', false],
])('a delete refused with "%s" waits for an empty bucket: %s', (text, waits) => {
  expect(bucketRefusedWait({ do: 'delete' }, text)?.reason).toBe(waits ? 'NotEmpty' : undefined)
})

test('a refusal of another step never waits for an empty bucket', () => {
  expect(bucketRefusedWait({ do: 'setBillingAccount', billingAccount: 9 }, 'not empty')).toBeUndefined()
})

test('only setting the billing account may be repeated without an intent', () => {
  expect(bucketFacts({ do: 'create', name: 'a', billingAccount: 1 }).nature).toBe('create')
  expect(bucketFacts({ do: 'setBillingAccount', billingAccount: 1 }).nature).toBe('set')
  expect(bucketFacts({ do: 'delete' }).nature).toBe('destroy')
})
