/** What a pass may use. Assembled once in main.ts; tests assemble their own. */
import type { Kind as KindName } from '../api/group.ts'
import type { KubeClient } from '../kube/requests.ts'
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Accounts } from './accounts.ts'
import type { Ages } from './ages.ts'
import type { Attempts } from './attempts.ts'
import type { Durations } from './durations.ts'
import type { CloudResource } from './kind.ts'
import type { Locks } from './locks.ts'
import type { Proofs } from './proof.ts'
import type { References } from './references.ts'
import type { Secrets } from './secrets.ts'
import type { Unanswered } from './unanswered.ts'

/** The part of a store the pipeline reads. */
export interface ObjectStore {
  get(key: string): CloudResource | undefined
  list(): Iterable<CloudResource>
  byIndex(index: string, value: string): readonly CloudResource[]
  atLeast(resourceVersion: string): boolean
}

export interface Environment {
  readonly clock: Clock
  readonly log: Log
  /** A text without any secret that this process knows. */
  readonly redact: (text: string) => string
  readonly kube: KubeClient
  readonly clusterID: string
  /** Objects of other namespaces are not seen. */
  readonly ofOneNamespace: boolean
  readonly durations: Durations
  readonly stores: Readonly<Record<KindName, ObjectStore>>
  readonly accounts: Accounts
  readonly references: References
  readonly locks: Locks
  readonly proofs: Proofs
  readonly ages: Ages
  /** Synchronous; true only while this process may begin a mutation or an intent. */
  readonly leading: () => boolean
  /** Looks at an object of ours soon. */
  readonly wake: (kind: KindName, key: string, afterMs?: number) => void
  /** Notes the server's answer to a write of ours, until the watch shows it. */
  readonly wrote: (kind: KindName, object: CloudResource) => void
  /** A write on top of this state of an object conflicted. */
  readonly conflicted: (kind: KindName, object: CloudResource) => void
  /** Our finalizer is off: nothing of the object is remembered. */
  readonly released: (kind: KindName, object: CloudResource) => void
  readonly attempts: Attempts
  readonly unanswered: Unanswered
  readonly secrets: Secrets
  /**
   * UIDs of objects that got our finalizer from this process and have no account on record yet. Nothing was sent for them, which
   * tells them from those whose status was lost.
   */
  readonly unbegun: Set<string>
  /** When slow status fields were last a reason to write, in monotonic milliseconds by UID. */
  readonly slowFieldsAt: Map<string, number>
  /** Tells people about a transition. */
  readonly announce: (
    object: CloudResource,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ) => void
  /** Whether the CRD of a kind is being deleted: then objects are released as with Retain. */
  readonly uninstalling: (kind: KindName) => Promise<boolean>
}

export function keyOf(object: {
  readonly metadata: { readonly namespace: string; readonly name: string }
}): string {
  return `${object.metadata.namespace}/${object.metadata.name}`
}
