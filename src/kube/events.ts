/** Kubernetes Events (events.k8s.io/v1), written in the background: they never delay or fail a pass. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Redactor } from '../telemetry/redact.ts'
import { classifyFailure } from './classify.ts'
import type { KubeError } from './errors.ts'
import { createSeriesBook, type EventRecord, type Series } from './event-series.ts'
import type { KubeClient } from './requests.ts'

export interface EventRecorder {
  /** Returns at once. The same record again within the series' time raises its count instead of making another Event. */
  record(event: EventRecord): void
  /** Resolves when everything recorded so far is written or dropped. */
  flush(): Promise<void>
  /** Drops what waits. */
  close(): void
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'createEvent' | 'patchEvent'>
  /** `reportingController`. */
  readonly controller: string
  /** `reportingInstance`, the process. */
  readonly instance: string
  readonly clock: Clock
  /** A series' new count is written this long after the record that raised it, with all that came in between. */
  readonly countMs: number
  readonly log: Log
  readonly metrics?: Metrics
  readonly redactor?: Redactor
}

const MOST_WAITING = 1_000

/** The tries of one write while the server is away; then the event is dropped. */
const ATTEMPTS = 5

/** Starts without doing anything; writes one Event at a time. */
export function createEventRecorder(o: EventRecorderOptions): EventRecorder {
  const book = createSeriesBook(o)
  const end = new AbortController()
  const waiting = new Set<Series>()
  /** Series whose count has risen, until it is written. */
  const counting = new Map<Series, () => void>()
  let writing: Promise<void> | undefined
  let warned: string | undefined

  function enqueue(series: Series): void {
    counting.get(series)?.()
    counting.delete(series)
    if (waiting.size >= MOST_WAITING) {
      o.metrics?.eventDropped('queueFull')
      return
    }
    waiting.add(series)
    writing ??= writeAll()
  }

  async function writeAll(): Promise<void> {
    // Not in the turn of the pass that records.
    await o.clock.yield()
    for (const series of waiting) {
      waiting.delete(series)
      await write(series)
    }
    writing = undefined
  }

  async function write(series: Series): Promise<void> {
    for (let attempt = 1; !end.signal.aborted; attempt += 1) {
      try {
        if (series.written === 0) await o.client.createEvent(series.namespace, book.bodyOf(series))
        else await o.client.patchEvent(series.namespace, series.name, book.countOf(series))
        series.written = series.count
        return
      } catch (error) {
        const failure = classifyFailure('event', error)
        const next = afterFailure(series, failure)
        if (next === 'done') return
        if (next === 'anew') continue
        if (next === 'drop' || attempt === ATTEMPTS) {
          drop(failure)
          return
        }
        await o.clock.sleep(Math.max(1_000 * 2 ** attempt, failure.retryAfterMs ?? 0), end.signal)
      }
    }
  }

  function afterFailure(series: Series, error: KubeError): 'done' | 'drop' | 'again' | 'anew' {
    // The answer to an earlier try was lost.
    if (error.class === 'conflict' && error.reason === 'AlreadyExists') {
      series.written = series.count
      return 'done'
    }
    // Events are kept for an hour, or somebody has cleaned up.
    if (error.class === 'notFound' && series.written > 0) {
      series.written = 0
      return 'anew'
    }
    return AGAIN.has(error.class) ? 'again' : 'drop'
  }

  function drop(error: KubeError): void {
    const namespaceGoes = error.causes?.some((cause) => cause.reason === 'NamespaceTerminating') === true
    o.metrics?.eventDropped(namespaceGoes ? 'namespaceTerminating' : error.class)
    if (namespaceGoes) return
    if (warned === error.class) o.log.debug({ about: error.class }, error.message)
    else o.log.warn({ about: error.class }, `an event was dropped: ${error.message}`)
    warned = error.class
  }

  return {
    record: (event) => {
      if (end.signal.aborted) return
      const series = book.count(event)
      if (waiting.has(series)) return
      if (series.count === 1) enqueue(series)
      else if (!counting.has(series))
        counting.set(
          series,
          o.clock.after(o.countMs, () => enqueue(series)),
        )
    },
    flush: async () => {
      for (const series of [...counting.keys()]) enqueue(series)
      while (writing !== undefined) await writing
    },
    close: () => {
      end.abort()
      for (const cancel of counting.values()) cancel()
      counting.clear()
      waiting.clear()
    },
  }
}

const AGAIN: ReadonlySet<KubeError['class']> = new Set(['notSent', 'unclear', 'throttled', 'unauthorized'])
