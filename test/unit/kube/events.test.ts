/** The recorder when the server is away, slow, or full: over real HTTP and on a clock that the test moves. */
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Resource } from '../../../src/api/object.ts'
import { createEventRecorder } from '../../../src/kube/events.ts'
import { createKubeClient } from '../../../src/kube/requests.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { credentialsFor, failure, json, startFakeServer, until, type Call } from './fake-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function setUp(answer: (call: Call, response: ServerResponse) => void) {
  const clock = createManualClock()
  const server = await startFakeServer(answer)
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const client = createKubeClient({ credentials: credentialsFor(server.url), clock, log })
  const events = createEventRecorder({
    client,
    controller: 'c',
    instance: 'i',
    clock,
    countMs: 60_000,
    log,
    metrics,
  })
  cleanups.push(
    () => server.close(),
    () => client.close(),
    () => events.close(),
  )
  const drive = (condition: () => boolean, stepMs = 500) =>
    until(() => {
      if (condition()) return true
      void clock.advance(stepMs)
      return false
    })
  return { clock, server, events, metrics, lines, drive }
}

function object(name = 'a'): Resource<unknown, unknown> {
  const metadata = {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  }
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: {} }
}

const record = (name = 'a', note = 'made') =>
  ({ object: object(name), type: 'Normal', reason: 'Created', action: 'Create', note }) as const

const created = (_: Call, response: ServerResponse) => json(response, 201, {})

test('a count is written once a minute, with all that came in between', async () => {
  const { clock, server, events } = await setUp(created)
  events.record(record())
  await until(() => server.calls.length === 1)
  for (let n = 0; n < 59; n += 1) {
    events.record(record())
    await clock.advance(1_000)
  }
  expect(server.calls).toHaveLength(1)
  await clock.advance(1_000)
  await until(() => server.calls.length === 2)
  expect(server.calls[1]).toMatchObject({ method: 'PATCH', body: { series: { count: 60 } } })
})

test('after six quiet minutes the same record is a new Event', async () => {
  const { clock, server, events } = await setUp(created)
  events.record(record())
  await events.flush()
  await clock.advance(360_001)
  events.record(record())
  await events.flush()
  expect(server.calls.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

test('recording returns at once and a hanging server holds nobody', async () => {
  const { events, server } = await setUp(() => undefined)
  for (let n = 0; n < 100; n += 1) events.record(record(`o${n}`))
  await until(() => server.calls.length === 1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(server.calls).toHaveLength(1)
})

test('errors that pass are tried again under the same name; an answer that was lost makes no second Event', async () => {
  let tries = 0
  const { server, events, drive } = await setUp((_, response) => {
    tries += 1
    if (tries === 1) json(response, 500, failure(500))
    else if (tries === 2) response.socket?.destroy()
    else json(response, 409, failure(409, { reason: 'AlreadyExists' }))
  })
  events.record(record())
  await drive(() => tries === 3)
  await events.flush()
  const names = server.calls.map(({ body }) => (body as { metadata: { name: string } }).metadata.name)
  expect(new Set(names).size).toBe(1)
})

test('after five tries it is dropped, said once, and counted', async () => {
  const { server, events, drive, lines, metrics } = await setUp((_, response) =>
    json(response, 500, failure(500)),
  )
  events.record(record('a'))
  events.record(record('b'))
  await drive(() => server.calls.length === 10)
  await drive(() => lines.length > 0)
  expect(lines).toHaveLength(1)
  await events.flush()
  expect(await metrics.text()).toContain('events_dropped_total{reason="unclear"} 2')
})

test('what is refused is not tried again', async () => {
  const { server, events } = await setUp((_, response) => json(response, 403, failure(403)))
  events.record(record())
  await events.flush()
  expect(server.calls).toHaveLength(1)
})

test('no more than a thousand wait; the rest is counted', async () => {
  const { events, metrics, server } = await setUp(() => undefined)
  events.record(record('first'))
  await until(() => server.calls.length === 1)
  for (let n = 0; n < 1_500; n += 1) events.record(record(`o${n}`))
  expect(await metrics.text()).toContain('events_dropped_total{reason="queueFull"} 500')
})

test('after close nothing is sent', async () => {
  const { clock, events, server } = await setUp(created)
  events.record(record('a'))
  events.close()
  events.record(record('b'))
  await events.flush()
  await clock.advance(600_000)
  expect(server.calls).toHaveLength(0)
  expect(clock.pending()).toBe(0)
})
