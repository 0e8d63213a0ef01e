/** The client of one service address under one API key. */
import pRetry from 'p-retry'
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { createAttempt } from './attempt.ts'
import type { ObservedCall } from './attempt.ts'
import { createBudget } from './budget.ts'
import type { Limits } from './budget.ts'
import { CloudError } from './errors.ts'
import type { CloudRequest, ReadOptions, Send, TimeLimits } from './request.ts'
import { createTransport } from './transport.ts'
import { TransportFailure } from './wire.ts'
import type { Transport } from './wire.ts'

export type { Send } from './request.ts'

export interface CloudClient {
  readonly endpoint: string
  /** Whether this is the key that the client itself goes by. */
  isOwnKey(value: string): boolean
  /** An idempotent read: repeated at most twice, only where that can help. Rejects with a CloudError. */
  read<T>(request: CloudRequest<T>, options?: ReadOptions): Promise<T>
  /** A mutation: leaves at most once, never repeated. Rejects with a CloudError. */
  change<T>(request: CloudRequest<T>, send: Send): Promise<T>
  /** Calls that wait are rejected as not sent; those in flight are let finish. */
  close(): Promise<void>
}

export interface CloudClientOptions {
  /** As `checkEndpoint` gave it. */
  readonly endpoint: string
  readonly apiKey: string
  readonly clock: Clock
  readonly limits: Limits
  readonly timeLimits?: Partial<TimeLimits>
  /** Half of it is the time limit of calls that block for long. */
  readonly settleMs: number
  readonly observeCall?: (call: ObservedCall) => void
  readonly say?: Log
  /** Absent: HTTP to the endpoint. For rigs that run everything in one process. */
  readonly transport?: Transport
}

/** Makes the client; nothing is sent until the first call. */
export function createCloudClient(options: CloudClientOptions): CloudClient {
  const { endpoint, clock, limits, observeCall, say } = options
  // A key read from a file often ends with a line break.
  const apiKey = options.apiKey.trim()
  const limitsMs: TimeLimits = {
    connectMs: 10_000,
    readMs: 60_000,
    changeMs: 120_000,
    slowMs: options.settleMs / 2,
    ...options.timeLimits,
  }
  const transport =
    options.transport ??
    createTransport({ endpoint, clock, connectMs: limitsMs.connectMs, connections: limits.maxInFlight })
  const budget = createBudget(clock, limits)
  const attempt = createAttempt({ apiKey, clock, transport, budget, observeCall, say })
  const running = new Set<Promise<unknown>>()

  function tracked<T>(call: Promise<T>): Promise<T> {
    const ended = call.catch(() => undefined).finally(() => running.delete(ended))
    running.add(ended)
    return call
  }

  return {
    endpoint,
    isOwnKey: (value) => value === apiKey,
    read: (request, { lane = 'poll', onDispatch } = {}) => {
      const dispatch = { lane, limitMs: limitsMs.readMs, onDispatch }
      return tracked(repeated(clock, () => attempt(request, dispatch)))
    },
    change: (request, send) => {
      const slow = request.slow === true
      const lane = send.lane ?? (slow ? 'slow' : 'change')
      return tracked(attempt(request, { lane, limitMs: slow ? limitsMs.slowMs : limitsMs.changeMs, send }))
    },
    close: async () => {
      budget.close()
      await Promise.all(running)
      await transport.close()
    },
  }
}

const repeats = 2
const firstRepeatMs = 250

/** For reads only. p-retry's own timers stay unused: the wait is on our clock. */
function repeated<T>(clock: Clock, attempt: () => Promise<T>): Promise<T> {
  return pRetry(attempt, {
    retries: repeats,
    minTimeout: 0,
    shouldRetry: ({ error }) => maySucceedNextTime(error),
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      if (retriesLeft === 0 || !maySucceedNextTime(error)) return
      await clock.sleep(firstRepeatMs * 2 ** (attemptNumber - 1) * (0.5 + clock.random()))
    },
  })
}

/** A connection that failed or broke off, or a 5xx. Never after a time limit: the next try would take as long. */
function maySucceedNextTime(error: unknown): boolean {
  if (!(error instanceof CloudError)) return false
  if (error.cause instanceof TransportFailure) {
    return error.cause.kind === 'connect' || error.cause.kind === 'connection'
  }
  return error.class === 'unclear' && error.status !== undefined && error.status >= 400
}

export type CheckedEndpoint =
  { readonly ok: true; readonly endpoint: string } | { readonly ok: false; readonly message: string }

/** The normalised origin, when it is https (or loopback) and on the operator's allow-list. */
export function checkEndpoint(endpoint: string, allowed: readonly string[]): CheckedEndpoint {
  const origin = originOf(endpoint)
  if (origin === undefined) {
    return { ok: false, message: `endpoint must be a scheme and a host, like https://api.example.com` }
  }
  if (origin.protocol !== 'https:' && !isLoopback(origin.hostname)) {
    return {
      ok: false,
      message: `endpoint ${origin.origin} must use https: the API key would travel in the clear`,
    }
  }
  if (!allowed.some((entry) => originOf(entry)?.origin === origin.origin)) {
    return {
      ok: false,
      message: `endpoint ${origin.origin} is not one that this operator may talk to: its --allow-endpoint must name it`,
    }
  }
  return { ok: true, endpoint: origin.origin }
}

/** Only scheme, host and port: every path of the service starts at /v1. */
function originOf(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const bare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return bare && url.pathname === '/' ? url : undefined
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
