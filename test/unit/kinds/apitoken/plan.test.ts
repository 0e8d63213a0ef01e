import { describe, expect, test } from 'vitest'
import type { ApiTokenStatus } from '../../../../src/api/apitoken.ts'
import { planApiToken, planApiTokenGone, type WantedApiToken } from '../../../../src/kinds/apitoken/plan.ts'
import type { SeenApiToken } from '../../../../src/kinds/apitoken/seen.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'

const want: WantedApiToken = {
  description: 'ci k8s-x',
  tiedTo: 7,
  billingAccount: undefined,
  restricted: true,
  secretName: 'ci',
}
const seen: SeenApiToken = {
  id: '5',
  label: 'ci k8s-x',
  billingAccount: 7,
  restricted: true,
  others: ['4', '3'],
  inUseHere: ['1'],
}
const memory: Memory<ApiTokenStatus> = {
  status: { retiring: [{ id: '4', since: '2026-01-01T00:00:00Z' }] },
  appliedBefore: false,
}
const update = (token: object) => [
  { do: 'update', token: { description: 'ci k8s-x', restricted: true, ...token } },
]

const rows: readonly {
  says: string
  want?: Partial<WantedApiToken>
  seen?: Partial<SeenApiToken>
  steps: readonly object[]
}[] = [
  { says: 'one that is as wished needs nothing', steps: [] },
  {
    says: 'whom it is tied to is not compared when the spec does not say',
    seen: { billingAccount: 8 },
    steps: [],
  },
  {
    says: 'another billing account is set',
    want: { billingAccount: 9 },
    steps: update({ billingAccount: 9 }),
  },
  {
    says: 'another description is set, and the billing account it has is sent along',
    seen: { label: 'old', billingAccount: 8 },
    steps: update({ billingAccount: 8 }),
  },
  {
    says: 'a token that someone made free is restricted again',
    seen: { restricted: false },
    steps: update({ billingAccount: 7 }),
  },
  {
    says: 'what the service does not show is not compared',
    seen: { label: '' },
    steps: update({ billingAccount: 7 }),
  },
]

describe('a token', () => {
  test.each(rows)('$says', (row) => {
    expect(planApiToken({ ...want, ...row.want }, { ...seen, ...row.seen }, memory).steps).toEqual(row.steps)
  })

  test('that does not exist is created, tied to the account’s billing account', () => {
    const token = { description: 'ci k8s-x', billingAccount: 7, restricted: true }
    expect(planApiToken(want, undefined, memory).steps).toEqual([{ do: 'create', token }])
  })

  test('that is restricted cannot be freed', () => {
    expect(planApiToken({ ...want, restricted: false }, seen, memory).block?.reason).toBe(
      'ReplacementRequired',
    )
  })
})

test('a token whose billing account is neither wished nor shown is not changed: the change would set one', () => {
  const { id, restricted, others, inUseHere } = seen
  const sparse: SeenApiToken = { id, others, inUseHere, ...(restricted !== undefined && { restricted }) }
  const plan = planApiToken(want, { ...sparse, label: 'old' }, memory)
  expect(plan.steps).toEqual([])
  expect(plan.wait?.reason).toBe('WaitingForCloud')
  const known = planApiToken({ ...want, billingAccount: 9 }, { ...sparse, label: 'old' }, memory)
  expect(known.steps).toEqual(update({ billingAccount: 9 }))
})

describe('what the operator itself uses as its key', () => {
  test('is not taken away by a rotation', () => {
    const outlived = { ...memory, outlived: ['4'] }
    expect(planApiToken(want, seen, outlived).steps).toEqual([{ do: 'retire', id: '4' }])
    expect(planApiToken(want, { ...seen, inUseHere: ['4'] }, outlived).steps).toEqual([])
  })

  test('is never changed', () => {
    const own = { ...seen, label: 'old', inUseHere: ['5'] }
    const plan = planApiToken(want, own, { ...memory, outlived: ['4'] })
    expect(plan.steps).toEqual([{ do: 'retire', id: '4' }])
    expect(plan.block?.reason).toBe('ReferenceInvalid')
  })

  test.each(['5', '4'])('holds a deletion (%s)', (id) => {
    const plan = planApiTokenGone({ ...seen, inUseHere: [id] }, memory)
    expect(plan.steps).toEqual([])
    expect(plan.block?.reason).toBe('ReferenceInvalid')
  })

  test('is none of these: the deletion takes the old ones along', () => {
    expect(planApiTokenGone(seen, memory).steps).toEqual([{ do: 'retire', id: '4' }, { do: 'delete' }])
  })
})
