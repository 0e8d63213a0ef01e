/** Runs passes over a queue's keys, as many at once as allowed; the place where an unexpected error ends. */
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createBackoff, type Backoff } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { Outcome } from './outcome.ts'
import type { Queue, Taken } from './queue.ts'

/** An error that is no bug: `message` without a stack. `quick`: what changed will be seen in a moment. */
export interface ExpectedFailure {
  /** A closed word, for the metric. */
  readonly reason: string
  readonly message: string
  readonly quick?: boolean
  /** It does not pass by itself: a person is told. */
  readonly lasting?: boolean
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

/** A bug does not go away by trying: from half a minute up to a quarter of an hour. */
const QUICK_FIRST_MS = 100
const BUG_FIRST_MS = 30_000
const BUG_MAX_MS = 900_000

/** Starting passes gives the event loop back after this long. */
const SLICE_MS = 5

/** Starts at once; ends by `drain`. */
export function startController(o: ControllerOptions): Controller {
  const maxConcurrent = o.maxConcurrent ?? 1_000
  const stop = new AbortController()
  const onFailure = createFailures(o)
  const passes = new Set<Promise<void>>()
  let pumping = false

  async function pass(taken: Taken): Promise<void> {
    const { key } = taken
    const startedAt = o.clock.monotonic()
    let outcome: string
    let next: Outcome
    try {
      next = await o.reconcile(key, stop.signal)
      outcome = next.afterMs === undefined ? 'done' : 'again'
      onFailure.forget(key)
    } catch (error) {
      ;({ outcome, next } = onFailure.rate(key, error))
    }
    if (next.afterMs !== undefined) o.queue.add(key, next.priority ?? 'requeue', next.afterMs)
    o.queue.done(key)
    o.metrics?.reconciled(o.name, outcome, (o.clock.monotonic() - startedAt) / 1000)
  }

  async function pump(): Promise<void> {
    let sliceAt = o.clock.monotonic()
    while (!stop.signal.aborted && passes.size < maxConcurrent) {
      const taken = o.queue.take()
      if (taken === undefined) break
      const running = pass(taken).then(() => {
        passes.delete(running)
        wake()
      })
      passes.add(running)
      if (o.clock.monotonic() - sliceAt < SLICE_MS) continue
      await o.clock.yield()
      sliceAt = o.clock.monotonic()
    }
    pumping = false
  }

  /** The first pass starts in a microtask: who adds a key is never inside its pass. */
  function wake(): void {
    if (pumping || stop.signal.aborted) return
    pumping = true
    queueMicrotask(() => void pump())
  }

  o.metrics?.watchQueue(o.name, () => o.queue.depth())
  o.queue.onReady(wake)

  return {
    drain: async () => {
      stop.abort()
      o.queue.close()
      while (passes.size > 0) await Promise.all(passes)
    },
    running: () => passes.size,
  }
}

interface Failures {
  rate(key: string, error: unknown): { readonly outcome: string; readonly next: Outcome }
  forget(key: string): void
}

function createFailures(o: ControllerOptions): Failures {
  const expectedBackoff = createBackoff({ clock: o.clock })
  const quickBackoff = createBackoff({ clock: o.clock, firstMs: QUICK_FIRST_MS, maxMs: BUG_FIRST_MS })
  const bugBackoff = createBackoff({ clock: o.clock, firstMs: BUG_FIRST_MS, maxMs: BUG_MAX_MS })
  const retry = (backoff: Backoff, key: string): Outcome => ({
    afterMs: backoff.next(key),
    priority: 'retry',
  })
  return {
    rate: (key, error) => {
      const failure = o.expected?.(error)
      if (failure === undefined) {
        o.log.error({ kind: o.name, key, error }, 'a pass failed unexpectedly')
        return { outcome: 'bug', next: retry(bugBackoff, key) }
      }
      const level = failure.lasting === true ? 'warn' : 'debug'
      o.log[level]({ kind: o.name, key, reason: failure.reason }, failure.message)
      const backoff = failure.quick === true ? quickBackoff : expectedBackoff
      return { outcome: failure.reason, next: retry(backoff, key) }
    },
    forget: (key) => {
      expectedBackoff.forget(key)
      quickBackoff.forget(key)
      bugBackoff.forget(key)
    },
  }
}
