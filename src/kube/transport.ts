/** HTTP to the API server. The only file here that imports undici; it repeats nothing except after a 401. */
import { Client, Pool, ProxyAgent, type Dispatcher } from 'undici'
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { KubeAccess } from './access.ts'
import { classifyAnswer, classifyFailure, parseJson } from './classify.ts'
import type { KubeCredentials } from './credentials.ts'
import { isKubeError, KubeError } from './errors.ts'
import { timeLimit } from './time-limit.ts'

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute path below the server's base URL, already encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly contentType?: string
  /** For metrics and messages. */
  readonly verb: string
  readonly resource: string
  /** Default 30 s. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Sends one request and returns the parsed body of a 2xx answer; every failure is a KubeError. */
export type SendKube = (request: KubeRequest) => Promise<unknown>

export interface WatchRequest {
  readonly path: string
  readonly query: NonNullable<KubeRequest['query']>
  readonly resource: string
  /** Ends the stream, also before its answer is in. */
  readonly signal: AbortSignal
}

export interface KubeTransport {
  /** Over the shared pool of 16 connections. */
  readonly send: SendKube
  /** A sender with one connection of its own, for the lease: never behind anybody else's requests. */
  dedicated(): SendKube
  /** Opens a stream on a connection of its own; rejects with a KubeError unless the answer is a 200. Must be iterated. */
  watch(request: WatchRequest): Promise<AsyncIterable<Uint8Array>>
  close(): Promise<void>
}

export interface TransportOptions {
  readonly credentials: KubeCredentials
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
}

const REQUEST_MS = 30_000
const POOL_SIZE = 16

/** Under the 90 s after which an API server closes an idle connection. */
const KEEP_ALIVE_MS = 30_000

/** undici's own limits are off (ours run on the clock), except this: a black hole must not hold a slot of the pool. */
const CONNECT_MS = 10_000

export function createKubeTransport(o: TransportOptions): KubeTransport {
  const base = new URL(o.credentials.server)
  const prefix = base.pathname.replace(/\/+$/, '')
  const open = new Set<Connections>()

  function connections(size: number): Connections {
    const made = createConnections(base, size)
    open.add(made)
    return made
  }

  /** `use` runs once, and once more with fresh credentials when the server does not know us. */
  async function authenticated<T>(what: string, use: (access: KubeAccess) => Promise<T>): Promise<T> {
    const access = await accessNow(what)
    try {
      return await use(access)
    } catch (error) {
      if (!isKubeError(error, 'unauthorized')) throw error
      if (sameLogin(await accessNow(what), access)) await o.credentials.refresh()
      return use(await accessNow(what))
    }
  }

  async function accessNow(what: string): Promise<KubeAccess> {
    try {
      const access = await o.credentials.access()
      const secret = access.headers['authorization']?.split(' ')[1]
      if (secret !== undefined) o.log.hide(secret)
      return access
    } catch (error) {
      throw classifyFailure(what, error)
    }
  }

  /** Counts and times `use`, and turns whatever it throws into a KubeError. */
  async function observed<T>(verb: string, resource: string, use: (what: string) => Promise<T>): Promise<T> {
    const what = `${verb} ${resource}`
    const startedAt = o.clock.monotonic()
    const observe = (outcome: string) =>
      o.metrics?.kubeRequest(verb, resource, outcome, (o.clock.monotonic() - startedAt) / 1000)
    try {
      const answer = await use(what)
      observe('ok')
      return answer
    } catch (error) {
      const failure = classifyFailure(what, error)
      observe(failure.class)
      throw failure
    }
  }

  function sender(own: Connections): SendKube {
    return (request) =>
      observed(request.verb, request.resource, (what) =>
        authenticated(what, (access) => exchange(own.use(access), access, request, what)),
      )
  }

  async function exchange(
    dispatcher: Dispatcher,
    access: KubeAccess,
    request: KubeRequest,
    what: string,
  ): Promise<unknown> {
    const limit = timeLimit(o.clock, request.timeoutMs ?? REQUEST_MS, request.signal)
    try {
      const answer = await dispatcher.request({
        ...target(request.path, request.query),
        method: request.method,
        headers: headers(access, request.contentType ?? 'application/json'),
        signal: limit.signal,
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      })
      return readAnswer(what, answer.statusCode, await answer.body.text(), answer.headers['retry-after'])
    } catch (error) {
      throw classifyFailure(what, limit.expired() ? new Error('no answer within the time limit') : error)
    } finally {
      limit.end()
    }
  }

  function target(
    path: string,
    query: KubeRequest['query'],
  ): { readonly origin: string; readonly path: string } {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) search.set(name, String(value))
    }
    return {
      origin: base.origin,
      path: search.size === 0 ? prefix + path : `${prefix}${path}?${search.toString()}`,
    }
  }

  async function openStream(
    request: WatchRequest,
    access: KubeAccess,
    what: string,
  ): Promise<AsyncIterable<Uint8Array>> {
    const client = connect(base, access, 1)
    try {
      const answer = await client.request({
        ...target(request.path, request.query),
        method: 'GET',
        headers: headers(access, undefined),
        signal: request.signal,
      })
      if (answer.statusCode !== 200) {
        throw classifyAnswer(
          what,
          answer.statusCode,
          await answer.body.text(),
          first(answer.headers['retry-after']),
        )
      }
      return stream(what, client, answer.body)
    } catch (error) {
      await client.destroy()
      throw classifyFailure(what, error)
    }
  }

  const pool = connections(POOL_SIZE)
  return {
    send: sender(pool),
    dedicated: () => sender(connections(1)),
    watch: (request) =>
      observed('watch', request.resource, (what) =>
        authenticated(what, (access) => openStream(request, access, what)),
      ),
    close: async () => {
      await Promise.all([...open].map((each) => each.close()))
    },
  }
}

/** The body of a 2xx as JSON; anything else is thrown. */
function readAnswer(
  what: string,
  status: number,
  text: string,
  retryAfter: string | string[] | undefined,
): unknown {
  if (status < 200 || status > 299) throw classifyAnswer(what, status, text, first(retryAfter))
  const body = parseJson(text)
  if (body === undefined)
    throw new KubeError('unclear', `${what}: ${status} with a body that is no JSON`, { status })
  return body
}

async function* stream(
  what: string,
  client: Dispatcher,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw classifyFailure(what, error)
  } finally {
    await client.destroy()
  }
}

function headers(access: KubeAccess, contentType: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': 'cloud-operator',
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...access.headers,
  }
}

/** Whether it is still the login that was refused: many requests are refused at once, one refreshes. */
function sameLogin(a: KubeAccess, b: KubeAccess): boolean {
  return a.generation === b.generation && a.headers['authorization'] === b.headers['authorization']
}

interface Connections {
  use(access: KubeAccess): Dispatcher
  close(): Promise<void>
}

/** Connections that are made anew, the old ones left to finish, when the access says that they must be. */
function createConnections(base: URL, size: number): Connections {
  let current: { readonly generation: number; readonly dispatcher: Dispatcher } | undefined
  return {
    use: (access) => {
      if (current?.generation !== access.generation) {
        void current?.dispatcher.close()
        current = { generation: access.generation, dispatcher: connect(base, access, size) }
      }
      return current.dispatcher
    },
    close: async () => {
      await current?.dispatcher.destroy()
    },
  }
}

function connect(base: URL, access: KubeAccess, size: number): Dispatcher {
  const common = {
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: CONNECT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  // Said outright: left open, the environment (NODE_TLS_REJECT_UNAUTHORIZED) would decide.
  const verified = { rejectUnauthorized: true }
  const tls = { ...verified, ...access.tls, timeout: CONNECT_MS, allowH2: false }
  if (access.proxyUrl !== undefined) {
    const proxied = { uri: access.proxyUrl, proxyTls: verified, requestTls: tls }
    return new ProxyAgent({ ...common, ...proxied, connections: size })
  }
  if (size === 1) return new Client(base.origin, { ...common, connect: tls })
  return new Pool(base.origin, { ...common, connect: tls, connections: size })
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
