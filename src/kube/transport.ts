/** HTTP to the API server. The only file here that imports undici; it repeats nothing except after a 401. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { KubeCredentials } from './credentials.ts'

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
  readonly query: KubeRequest['query']
  readonly resource: string
  readonly signal: AbortSignal
}

export interface KubeTransport {
  /** Over the shared pool of 16 connections. */
  readonly send: SendKube
  /** A sender with one connection of its own, for the lease: never behind anybody else's requests. */
  dedicated(): SendKube
  /** Opens a stream on a connection of its own; rejects with a KubeError unless the answer is a 200. */
  watch(request: WatchRequest): Promise<AsyncIterable<Uint8Array>>
  close(): Promise<void>
}

export interface TransportOptions {
  readonly credentials: KubeCredentials
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
}

export function createKubeTransport(o: TransportOptions): KubeTransport {
  throw new Error(`not built yet: ${o.credentials.server}`)
}
