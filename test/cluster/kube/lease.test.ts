import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../../../src/loop/clock.ts'
import { startLease, type Lease, type LeaseOptions } from '../../../src/kube/lease.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { connect, connectAdmin, createNamespace, eventually, uniqueName } from './cluster.ts'

const admin = connectAdmin()
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }
const durations = { leaseMs: 3_000, renewMs: 2_000, retryMs: 100 }
let namespace = ''
const leases: Lease[] = []

beforeAll(async () => {
  namespace = await createNamespace(admin)
})
afterEach(() => leases.splice(0).forEach((lease) => lease.stop()))
afterAll(() => admin.client.close())

function contend(name: string, identity: string, more: Partial<LeaseOptions> = {}) {
  const events: string[] = []
  const lease = startLease({
    send: admin.transport.dedicated(),
    namespace,
    name,
    identity,
    durations,
    clock: systemClock,
    log: silentLog,
    onGained: () => events.push('gained'),
    onLost: (reason) => events.push(`lost: ${reason}`),
    ...more,
  })
  leases.push(lease)
  return { lease, events }
}

async function spec(name: string): Promise<Record<string, unknown>> {
  const found = await admin.client.get(LEASES, namespace, name)
  return (found?.spec ?? {}) as Record<string, unknown>
}

test('one of two holds it, and keeps it', async () => {
  const name = uniqueName('lease')
  const one = contend(name, 'one')
  await eventually(() => one.lease.held())
  const two = contend(name, 'two')
  const first = await spec(name)
  expect(first).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 3, leaseTransitions: 0 })
  // Renewed for longer than the lease lasts.
  const acquired = Date.parse(String(first['acquireTime']))
  await eventually(async () => Date.parse(String((await spec(name))['renewTime'])) > acquired + 4_000)
  expect(one.lease.held()).toBe(true)
  expect(two.lease.held()).toBe(false)
  expect(two.events).toEqual([])
  expect((await spec(name))['acquireTime']).toBe(first['acquireTime'])
})

test('release: not held in the same turn, and the other one takes it at once', async () => {
  const name = uniqueName('lease')
  const one = contend(name, 'one')
  await eventually(() => one.lease.held())
  const two = contend(name, 'two')
  const releasedAt = systemClock.monotonic()
  const releasing = one.lease.release()
  expect(one.lease.held()).toBe(false)
  await releasing
  await eventually(() => two.lease.held())
  expect(systemClock.monotonic() - releasedAt).toBeLessThan(1_500)
  expect(await spec(name)).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 })
  expect(one.events).toEqual(['gained'])
})

test('a holder that is silent is followed within the lease, not before', async () => {
  const name = uniqueName('lease')
  const one = contend(name, 'one')
  await eventually(() => one.lease.held())
  const two = contend(name, 'two')
  await eventually(async () => (await spec(name))['holderIdentity'] === 'one')
  one.lease.stop()
  const stoppedAt = systemClock.monotonic()
  await eventually(() => two.lease.held())
  const waitedMs = systemClock.monotonic() - stoppedAt
  expect(waitedMs).toBeGreaterThan(durations.leaseMs - durations.retryMs * 3)
  expect(waitedMs).toBeLessThan(durations.leaseMs + 2_000)
})

test('a holder whose lease was taken by another one loses it for good', async () => {
  const name = uniqueName('lease')
  const one = contend(name, 'one')
  await eventually(() => one.lease.held())
  await admin.transport.send({
    method: 'PATCH',
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`,
    contentType: 'application/merge-patch+json',
    body: { spec: { holderIdentity: 'usurper' } },
    verb: 'patch',
    resource: 'leases',
  })
  await eventually(() => one.events.length === 2)
  expect(one.events).toEqual(['gained', 'lost: usurper holds it'])
  expect(one.lease.held()).toBe(false)
  expect((await spec(name))['holderIdentity']).toBe('usurper')
})

test('five that start together: exactly one holds at any time, through every hand-over', async () => {
  const name = uniqueName('lease')
  const all = ['a', 'b', 'c', 'd', 'e'].map((identity) => contend(name, identity))
  const holders = () => all.filter(({ lease }) => lease.held())
  for (let left = all.length; left > 0; left -= 1) {
    await eventually(() => {
      expect(holders().length).toBeLessThanOrEqual(1)
      return holders().length === 1
    })
    await holders()[0]?.lease.release()
  }
  expect(all.map(({ events }) => events)).toEqual(all.map(() => ['gained']))
  expect((await spec(name))['holderIdentity']).toBe('')
})

test('without the right to it nothing is gained and nothing ends', async () => {
  const tenant = connect(inject('controlPlane').tenantKubeconfig)
  const one = contend(uniqueName('lease'), 'one', {
    send: tenant.transport.dedicated(),
    metrics: tenant.metrics,
  })
  await eventually(async () => {
    const text = await tenant.metrics.text()
    return /kube_requests_total\{verb="get",resource="leases",outcome="forbidden"\} ([3-9]|\d\d)/.test(text)
  })
  expect(one.events).toEqual([])
  expect(one.lease.held()).toBe(false)
  await one.lease.release()
  await tenant.client.close()
})
