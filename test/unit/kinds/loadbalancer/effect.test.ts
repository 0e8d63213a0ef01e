import { describe, expect, test } from 'vitest'
import { type WantedLoadBalancer } from '../../../../src/kinds/loadbalancer/plan.ts'
import {
  loadBalancerEffect,
  loadBalancerFacts,
  type LoadBalancerStep,
} from '../../../../src/kinds/loadbalancer/steps.ts'
import { mayBeMade } from '../../../../src/kinds/loadbalancer/made.ts'
import { loadBalancerKind } from '../../../../src/kinds/loadbalancer/kind.ts'
import type { SeenLoadBalancer } from '../../../../src/kinds/loadbalancer/seen.ts'
import { a, b, create, http, https, remembering, seen, want } from './cases.ts'

function operationOf(step: LoadBalancerStep) {
  const { details = {} } = loadBalancerFacts(step)
  return { id: 'op', verb: step.do, issuedAt: '', details: { ...details } }
}

const twice = [{ uuid: a.id }, { uuid: b.id }, { uuid: b.id }]

test.each<[string, LoadBalancerStep, Partial<SeenLoadBalancer>, boolean]>([
  ['an added target shows once it is listed', { do: 'addTarget', ...b }, { targets: twice }, true],
  ['an added target does not show before', { do: 'addTarget', ...b }, {}, false],
  ['a removed target shows once it is not listed', { do: 'removeTarget', id: b.id, count: 1 }, {}, true],
  ['a removed target does not show while it is', { do: 'removeTarget', id: a.id, count: 1 }, {}, false],
  [
    'a target listed twice shows its removal once it is listed less often',
    { do: 'removeTarget', id: b.id, count: 2 },
    { targets: [{ uuid: b.id }] },
    true,
  ],
  [
    'a row without targets shows nothing of a removal',
    { do: 'removeTarget', id: b.id, count: 1 },
    { targets: undefined as never },
    false,
  ],
  ['an added rule shows once both ports are there', { do: 'addRule', ...http }, {}, true],
  [
    'an added rule does not show while the port forwards elsewhere',
    { do: 'addRule', sourcePort: 80, targetPort: 9090 },
    {},
    false,
  ],
  [
    'a removed rule shows once its id is gone, whatever has its port now',
    { do: 'removeRule', id: 'r0', sourcePort: 80 },
    {},
    true,
  ],
  [
    'a removed rule does not show while its id is there',
    { do: 'removeRule', id: 'r1', sourcePort: 80 },
    {},
    false,
  ],
])('%s', (_says, step, shown, visible) => {
  expect(loadBalancerEffect(operationOf(step), { ...seen, ...shown })).toBe(visible)
})

test('what could be done twice has an intent; a call that names machines holds their locks', () => {
  const factsOf = (step: LoadBalancerStep) => {
    const { nature, locks } = loadBalancerFacts(step)
    return [step.do, nature, locks]
  }
  expect(factsOf(create)).toEqual(['create', 'create', [a.id]])
  expect(factsOf({ do: 'addTarget', ...b })).toEqual(['addTarget', 'move', [b.id]])
  expect(factsOf({ do: 'removeTarget', id: b.id, count: 1 })).toEqual(['removeTarget', 'move', [b.id]])
  expect(factsOf({ do: 'addRule', ...http })).toEqual(['addRule', 'move', undefined])
  expect(factsOf({ do: 'removeRule', id: 'r1', sourcePort: 80 })).toEqual(['removeRule', 'move', undefined])
  expect(factsOf({ do: 'rename', name: 'x' })).toEqual(['rename', 'set', undefined])
  expect(factsOf({ do: 'setBillingAccount', billingAccount: 1 })).toEqual([
    'setBillingAccount',
    'set',
    undefined,
  ])
  expect(factsOf({ do: 'delete' })).toEqual(['delete', 'destroy', undefined])
})

describe('whether a row may be the result of a create', () => {
  const made = operationOf(create)
  const rows: readonly [string, Partial<WantedLoadBalancer>, Partial<SeenLoadBalancer>, boolean][] = [
    ['equal in every field that was sent', {}, {}, true],
    ['also when the wish was edited meanwhile', { rules: [http], chargedTo: 8 }, {}, true],
    ['in another network it is not', {}, { networkID: 'another' }, false],
    ['charged to another account it is not', {}, { billingAccount: 8 }, false],
    ['with other rules it is not', {}, { rules: [http] }, false],
    ['the order of rules means nothing', {}, { rules: [https, http] }, true],
    ['with a target that was not sent it is not', {}, { targets: [{ uuid: b.id }] }, false],
    ['a target may have been deleted since', {}, { targets: [] }, true],
    [
      'fields that are not shown are not different',
      {},
      { networkID: undefined as never, rules: undefined as never },
      true,
    ],
  ]
  test.each(rows)('%s', (_says, wanted, shown, may) => {
    expect(mayBeMade({ ...want, ...wanted }, { ...seen, ...shown }, made)).toBe(may)
  })

  test('without details the wish stands for what was sent', () => {
    expect(mayBeMade(want, seen, undefined)).toBe(true)
    expect(mayBeMade({ ...want, rules: [http] }, seen, undefined)).toBe(false)
  })

  test('what is too long for the intent is left out of it, and not compared', () => {
    const rules = Array.from({ length: 64 }, (_, index) => ({
      sourcePort: 20_000 + index,
      targetPort: 10_000,
    }))
    const targetIDs = Array.from({ length: 128 }, (_, index) => `00000000-0000-4000-8000-${index}`)
    const { details = {} } = loadBalancerFacts({ ...create, rules, targetIDs })
    expect(Object.keys(details)).toEqual(['name', 'billingAccount', 'network'])
    expect(mayBeMade(want, seen, operationOf({ ...create, rules, targetIDs }))).toBe(true)
  })
})

describe('the status', () => {
  test('names targets of ours, keeps names it knew, and does not follow the order of the list', () => {
    const shown: SeenLoadBalancer = {
      ...seen,
      privateAddress: '10.0.0.9',
      rules: [{ uuid: 'r2', ...https }, { ...http }],
      targets: [{ uuid: 'vm-x' }, { uuid: b.id, address: '10.0.0.5' }, { uuid: a.id }, { uuid: b.id }],
    }
    const memory = remembering({ targets: [{ id: b.id, name: 'b' }] })
    expect(loadBalancerKind.report(shown, memory, want)).toEqual({
      privateAddress: '10.0.0.9',
      rules: [{ ...http }, { id: 'r2', ...https }],
      targets: [{ id: a.id, name: 'a' }, { id: b.id, name: 'b', address: '10.0.0.5' }, { id: 'vm-x' }],
      targetCount: 3,
    })
  })

  test('leaves out what a row does not show', () => {
    expect(loadBalancerKind.report({ id: 'lb', changeable: true }, remembering(), want)).toEqual({})
  })
})

test.each([
  ['without an address it is made again when somebody deleted it', {}, {}, true],
  ['with a recorded address it is not', {}, { reservedIP: { id: '4', address: '203.0.113.4' } }, false],
  ['with an address that may exist unrecorded it is not', { publicIP: 'Reserve' as const }, {}, false],
])('%s', (_says, spec, status, remade) => {
  const metadata = {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  }
  const object = {
    apiVersion: '',
    kind: 'CloudLoadBalancer',
    metadata,
    spec: { ...spec, rules: [http] },
    status,
  }
  expect(loadBalancerKind.remakes(object)).toBe(remade)
})
