import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CloudFloatingIP, FloatingIpSpec } from '../../../../src/api/floatingip.ts'
import { floatingIpKind } from '../../../../src/kinds/floatingip/kind.ts'
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

function wish(spec: FloatingIpSpec, states: Readonly<Record<string, LinkState>> = {}) {
  const object: CloudFloatingIP = { apiVersion, kind: 'CloudFloatingIP', metadata, spec }
  const { session, location } = service
  const link = (field: string) => states[field]
  return floatingIpKind.want(object, {
    marker,
    session,
    location,
    link,
    secret: () => undefined,
    peers: () => [],
    referrers: () => [],
  })
}

function machine(location: string, userID: number): LinkState {
  const account = { endpoint: service.session.endpoint, userID }
  const status = { id: 'vm', location, account }
  const object: CloudResource = { apiVersion, kind: 'CloudVM', metadata, spec: {}, status }
  return { state: 'ready', id: 'vm', object }
}

test('the marked name and the billing account of the account, unless the spec has its own', () => {
  const { billingAccount } = service.session
  expect(wish({})).toMatchObject({
    want: {
      name: markedName('web', marker),
      chargedTo: billingAccount,
      billingAccount: undefined,
      target: { is: 'nothing' },
    },
  })
  expect(wish({ name: 'front', billingAccount: 9 })).toMatchObject({
    want: { name: markedName('front', marker), chargedTo: 9, billingAccount: 9 },
  })
})

test('an adopted address keeps its name unless the spec gives one', () => {
  const adopt = { id: '203.0.113.7' }
  expect(wish({ adopt })).toMatchObject({ want: { name: undefined } })
  expect(wish({ adopt, name: 'front' })).toMatchObject({ want: { name: markedName('front', marker) } })
})

test('the target is what the reference leads to; one that is being deleted counts as absent', () => {
  const { location, session } = service
  const states = (state: LinkState) => ({ 'spec.vmRef': state })
  const vmRef = { name: 'web' }
  expect(wish({ vmRef }, states(machine(location, session.userID)))).toMatchObject({
    want: { target: { is: 'ready', kind: 'CloudVM', name: 'web', id: 'vm' } },
  })
  expect(wish({ vmRef }, states({ state: 'waiting', message: 'not yet' }))).toMatchObject({
    want: { target: { is: 'waiting', message: 'not yet' } },
  })
  expect(wish({ vmRef }, states({ state: 'leaving', object: {} as CloudResource }))).toMatchObject({
    want: { target: { is: 'nothing' } },
  })
})

test('a target in another location or of another user is an invalid reference', () => {
  const { location, session } = service
  const vmRef = { name: 'web' }
  const invalid = { is: 'blocked', block: { reason: 'ReferenceInvalid' } }
  expect(wish({ vmRef }, { 'spec.vmRef': machine('elsewhere', session.userID) })).toMatchObject(invalid)
  expect(wish({ vmRef }, { 'spec.vmRef': machine(location, session.userID + 1) })).toMatchObject(invalid)
})

test('an observed address without a reference is not compared', () => {
  const observed: FloatingIpSpec = { lifecycle: { management: 'ObserveOnly' } }
  expect(wish(observed)).toMatchObject({ want: { target: { is: 'unmanaged' }, observes: true } })
})

test('without operations on load balancers there is no assigning to them', () => {
  expect(wish({})).toMatchObject({ want: { assignsLoadBalancers: true } })
  service.session.capabilities.loadBalancerOperations = false
  expect(wish({})).toMatchObject({ want: { assignsLoadBalancers: false } })
})

test('both references are links that wake it', () => {
  const linksOf = (spec: FloatingIpSpec) =>
    floatingIpKind
      .links({ apiVersion, kind: 'CloudFloatingIP', metadata, spec })
      .map(({ field, kind }) => [field, kind])
  expect(linksOf({})).toEqual([])
  expect(linksOf({ vmRef: { name: 'a' } })).toEqual([['spec.vmRef', 'CloudVM']])
  expect(linksOf({ loadBalancerRef: { name: 'a' } })).toEqual([['spec.loadBalancerRef', 'CloudLoadBalancer']])
})
