/** Leader election on a coordination.k8s.io Lease, over a connection of its own. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { SendKube } from './transport.ts'

export interface LeaseDurations {
  /** Others wait this long after the last renewal they saw. */
  readonly leaseMs: number
  /** The holder gives up when it could not renew for this long. */
  readonly renewMs: number
  /** Between attempts, whether to renew or to acquire. */
  readonly retryMs: number
}

export interface LeaseOptions {
  /** A dedicated sender of the transport. */
  readonly send: SendKube
  readonly namespace: string
  readonly name: string
  /** Unique to this process. */
  readonly identity: string
  readonly durations?: LeaseDurations
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  readonly onGained: () => void
  /** At most once, after onGained; nothing is tried again: the process is to end. Not called by `release`. */
  readonly onLost: (reason: string) => void
}

export interface Lease {
  /** Synchronous; by the larger of the monotonic and the wall time since the last renewal was *sent*. */
  held(): boolean
  /** Not held from this moment; gives the lease back so that the next one takes it at once. Never rejects. */
  release(): Promise<void>
  /** Ends all attempts without giving the lease back. */
  stop(): void
}

export function startLease(o: LeaseOptions): Lease {
  throw new Error(`not built yet: ${o.name}`)
}
