/** The requests the operator makes, typed. Writes carry uid and resourceVersion, so none lands on another object. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { KubeCredentials } from './credentials.ts'
import type { KubeObject, ResourceType, Secret } from './object.ts'
import type { KubeTransport } from './transport.ts'

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** Objects per page, default 500. */
  readonly limit?: number
  /** At least as new as this; absent: the newest there is. */
  readonly notOlderThan?: string
  readonly labelSelector?: string
  readonly signal?: AbortSignal
}

export interface ListPage<T extends KubeObject> {
  readonly items: readonly T[]
  /** The version of the whole list; the same on each of its pages. */
  readonly resourceVersion: string
  /** True on the first page, and again when the list had to start over: forget the pages before it. */
  readonly first: boolean
}

/** The body of an events.k8s.io/v1 Event; see events.ts. */
export type EventBody = Readonly<Record<string, unknown>>

/** Every method rejects with a KubeError. Nothing is repeated by itself. */
export interface KubeClient {
  /** Uncached. Undefined only when the server says that this very object does not exist. Empty namespace: cluster-scoped. */
  get<T extends KubeObject>(type: ResourceType, namespace: string, name: string): Promise<T | undefined>
  /** Pages with a yield between them; a 410 on a later page restarts the list once. */
  list<T extends KubeObject>(type: ResourceType, o?: ListOptions): AsyncIterable<ListPage<T>>
  /** PUT of the whole status, with the uid and resourceVersion of `object`. Returns the object as it now is. */
  putStatus<T extends KubeObject>(type: ResourceType, object: T, status: unknown): Promise<T>
  /** Merge patch of the full list, with the uid and resourceVersion of `object`; another uid is a `conflict`. */
  setFinalizers<T extends KubeObject>(
    type: ResourceType,
    object: T,
    finalizers: readonly string[],
  ): Promise<T>
  getSecret(namespace: string, name: string): Promise<Secret | undefined>
  /** POST of an events.k8s.io/v1 Event. */
  createEvent(namespace: string, event: EventBody): Promise<void>
  /** Merge patch of an Event (its series). */
  patchEvent(namespace: string, name: string, patch: EventBody): Promise<void>
  getNamespaceUID(name: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface KubeClientOptions {
  readonly credentials: KubeCredentials
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  /** Shared with reflectors and lease; one of its own when absent. `close` closes it either way. */
  readonly transport?: KubeTransport
}

export function createKubeClient(o: KubeClientOptions): KubeClient {
  throw new Error(`not built yet: ${o.credentials.server}`)
}
