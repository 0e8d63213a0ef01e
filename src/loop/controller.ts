/** Runs passes over a queue's keys, as many at once as allowed; the place where an unexpected error ends. */
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Clock } from './clock.ts'
import type { Outcome } from './outcome.ts'
import type { Queue } from './queue.ts'

/** An error that is no bug: `message` without a stack; `afterMs` absent: the key's back-off. */
export interface ExpectedFailure {
  /** A closed word, for the metric. */
  readonly reason: string
  readonly message: string
  readonly afterMs?: number
}

export interface ControllerOptions {
  /** The kind, for log and metrics. */
  readonly name: string
  readonly queue: Queue
  /** One pass. The signal aborts at `drain`: finish and record what was begun, begin nothing. */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<Outcome>
  /** Tells the errors of the boundaries from bugs; absent: every error is a bug. */
  readonly expected?: (error: unknown) => ExpectedFailure | undefined
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  /** Default 1000. */
  readonly maxConcurrent?: number
}

export interface Controller {
  /** Stops intake, aborts the signal, and resolves when the passes in flight have ended. */
  drain(): Promise<void>
  /** Passes in flight. */
  running(): number
}

export function startController(o: ControllerOptions): Controller {
  throw new Error(`not built yet: ${o.name}`)
}
