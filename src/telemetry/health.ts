/** /healthz, /readyz and /metrics over HTTP. */
import type { Clock } from '../loop/clock.ts'
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

/** Listens; rejects when a port is taken. */
export function startHealth(o: HealthOptions): Promise<Health> {
  return Promise.reject(new Error(`not built yet: ${o.port}`))
}
