/** Keeps a store equal to a resource on the server, by list and watch, until told to stop. It never stops by itself. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { classifyFailure } from './classify.ts'
import { createComplaints } from './complaints.ts'
import { isKubeError } from './errors.ts'
import { createInterruptions, type Interruptions } from './interruptions.ts'
import { resourceName, type KubeObject, type ResourceType } from './object.ts'
import { createPace, REFLECTOR_DURATIONS, type ReflectorDurations, type Step } from './pace.ts'
import type { KubeClient } from './requests.ts'
import type { Replacement, Store } from './store.ts'
import { followStream, type StreamEnd } from './stream.ts'
import type { KubeTransport } from './transport.ts'
import { isOlder } from './versions.ts'

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'list'>
  readonly transport: Pick<KubeTransport, 'watch'>
  readonly type: ResourceType
  readonly store: Store<T>
  /** Absent: all namespaces. */
  readonly namespace?: string
  readonly durations?: Partial<ReflectorDurations>
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  readonly signal: AbortSignal
  /** Of all reflectors of this server. Absent: only what this one sees counts. */
  readonly interruptions?: Interruptions
}

export interface Reflector {
  /** Why the first list is not in or the stream is down, for /readyz; undefined when all is well. */
  problem(): string | undefined
  /** Resolves when the first list is in. */
  readonly synced: Promise<void>
  /** Resolves when the signal has aborted and nothing runs any more. */
  readonly stopped: Promise<void>
}

/** A stream that ended sooner and brought nothing counts as a failure. */
const SHORT_STREAM_MS = 5_000

/** The server counts whole seconds, and its clock is not ours. */
const EARLY_MS = 2_000

/** Starts at once; ends with the signal. */
export function startReflector<T extends KubeObject>(o: ReflectorOptions<T>): Reflector {
  const durations = { ...REFLECTOR_DURATIONS, ...o.durations }
  const log = o.log.child({ resource: resourceName(o.type) })
  const pace = createPace(o.clock, durations)
  const complaints = createComplaints(log, 'the first list is not in yet')
  const synced = Promise.withResolvers<undefined>()
  const interruptions = o.interruptions ?? createInterruptions(o.clock)
  let lowerLists = 0
  let opened = 0
  /** When the last list that was taken over was asked for. */
  let listedMs = 0

  async function run(): Promise<void> {
    o.metrics?.watchSynced(o.type.plural, false)
    let step: Step = { next: 'list', delayMs: 0 }
    while (!o.signal.aborted) {
      step = await attempt(step.next)
      if (step.delayMs > 0) await o.clock.sleep(step.delayMs, o.signal)
    }
  }

  async function attempt(doing: Step['next']): Promise<Step> {
    const before = opened
    try {
      return await (doing === 'list' ? relist() : follow())
    } catch (error) {
      if (!isKubeError(error)) log.error({ error }, 'the reflector failed unexpectedly')
      const failure = classifyFailure(`${doing} ${o.type.plural}`, error)
      if (o.signal.aborted) return { next: doing, delayMs: 0 }
      o.metrics?.watchRestarted(o.type.plural, failure.class)
      const hint = failure.class === 'notFound' ? ' (is the CRD installed?)' : ''
      complaints.complain(failure.class, failure.message + hint)
      const step = pace.failed(doing, failure)
      const broke = opened > before
      if (broke || failure.class === 'notSent') interruptions.note()
      // A stream that broke, as one that ended early: the server may have come back as it was before.
      return broke ? { ...step, next: 'list' } : step
    }
  }

  async function relist(): Promise<Step> {
    const last = o.store.lastSeenVersion()
    if (last === undefined) return takeList({}, false)
    try {
      return await takeList({ notOlderThan: last }, false)
    } catch (error) {
      // The server cannot serve what is not older than our version: what it has now is the truth, older or not.
      if (isKubeError(error, 'tooLarge', 'gone')) return takeList({}, true)
      throw error
    }
  }

  async function takeList(from: { readonly notOlderThan?: string }, acceptLower: boolean): Promise<Step> {
    const startedMs = o.clock.monotonic()
    const last = o.store.lastSeenVersion()
    let replacement: Replacement<T> | undefined
    const namespace = o.namespace === undefined ? {} : { namespace: o.namespace }
    for await (const page of o.client.list<T>(o.type, { ...from, ...namespace, signal: o.signal })) {
      if (page.first) {
        const lower = last !== undefined && isOlder(page.resourceVersion, last)
        lowerLists = lower ? lowerLists + 1 : 0
        // A single older list may come from a replica that lags; two in a row are an etcd that was restored.
        if (lower && !acceptLower && lowerLists < 2) return distrust(page.resourceVersion, last)
        if (lower)
          log.warn({ from: last, to: page.resourceVersion }, 'versions went back: everything is read anew')
        replacement = o.store.replace(page.resourceVersion, lower)
      }
      replacement?.add(page.items)
    }
    replacement?.finish()
    lowerLists = 0
    listedMs = startedMs
    complaints.settle(`${o.store.size} objects listed`)
    o.metrics?.watchSynced(o.type.plural, true)
    synced.resolve(undefined)
    return pace.listed()
  }

  function distrust(listed: string, seen: string): Step {
    complaints.complain('older', `a list (${listed}) older than what was seen (${seen})`)
    return pace.distrusted()
  }

  async function follow(): Promise<Step> {
    const startedAt = o.clock.monotonic()
    const timeoutMs = durations.watchMinMs + o.clock.random() * (durations.watchMaxMs - durations.watchMinMs)
    let progress = 0
    const end = await followStream<T>({
      transport: o.transport,
      type: o.type,
      namespace: o.namespace ?? '',
      store: o.store,
      clock: o.clock,
      silenceMs: durations.silenceMs,
      timeoutMs,
      signal: o.signal,
      onOpen: () => {
        opened += 1
        complaints.settle('watching again')
      },
      onProgress: () => {
        progress += 1
        pace.progress()
      },
    })
    if (end !== 'ended' && end !== 'gone') complaints.complain(end, END_TEXTS[end])
    if (!o.signal.aborted) o.metrics?.watchRestarted(o.type.plural, end)
    const lastedMs = o.clock.monotonic() - startedAt
    const early = lastedMs < timeoutMs - EARLY_MS
    if (early && end === 'ended') interruptions.note()
    const healthy = progress > 0 || lastedMs >= SHORT_STREAM_MS
    return pace.ended(end, healthy, early || interruptions.since(listedMs))
  }

  return { problem: () => complaints.current(), synced: synced.promise, stopped: run() }
}

const END_TEXTS: Readonly<Record<Exclude<StreamEnd, 'ended' | 'gone'>, string>> = {
  silence: 'the stream was silent for too long',
  malformed: 'the stream brought something that is no event',
  backwards: 'the stream brought something older than what was seen',
}
