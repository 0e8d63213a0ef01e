/** The client of one service address under one API key. */
import type { Clock } from '../loop/clock.ts'
import type { CloudErrorClass } from './errors.ts'
import type { CloudRequest, ReadOptions, Send, TimeLimits } from './request.ts'

export type { Send } from './request.ts'

export interface CloudClient {
  readonly endpoint: string
  /** An idempotent read: retried at most twice, only where that can help. Rejects with a CloudError. */
  read<T>(request: CloudRequest<T>, options?: ReadOptions): Promise<T>
  /** A mutation: leaves at most once, never retried. Rejects with a CloudError. */
  change<T>(request: CloudRequest<T>, send: Send): Promise<T>
  /** Calls that wait are rejected as not sent; those in flight are let finish. */
  close(): Promise<void>
}

/** One attempt, as it ended. `route` is the path without any id, fit for a metric's label. */
export interface ObservedCall {
  readonly method: string
  readonly path: string
  readonly route: string
  readonly status?: number
  readonly class?: CloudErrorClass
  readonly durationMs: number
  readonly operationID?: string
}

export type Say = (
  level: 'debug' | 'info' | 'warn',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

export interface CloudClientOptions {
  readonly endpoint: string
  readonly apiKey: string
  readonly clock: Clock
  readonly limits: { readonly requestsPerSecond: number; readonly maxInFlight: number }
  readonly timeLimits?: Partial<TimeLimits>
  readonly settleMs: number
  readonly observeCall?: (call: ObservedCall) => void
  readonly say?: Say
}

/** Makes the client; nothing is sent until the first call. The endpoint must have passed `checkEndpoint`. */
export function createCloudClient(options: CloudClientOptions): CloudClient {
  throw new Error(`not written yet: ${options.endpoint}`)
}

export type CheckedEndpoint =
  { readonly ok: true; readonly endpoint: string } | { readonly ok: false; readonly message: string }

/** The normalised origin, when it is https (or loopback) and on the allow-list. */
export function checkEndpoint(endpoint: string, allowed: readonly string[]): CheckedEndpoint {
  return { ok: false, message: `not written yet: ${endpoint} ${allowed.length}` }
}
