import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CloudLoadBalancer, LoadBalancerSpec } from '../../../../src/api/loadbalancer.ts'
import { loadBalancerKind } from '../../../../src/kinds/loadbalancer/kind.ts'
import type { CloudResource, LinkState } from '../../../../src/reconcile/kind.ts'
import { markedName } from '../../../../src/reconcile/marker.ts'
import { marker, startService, type Service } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService('documented')
})
afterAll(() => service.stop())

const metadata = {
  name: 'web',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
}
const apiVersion = 'cloud-operator.dev/v1alpha1'
const rules = [{ sourcePort: 80, targetPort: 8080 }]

function objectOf(spec: LoadBalancerSpec): CloudLoadBalancer {
  return { apiVersion, kind: 'CloudLoadBalancer', metadata, spec }
}

function wish(spec: LoadBalancerSpec, states: Readonly<Record<string, LinkState>> = {}) {
  const { session, location } = service
  const link = (field: string) => states[field]
  const none = () => []
  const facts = { marker, session, location, link, secret: () => undefined, peers: none, referrers: none }
  return loadBalancerKind.want(objectOf(spec), facts)
}

function ready(id: string, userID = service.session.userID): LinkState {
  const account = { endpoint: service.session.endpoint, userID }
  const object: CloudResource = { apiVersion, kind: 'CloudVM', metadata, spec: {}, status: { id, account } }
  return { state: 'ready', id, object }
}

test('the marked name, the billing account of the account, the default network and no address', () => {
  expect(wish({ rules })).toEqual({
    is: 'ready',
    want: {
      name: markedName('web', marker),
      chargedTo: service.session.billingAccount,
      billingAccount: undefined,
      network: { is: 'default' },
      reserveAddress: false,
      rules,
      targets: undefined,
      growsLater: false,
    },
  })
  expect(wish({ rules, publicIP: 'Reserve' })).toMatchObject({ want: { reserveAddress: true } })
})

test('an adopted one keeps its name unless the spec gives one, and what the spec leaves out is not managed', () => {
  const adopt = { id: 'lb' }
  expect(wish({ adopt })).toMatchObject({ want: { name: undefined, rules: undefined, targets: undefined } })
  expect(wish({ adopt, name: 'a' })).toMatchObject({ want: { name: markedName('a', marker) } })
})

test('targets are the machines that exist; those to come are waited for, those that leave are dropped', () => {
  const targets = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  const states = {
    'spec.targets[a]': ready('vm-a'),
    'spec.targets[b]': { state: 'waiting', message: 'not yet' },
    'spec.targets[c]': { state: 'leaving', object: {} as CloudResource },
  } as const
  expect(wish({ rules, targets }, states)).toMatchObject({
    want: { targets: { ready: [{ name: 'a', id: 'vm-a' }], waiting: [{ name: 'b', message: 'not yet' }] } },
  })
})

test('a network that does not exist yet, or leaves, is waited for', () => {
  const networkRef = { name: 'back' }
  const network = (state: LinkState) => wish({ rules, networkRef }, { 'spec.networkRef': state })
  expect(network(ready('net'))).toMatchObject({ want: { network: { is: 'ready', id: 'net' } } })
  expect(network({ state: 'waiting', message: 'not yet' })).toMatchObject({
    want: { network: { is: 'waiting' } },
  })
  expect(network({ state: 'leaving', object: {} as CloudResource })).toMatchObject({
    want: { network: { is: 'waiting' } },
  })
})

test('a target of another user is an invalid reference', () => {
  const states = { 'spec.targets[a]': ready('vm-a', service.session.userID + 1) }
  expect(wish({ rules, targets: [{ name: 'a' }] }, states)).toMatchObject({
    is: 'blocked',
    block: { reason: 'ReferenceInvalid' },
  })
})

test('targets may come later only where adding them is known to work', () => {
  const { capabilities } = service.session
  expect(wish({ rules })).toMatchObject({ want: { growsLater: false } })
  capabilities.loadBalancerOperations = true
  expect(wish({ rules })).toMatchObject({ want: { growsLater: true } })
})

test('the network is needed for creating only, targets always', () => {
  const links = loadBalancerKind.links(
    objectOf({ rules, networkRef: { name: 'back' }, targets: [{ name: 'a' }] }),
  )
  expect(links.map(({ field, kind, needed }) => [field, kind, needed])).toEqual([
    ['spec.networkRef', 'CloudNetwork', 'create'],
    ['spec.targets[a]', 'CloudVM', 'always'],
  ])
})
