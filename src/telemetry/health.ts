/** /healthz, /readyz and /metrics over HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../loop/clock.ts'
import { watchEventLoopDelay } from './eventloop.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Undefined when fine, else one line saying why not; must be quick and synchronous. */
export type Check = () => string | undefined

export interface HealthOptions {
  /** 0 takes a free port. */
  readonly port: number
  /** Absent or equal to `port`: /metrics is served beside the checks. */
  readonly metricsPort?: number
  /** Default: all interfaces. */
  readonly host?: string
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

export interface Health {
  readonly port: number
  readonly metricsPort: number
  /** Adds or replaces a named readiness check; returns the function that removes it. */
  ready(name: string, check: Check): () => void
  /** Adds or replaces a named liveness check. */
  live(name: string, check: Check): () => void
  close(): Promise<void>
}

/** A loop that is this late all the time does no work any more: a restart is the better half of the choices. */
const LOOP_LATE_MS = 5_000

/** Listens; rejects when a port is taken. */
export async function startHealth(o: HealthOptions): Promise<Health> {
  const readiness = new Map<string, Check>()
  const liveness = new Map<string, Check>()
  const loop = watchEventLoopDelay(o.clock)
  o.metrics.watchEventLoop(() => loop.worstMs())
  liveness.set('event-loop', () => {
    const lateMs = Math.round(loop.typicalMs())
    return lateMs < LOOP_LATE_MS ? undefined : `the event loop is ${lateMs} ms late`
  })

  const routes: Routes = {
    '/healthz': (response) => answerChecks(response, liveness),
    '/livez': (response) => answerChecks(response, liveness),
    '/readyz': (response) => answerChecks(response, readiness),
  }
  const metricsRoutes: Routes = { '/metrics': (response) => void answerMetrics(response, o) }
  const apart = o.metricsPort !== undefined && (o.metricsPort !== o.port || o.port === 0)
  const servers: Server[] = []
  try {
    servers.push(await listen(apart ? routes : { ...routes, ...metricsRoutes }, o.port, o.host))
    if (apart) servers.push(await listen(metricsRoutes, o.metricsPort, o.host))
  } catch (error) {
    await closeAll(servers)
    loop.close()
    throw error
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  const [port = 0, metricsPort = port] = ports
  return {
    port,
    metricsPort,
    ready: (name, check) => register(readiness, name, check),
    live: (name, check) => register(liveness, name, check),
    close: async () => {
      loop.close()
      await closeAll(servers)
    },
  }
}

type Routes = Readonly<Record<string, (response: ServerResponse) => void>>

function register(checks: Map<string, Check>, name: string, check: Check): () => void {
  checks.set(name, check)
  return () => {
    if (checks.get(name) === check) checks.delete(name)
  }
}

function answerChecks(response: ServerResponse, checks: ReadonlyMap<string, Check>): void {
  const results = [...checks].map(([name, check]) => ({ name, problem: check() }))
  const failed = results.some(({ problem }) => problem !== undefined)
  const lines = results.map(({ name, problem }) =>
    problem === undefined ? `ok ${name}` : `failed ${name}: ${problem}`,
  )
  answer(
    response,
    failed ? 503 : 200,
    'text/plain; charset=utf-8',
    `${[...lines, failed ? 'failed' : 'ok'].join('\n')}\n`,
  )
}

async function answerMetrics(
  response: ServerResponse,
  o: Pick<HealthOptions, 'metrics' | 'log'>,
): Promise<void> {
  try {
    answer(response, 200, o.metrics.contentType, await o.metrics.text())
  } catch (error) {
    o.log.error({ error }, 'the metrics could not be collected')
    answer(response, 500, 'text/plain; charset=utf-8', 'the metrics could not be collected\n')
  }
}

function answer(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body)
}

function listen(routes: Routes, port: number, host: string | undefined): Promise<Server> {
  const server = createServer((request: IncomingMessage, response) => {
    request.resume()
    const route = routes[request.url?.split('?')[0] ?? '']
    if (route === undefined) answer(response, 404, 'text/plain; charset=utf-8', 'not found\n')
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(response, 405, 'text/plain', 'GET only\n')
    else route(response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host !== undefined && { host }) }, () => resolve(server))
  })
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    }),
  )
}
