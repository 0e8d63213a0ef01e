/** Prometheus metrics. One registry per process object, never module state; labels are closed sets, never object names. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** One finished pass of a kind; `outcome` is a short closed word ('done', 'waiting', 'expected', 'bug' …). */
  reconciled(kind: string, outcome: string, seconds: number): void
  /** Depths read at every scrape. */
  watchQueue(kind: string, depth: () => { ready: number; delayed: number; running: number }): void
  /** One answered or failed request to the API server; `outcome` is 'ok' or a KubeErrorClass. */
  kubeRequest(verb: string, resource: string, outcome: string, seconds: number): void
  /** One answered or failed request to the cloud; `outcome` is 'ok' or a class of CloudError. */
  cloudRequest(verb: string, family: string, outcome: string, seconds: number): void
  /** A watch stream ended; `reason`: 'ended', 'gone', 'silence', 'malformed' or a KubeErrorClass. */
  watchRestarted(resource: string, reason: string): void
  /** Whether the first list of a resource is in. */
  watchSynced(resource: string, synced: boolean): void
  leader(held: boolean): void
  /** Read at every scrape: the worst recent delay of the event loop in milliseconds. */
  watchEventLoop(delayMs: () => number): void
  eventDropped(reason: string): void
  /** A gauge of a module's own; label values must come from closed sets. */
  gauge(
    name: string,
    help: string,
    labels: readonly string[],
  ): (values: Record<string, string>, value: number) => void
  /** A counter of a module's own; label values must come from closed sets. */
  counter(
    name: string,
    help: string,
    labels: readonly string[],
  ): (values: Record<string, string>, by?: number) => void
  /** The text exposition. */
  text(): Promise<string>
  readonly contentType: string
}

const PREFIX = 'cloud_operator_'
const PASS_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300]
const REQUEST_BUCKETS = [0.002, 0.01, 0.05, 0.2, 1, 5, 20, 60, 120]

/** Metrics of one process, in a registry of their own. */
export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: PREFIX + name, help, labelNames: [...labelNames], registers })
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    collect?: () => void,
  ) =>
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames: [...labelNames],
      registers,
      ...(collect && { collect }),
    })
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ) => new Histogram({ name: PREFIX + name, help, labelNames: [...labelNames], buckets, registers })

  const passes = counter('reconcile_total', 'Finished passes', ['kind', 'outcome'])
  const passSeconds = histogram('reconcile_seconds', 'Length of a pass', ['kind'], PASS_BUCKETS)
  const kube = counter('kube_requests_total', 'Requests to the API server', ['verb', 'resource', 'outcome'])
  const kubeSeconds = histogram(
    'kube_request_seconds',
    'Time of a request to the API server',
    ['verb'],
    REQUEST_BUCKETS,
  )
  const cloud = counter('cloud_requests_total', 'Requests to the cloud', ['verb', 'family', 'outcome'])
  const cloudSeconds = histogram(
    'cloud_request_seconds',
    'Time of a request to the cloud',
    ['verb', 'family'],
    REQUEST_BUCKETS,
  )
  const restarts = counter('watch_restarts_total', 'Watch streams that ended', ['resource', 'reason'])
  const synced = gauge('watch_synced', '1 when the first list of the resource is in', ['resource'])
  const leader = gauge('leader', '1 while this process holds the lease', [])
  const dropped = counter('events_dropped_total', 'Kubernetes events that were not written', ['reason'])

  const queues = new Map<string, () => { ready: number; delayed: number; running: number }>()
  const depths: Gauge<'kind' | 'state'> = gauge('queue_depth', 'Keys in the queue', ['kind', 'state'], () => {
    for (const [kind, depth] of queues) {
      for (const [state, count] of Object.entries(depth())) depths.set({ kind, state }, count)
    }
  })
  let loopDelayMs = () => 0
  const delay: Gauge = gauge('event_loop_delay_seconds', 'Worst recent delay of the event loop', [], () =>
    delay.set(loopDelayMs() / 1000),
  )

  return {
    reconciled: (kind, outcome, seconds) => {
      passes.inc({ kind, outcome })
      passSeconds.observe({ kind }, seconds)
    },
    watchQueue: (kind, depth) => void queues.set(kind, depth),
    kubeRequest: (verb, resource, outcome, seconds) => {
      kube.inc({ verb, resource, outcome })
      kubeSeconds.observe({ verb }, seconds)
    },
    cloudRequest: (verb, family, outcome, seconds) => {
      cloud.inc({ verb, family, outcome })
      cloudSeconds.observe({ verb, family }, seconds)
    },
    watchRestarted: (resource, reason) => restarts.inc({ resource, reason }),
    watchSynced: (resource, value) => synced.set({ resource }, value ? 1 : 0),
    leader: (held) => leader.set(held ? 1 : 0),
    watchEventLoop: (delayMs) => void (loopDelayMs = delayMs),
    eventDropped: (reason) => dropped.inc({ reason }),
    gauge: (name, help, labels) => {
      const own = gauge(name, help, labels)
      return (values, value) => own.set(values, value)
    },
    counter: (name, help, labels) => {
      const own = counter(name, help, labels)
      return (values, by = 1) => own.inc(values, by)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
