import { describe, expect, test } from 'vitest'
import { planLoadBalancer, planLoadBalancerGone } from '../../../../src/kinds/loadbalancer/plan.ts'
import { type LoadBalancerStep } from '../../../../src/kinds/loadbalancer/steps.ts'
import { a, b, c, create, gist, http, https, remembering, seen, want, type Row } from './cases.ts'

const moved = { sourcePort: 80, targetPort: 9090 }

const fresh: readonly Row[] = [
  { says: 'a new one is made whole: name, billing account, network, rules, targets', steps: [create] },
  {
    says: 'whether an address is reserved is always said',
    want: { reserveAddress: true },
    steps: [{ ...create, reserveAddress: true }],
  },
  {
    says: 'without targets the empty list is sent: the service fails on a missing one',
    want: { targets: undefined },
    steps: [{ ...create, targetIDs: [] }],
  },
  {
    says: 'without a network the default one is looked up when it is made',
    want: { network: { is: 'default' } },
    steps: [{ ...create, networkID: undefined }],
  },
  {
    says: 'a network that does not exist yet is waited for',
    want: { network: { is: 'waiting', message: 'spec.networkRef: not yet' } },
    wait: 'WaitingForDependency',
  },
  {
    says: 'where targets can be added later it is made with those that exist',
    want: { targets: { ready: [a], waiting: [c] } },
    steps: [create],
  },
  {
    says: 'where that is not known it waits for all of its targets',
    want: { targets: { ready: [a], waiting: [c] }, growsLater: false },
    wait: 'WaitingForDependency',
  },
  {
    says: 'a new one needs rules',
    want: { rules: undefined },
    block: 'InvalidSpec',
  },
  { says: 'a new one needs a name', want: { name: undefined }, block: 'InvalidSpec' },
]

describe('creating', () => {
  test.each(fresh)('$says', ({ want: wanted, steps = [], wait, block, pending }) => {
    const plan = planLoadBalancer({ ...want, ...wanted }, undefined, remembering())
    expect(gist(plan)).toEqual({ steps, wait, block, pending })
  })
})

const targets: readonly Row[] = [
  { says: 'one that is as wished needs nothing' },
  {
    says: 'a new target is added',
    want: { targets: { ready: [a, b], waiting: [] } },
    steps: [{ do: 'addTarget', id: b.id, name: 'b' }],
  },
  {
    says: 'a target that is no longer wished, or is being deleted, is dropped',
    want: { targets: { ready: [], waiting: [] } },
    steps: [{ do: 'removeTarget', id: a.id, count: 1 }],
  },
  {
    says: 'a new target is there before the old one goes',
    want: { targets: { ready: [b], waiting: [] } },
    steps: [
      { do: 'addTarget', id: b.id, name: 'b' },
      { do: 'removeTarget', id: a.id, count: 1 },
    ],
  },
  { says: 'targets are not touched when the spec has none', want: { targets: undefined } },
  {
    says: 'a row that leaves the targets out is not different',
    want: { targets: { ready: [a, b], waiting: [] } },
    seen: { targets: undefined as never },
  },
  {
    says: 'a wished target that is listed twice is left',
    seen: { targets: [{ uuid: a.id }, { uuid: a.id }] },
  },
  {
    says: 'an unwished target that is listed twice is removed once, and again until it is gone',
    seen: { targets: [{ uuid: a.id }, { uuid: b.id }, { uuid: b.id }] },
    steps: [{ do: 'removeTarget', id: b.id, count: 2 }],
  },
  {
    says: 'targets that do not exist yet are waited for once nothing else is left',
    want: { targets: { ready: [a], waiting: [c] } },
    wait: 'WaitingForDependency',
  },
  {
    says: 'while one is waited for the rest is done',
    want: { targets: { ready: [a, b], waiting: [c] } },
    steps: [{ do: 'addTarget', id: b.id, name: 'b' }],
  },
  {
    says: 'a listed machine that may be the one waited for is kept: its object may have lost its status',
    want: { targets: { ready: [a], waiting: [c] } },
    seen: { targets: [{ uuid: a.id }, { uuid: 'vm-unknown' }] },
    wait: 'WaitingForDependency',
  },
  {
    says: 'a listed machine known under the name of the one waited for is kept',
    want: { targets: { ready: [a], waiting: [c] } },
    seen: { targets: [{ uuid: a.id }, { uuid: 'vm-c' }] },
    status: { targets: [{ id: 'vm-c', name: 'c' }] },
    wait: 'WaitingForDependency',
  },
  {
    says: 'a listed machine known under another name goes although one is waited for',
    want: { targets: { ready: [a], waiting: [c] } },
    seen: { targets: [{ uuid: a.id }, { uuid: b.id }] },
    status: { targets: [{ id: b.id, name: 'b' }] },
    steps: [{ do: 'removeTarget', id: b.id, count: 1 }],
  },
]

const rules: readonly Row[] = [
  {
    says: 'a new port is added',
    seen: { rules: [{ uuid: 'r2', ...https }] },
    steps: [{ do: 'addRule', ...http }],
  },
  {
    says: 'a port that is no longer wished is removed',
    want: { rules: [https] },
    steps: [{ do: 'removeRule', id: 'r1', sourcePort: 80 }],
  },
  {
    says: 'another target port is the rule removed, then added: a source port has one rule',
    want: { rules: [moved, https] },
    steps: [
      { do: 'removeRule', id: 'r1', sourcePort: 80 },
      { do: 'addRule', ...moved },
    ],
  },
  {
    says: 'of several changed ports one after the other is without a rule, not all at once',
    want: { rules: [moved, { sourcePort: 443, targetPort: 9443 }] },
    steps: [
      { do: 'removeRule', id: 'r1', sourcePort: 80 },
      { do: 'addRule', ...moved },
      { do: 'removeRule', id: 'r2', sourcePort: 443 },
      { do: 'addRule', sourcePort: 443, targetPort: 9443 },
    ],
  },
  {
    says: 'the same rule twice is one too many',
    seen: {
      rules: [
        { uuid: 'r1', ...http },
        { uuid: 'r3', ...http },
        { uuid: 'r2', ...https },
      ],
    },
    steps: [{ do: 'removeRule', id: 'r3', sourcePort: 80 }],
  },
  { says: 'the order of rules means nothing', want: { rules: [https, http] } },
  { says: 'rules are not touched when the spec has none', want: { rules: undefined } },
  {
    says: 'a row that leaves the rules out is not different',
    seen: { rules: undefined as never },
  },
  {
    says: 'a rule whose id is not shown yet cannot be removed, and its port takes no other',
    want: { rules: [moved, https] },
    seen: { rules: [http, { uuid: 'r2', ...https }] },
    wait: 'WaitingForCloud',
  },
  {
    says: 'other ports do not wait for that id',
    want: { rules: [moved, https, { sourcePort: 25, targetPort: 25 }] },
    seen: { rules: [http, { uuid: 'r2', ...https }] },
    steps: [{ do: 'addRule', sourcePort: 25, targetPort: 25 }],
  },
]

const settings: readonly Row[] = [
  {
    says: 'a name changed outside is put back',
    seen: { label: 'x' },
    steps: [{ do: 'rename', name: 'web-mark' }],
  },
  {
    says: 'a name shown empty is different',
    seen: { label: undefined as never },
    steps: [{ do: 'rename', name: 'web-mark' }],
  },
  {
    says: 'a name that the service does not show is not different',
    seen: { label: undefined as never, showsLabel: undefined as never },
  },
  {
    says: 'an adopted one keeps its name when the spec gives none',
    want: { name: undefined },
    seen: { label: 'x' },
  },
  {
    says: 'another billing account in the spec is set',
    want: { billingAccount: 9 },
    steps: [{ do: 'setBillingAccount', billingAccount: 9 }],
  },
  { says: 'whom it is charged to is not compared when the spec does not say', seen: { billingAccount: 8 } },
  { says: 'the network is never compared', seen: { networkID: 'another' } },
  {
    says: 'a reference that matters only to creating never holds the rest',
    want: { network: { is: 'waiting', message: 'spec.networkRef: gone' }, billingAccount: 9 },
    steps: [{ do: 'setBillingAccount', billingAccount: 9 }],
  },
  {
    says: 'traffic comes first: new targets, rules, old targets, then name and billing account',
    want: { targets: { ready: [b], waiting: [] }, rules: [http], billingAccount: 9 },
    seen: { label: 'x' },
    steps: [
      { do: 'addTarget', id: b.id, name: 'b' },
      { do: 'removeRule', id: 'r2', sourcePort: 443 },
      { do: 'removeTarget', id: a.id, count: 1 },
      { do: 'rename', name: 'web-mark' },
      { do: 'setBillingAccount', billingAccount: 9 },
    ],
  },
]

const documented: readonly Row[] = [
  { says: 'one that is as wished needs no operation', seen: { changeable: false } },
  {
    says: 'a change of targets, where the service has no such operation, waits for a person',
    want: { targets: { ready: [b], waiting: [] } },
    seen: { changeable: false },
    pending: 'Unsupported',
  },
  {
    says: 'a change of rules, where the service has no such operation, waits for a person',
    want: { rules: [http] },
    seen: { changeable: false },
    pending: 'Unsupported',
  },
  {
    says: 'so it does for rules without ids',
    want: { rules: [http] },
    seen: { changeable: false, rules: [http, https] },
    pending: 'Unsupported',
  },
  {
    says: 'a new name or billing account, where the service has no such operation, waits for a person',
    want: { billingAccount: 9 },
    seen: { changeable: false, label: 'x' },
    pending: 'Unsupported',
  },
]

describe('changing', () => {
  test.each([...targets, ...rules, ...settings, ...documented])('$says', (row) => {
    const { steps = [], wait, block, pending } = row
    const plan = planLoadBalancer({ ...want, ...row.want }, { ...seen, ...row.seen }, remembering(row.status))
    expect(gist(plan)).toEqual({ steps, wait, block, pending })
  })
})

test('what waits for a person is said in words', () => {
  const wanted = { ...want, targets: { ready: [b], waiting: [] } }
  const plan = planLoadBalancer(wanted, { ...seen, changeable: false }, remembering())
  expect(plan.pending?.message).toContain(
    'add CloudVM b as a target; remove virtual machine vm-a from the targets',
  )
})

test('no more than five of what is waited for is named', () => {
  const waiting = Array.from({ length: 7 }, (_, index) => ({
    name: `w${index}`,
    message: `w${index} missing`,
  }))
  const plan = planLoadBalancer({ ...want, targets: { ready: [a], waiting } }, seen, remembering())
  expect(plan.wait?.message).toBe('w0 missing; w1 missing; w2 missing; w3 missing; w4 missing; and others')
})

describe('deleting', () => {
  const deletion: LoadBalancerStep = { do: 'delete' }
  test('it is deleted with its rules and targets', () => {
    expect(gist(planLoadBalancerGone(seen))).toMatchObject({ steps: [deletion] })
  })

  test('where the service has no such operation it waits for a person', () => {
    const plan = planLoadBalancerGone({ ...seen, changeable: false })
    expect(gist(plan)).toMatchObject({ steps: [], pending: 'Unsupported' })
    expect(plan.pending?.message).toContain('spec.lifecycle.onDelete: Retain')
  })
})
