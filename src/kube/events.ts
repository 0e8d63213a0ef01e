/** Kubernetes Events (events.k8s.io/v1), written in the background: they never delay or fail a pass. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Redactor } from '../telemetry/redact.ts'
import type { KubeObject } from './object.ts'
import type { KubeClient } from './requests.ts'

export interface EventRecord {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  /** CamelCase, as in conditions. */
  readonly reason: string
  /** CamelCase: what was done or tried. */
  readonly action: string
  /** For people; clipped to 1 kB. */
  readonly note: string
}

export interface EventRecorder {
  /** Returns at once. The same record again within the series' time raises its count instead of making another Event. */
  record(event: EventRecord): void
  /** Resolves when everything recorded so far is written or dropped. */
  flush(): Promise<void>
  close(): void
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'createEvent' | 'patchEvent'>
  /** `reportingController`. */
  readonly controller: string
  /** `reportingInstance`, the process. */
  readonly instance: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  readonly redactor?: Redactor
}

export function createEventRecorder(o: EventRecorderOptions): EventRecorder {
  throw new Error(`not built yet: ${o.controller}`)
}
