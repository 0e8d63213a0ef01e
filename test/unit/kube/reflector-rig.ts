/** A reflector against scripted answers, over real HTTP and on a clock that the test moves. */
import type { ServerResponse } from 'node:http'
import { afterEach } from 'vitest'
import type { Resource } from '../../../src/api/object.ts'
import { createKubeClient } from '../../../src/kube/requests.ts'
import { createInterruptions } from '../../../src/kube/interruptions.ts'
import { startReflector, type Reflector } from '../../../src/kube/reflector.ts'
import { Store, type Change } from '../../../src/kube/store.ts'
import { createKubeTransport } from '../../../src/kube/transport.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { credentialsFor, failure, json, startFakeServer, until, type Call } from './fake-server.ts'

export type Thing = Resource<{ readonly n?: number }, unknown>

export const TYPE = { group: 'example.com', version: 'v1', plural: 'things', kind: 'Thing' }

export function thing(name: string, resourceVersion: number, more: { uid?: string; n?: number } = {}) {
  const { uid = `uid-${name}`, n } = more
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, namespace: 'ns', uid, resourceVersion: String(resourceVersion), managedFields: [{}] },
    spec: n === undefined ? {} : { n },
  }
}

export const listOf = (resourceVersion: number, items: readonly unknown[], next?: string) => ({
  kind: 'ThingList',
  metadata: { resourceVersion: String(resourceVersion), ...(next !== undefined && { continue: next }) },
  items,
})

export const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`
export const bookmark = (resourceVersion: number) =>
  event('BOOKMARK', { kind: 'Thing', metadata: { resourceVersion: String(resourceVersion) } })

export type Answer = (response: ServerResponse, call: Call) => void
export const list =
  (...args: Parameters<typeof listOf>): Answer =>
  (response) =>
    json(response, 200, listOf(...args))
export const refuse =
  (status: number, body: unknown = failure(status), headers: Record<string, string> = {}): Answer =>
  (response) =>
    json(response, status, body, headers)
/** A stream that stays open after `lines`. */
export const stream =
  (...lines: readonly (string | Buffer)[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    for (const line of lines) response.write(line)
  }
export const streamThatEnds =
  (...lines: readonly string[]): Answer =>
  (response) => {
    stream(...lines)(response, {} as Call)
    response.end()
  }
export const reset: Answer = (response) => void response.socket?.destroy()

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** `lists` and `watches` are answered in turn; the last of each is repeated. */
export async function setUp(lists: readonly Answer[], watches: readonly Answer[]) {
  const clock = createManualClock()
  const at: { list: number[]; watch: number[] } = { list: [], watch: [] }
  const answers = { list: [...lists], watch: [...watches] }
  const open: ServerResponse[] = []
  const server = await startFakeServer((call, response) => {
    const what = call.query['watch'] === 'true' ? 'watch' : 'list'
    at[what].push(clock.monotonic())
    if (what === 'watch') open.push(response)
    const next = answers[what].length > 1 ? answers[what].shift() : answers[what][0]
    next?.(response, call)
  })
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const common = { credentials: credentialsFor(server.url), clock, log, metrics }
  const transport = createKubeTransport(common)
  const client = createKubeClient({ ...common, transport })
  const store = new Store<Thing>()
  const changes: Change<Thing>[] = []
  store.subscribe((change) => changes.push(change))
  const stop = new AbortController()
  const interruptions = createInterruptions(clock)
  const reflector: Reflector = startReflector({
    ...common,
    interruptions,
    client,
    transport,
    type: TYPE,
    store,
    signal: stop.signal,
  })
  cleanups.push(
    () => server.close(),
    () => client.close(),
    () => {
      stop.abort()
      return reflector.stopped
    },
  )
  const callsTo = (what: 'list' | 'watch') =>
    server.calls.filter(({ query }) => (query['watch'] === 'true') === (what === 'watch'))
  /** Moves the clock in small steps until `condition` holds. */
  const drive = async (condition: () => boolean, stepMs = 100) => {
    await until(() => {
      if (condition()) return true
      void clock.advance(stepMs)
      return false
    })
  }
  return {
    clock,
    server,
    store,
    interruptions,
    reflector,
    stop,
    metrics,
    lines,
    open,
    at,
    drive,
    lists: () => callsTo('list'),
    watches: () => callsTo('watch'),
    seen: () => changes.map(({ kind, key, object }) => `${kind} ${key} ${object.metadata.resourceVersion}`),
  }
}
