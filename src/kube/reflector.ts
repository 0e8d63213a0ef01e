/** Keeps a store equal to a resource on the server, by list and watch, until told to stop. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { KubeObject, ResourceType } from './object.ts'
import type { KubeClient } from './requests.ts'
import type { Store } from './store.ts'
import type { KubeTransport } from './transport.ts'

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeClient
  readonly transport: KubeTransport
  readonly type: ResourceType
  readonly store: Store<T>
  readonly namespace?: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  readonly signal: AbortSignal
}

export interface Reflector {
  /** Why the first list is not in or the stream is down, for /readyz; undefined when all is well. */
  problem(): string | undefined
  /** Resolves when the signal has aborted and nothing runs any more. */
  readonly stopped: Promise<void>
}

export function startReflector<T extends KubeObject>(o: ReflectorOptions<T>): Reflector {
  throw new Error(`not built yet: ${o.type.plural}`)
}
