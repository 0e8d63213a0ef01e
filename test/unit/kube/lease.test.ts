/** The clock's tricks on a holder: what a real API server cannot show. */
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { startLease } from '../../../src/kube/lease.ts'
import { createKubeTransport } from '../../../src/kube/transport.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { credentialsFor, failure, json, startFakeServer, until, type Call } from './fake-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const idOf = ({ body }: Call) => ({ ...(body as { metadata: object }).metadata, resourceVersion: '9' })
const specOf = ({ body }: Call) => (body as { spec: object }).spec

/** A lease in memory with the server's compare-and-swap. `gate` may answer instead. */
async function setUp(gate: (call: Call, response: ServerResponse) => boolean = () => false) {
  const clock = createManualClock()
  let version = 1
  let lease: { metadata: Record<string, unknown>; spec: Record<string, unknown> } | undefined
  const server = await startFakeServer((call, response) => {
    if (gate(call, response)) return
    const sent = call.body as typeof lease
    if (call.method === 'GET') {
      if (lease === undefined)
        json(response, 404, failure(404, { reason: 'NotFound', details: { name: 'op' } }))
      else json(response, 200, lease)
      return
    }
    const stale =
      call.method === 'PUT' && sent?.metadata['resourceVersion'] !== lease?.metadata['resourceVersion']
    if (stale || (call.method === 'POST' && lease !== undefined)) {
      json(response, 409, failure(409, { reason: 'Conflict' }))
      return
    }
    version += 1
    lease = {
      metadata: { ...sent?.metadata, uid: 'u', resourceVersion: String(version) },
      spec: sent?.spec ?? {},
    }
    json(response, 200, lease)
  })
  const transport = createKubeTransport({ credentials: credentialsFor(server.url), clock, log: silentLog })
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  )
  const contend = (identity: string, own = clock) => {
    const events: string[] = []
    const held = startLease({
      send: transport.dedicated(),
      namespace: 'ns',
      name: 'op',
      identity,
      clock: own,
      log: silentLog,
      onGained: () => events.push('gained'),
      onLost: (reason) => events.push(reason),
    })
    cleanups.push(() => held.stop())
    return { lease: held, events }
  }
  const drive = (condition: () => boolean, stepMs = 100) =>
    until(() => {
      if (condition()) return true
      void clock.advance(stepMs)
      return false
    })
  return { clock, server, contend, drive, spec: () => lease?.spec }
}

describe('the holder', () => {
  test('renews every 2 s with a lease of 15 s', async () => {
    const { clock, server, contend, spec } = await setUp()
    const { lease } = contend('one')
    await until(() => lease.held())
    expect(spec()).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 15 })
    const puts = () => server.calls.filter(({ method }) => method === 'PUT').length
    for (let n = 1; n <= 5; n += 1) {
      await clock.advance(2_000)
      await until(() => puts() === n)
      // One request each: the record is its own, so it need not be read.
      expect(server.calls.filter(({ method }) => method === 'GET')).toHaveLength(1)
    }
    expect(lease.held()).toBe(true)
  })

  test('does not hold any more the moment the machine wakes from a long sleep, until it has renewed', async () => {
    const { clock, contend, drive } = await setUp()
    const { lease, events } = contend('one')
    await until(() => lease.held())
    clock.jumpWall(9_999)
    expect(lease.held()).toBe(true)
    clock.jumpWall(2)
    expect(lease.held()).toBe(false)
    // Nobody has taken it meanwhile: the compare-and-swap proves it.
    await drive(() => lease.held())
    expect(events).toEqual(['gained'])
  })

  test('has lost it when another one took it during the sleep', async () => {
    const { clock, contend, drive } = await setUp()
    const one = contend('one')
    await until(() => one.lease.held())
    const awake = createManualClock()
    const two = contend('two', awake)
    await until(() => {
      void awake.advance(100)
      return two.lease.held()
    })
    clock.jumpWall(20_000)
    expect(one.lease.held()).toBe(false)
    await drive(() => one.events.length === 2)
    expect(one.events).toEqual(['gained', 'it was not renewed for 10 s'])
    expect(two.lease.held()).toBe(true)
  })

  test('a wall clock that is set back does not make it hold longer', async () => {
    let away = false
    const { clock, contend } = await setUp((_, response) => {
      if (away) json(response, 503, failure(503))
      return away
    })
    const { lease, events } = contend('one')
    await until(() => lease.held())
    away = true
    clock.jumpWall(-3_600_000)
    await clock.advance(9_900)
    expect(lease.held()).toBe(true)
    await clock.advance(100)
    expect(lease.held()).toBe(false)
    expect(events).toEqual(['gained', 'it was not renewed for 10 s'])
  })

  test('loses on time although an attempt hangs, and a late answer brings nothing back', async () => {
    const hanging: ServerResponse[] = []
    let hang = false
    const { clock, contend } = await setUp((_, response) => {
      if (hang) hanging.push(response)
      return hang
    })
    const { lease, events } = contend('one')
    await until(() => lease.held())
    hang = true
    await clock.advance(2_000)
    await until(() => hanging.length === 1)
    await clock.advance(4_900)
    await clock.advance(3_100)
    expect(events).toEqual(['gained', 'it was not renewed for 10 s'])
    hanging.forEach((response) => json(response, 200, {}))
    await clock.advance(60_000)
    expect(lease.held()).toBe(false)
    expect(events).toHaveLength(2)
  })

  test('holds from when the renewal was sent, not from when the answer came', async () => {
    const late: (() => void)[] = []
    let mode: 'answer' | 'late' | 'away' = 'answer'
    const { clock, contend } = await setUp((call, response) => {
      if (mode === 'away') json(response, 503, failure(503))
      else if (mode === 'late')
        late.push(() => json(response, 200, { metadata: { ...idOf(call) }, spec: specOf(call) }))
      return mode !== 'answer'
    })
    const { lease, events } = contend('one')
    await until(() => lease.held())
    mode = 'late'
    await clock.advance(2_000)
    await until(() => late.length === 1)
    await clock.advance(4_000)
    mode = 'away'
    late[0]?.()
    // Renewed at 2 s, answered at 6 s: lost at 12 s.
    await clock.advance(5_900)
    expect({ held: lease.held(), events }).toEqual({ held: true, events: ['gained'] })
    await clock.advance(200)
    expect({ held: lease.held(), events }).toEqual({
      held: false,
      events: ['gained', 'it was not renewed for 10 s'],
    })
  })

  test('an answer that was lost is found again by reading', async () => {
    let lose = 0
    const { clock, contend, drive, server } = await setUp((call, response) => {
      if (call.method !== 'PUT' || lose === 0) return false
      lose -= 1
      response.socket?.destroy()
      return true
    })
    const { lease, events } = contend('one')
    await until(() => lease.held())
    lose = 2
    await drive(() => server.calls.filter(({ method }) => method === 'PUT').length >= 5)
    expect(lease.held()).toBe(true)
    expect(events).toEqual(['gained'])
    expect(clock.pending()).toBeGreaterThan(0)
  })
})

describe('who waits', () => {
  test('counts by its own clock, never by what the holder wrote', async () => {
    const { clock, contend, drive } = await setUp()
    const one = contend('one')
    await until(() => one.lease.held())
    // The other machine is an hour ahead: what was written looks long past.
    clock.jumpWall(3_600_000)
    one.lease.stop()
    const startedAt = clock.monotonic()
    const two = contend('two')
    await drive(() => two.lease.held())
    const waitedMs = clock.monotonic() - startedAt
    expect(waitedMs).toBeGreaterThanOrEqual(15_000)
    expect(waitedMs).toBeLessThanOrEqual(18_000)
  })

  test('starts to count again whenever the holder renews', async () => {
    const { clock, contend, drive } = await setUp()
    const one = contend('one')
    await until(() => one.lease.held())
    const two = contend('two')
    const until60 = clock.monotonic() + 60_000
    await drive(() => clock.monotonic() >= until60)
    expect(one.lease.held()).toBe(true)
    expect(two.events).toEqual([])
  })
})

test('release during a renewal: the lease is free afterwards, whichever came first', async () => {
  let delay = false
  const late: (() => void)[] = []
  const { clock, contend, spec } = await setUp((call, response) => {
    if (!delay || call.method !== 'PUT') return false
    late.push(() => response.socket?.destroy())
    delay = false
    return true
  })
  const { lease, events } = contend('one')
  await until(() => lease.held())
  delay = true
  await clock.advance(2_000)
  await until(() => late.length === 1)
  await lease.release()
  expect(spec()?.['holderIdentity']).toBe('')
  expect(events).toEqual(['gained'])
  expect(clock.pending()).toBe(0)
})
