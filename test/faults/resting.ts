/** Whether objects of ours are at rest, by what their statuses say. */
import type { ModelObject } from './kube/objects.ts'

export type Rest = 'busy' | 'waiting' | 'resting'

export function restOf(objects: readonly ModelObject[]): Rest {
  const states = objects.map(restOfOne)
  return states.find((each) => each === 'busy') ?? states.find((each) => each === 'waiting') ?? 'resting'
}

/** Whether this generation was looked at, and the operator does not say that it goes on by itself. */
function restOfOne({ metadata, status = {} }: ModelObject): Rest {
  const conditions = (status['conditions'] ?? []) as readonly {
    readonly type: string
    readonly reason: string
  }[]
  const of = (type: string) => conditions.find((each) => each.type === type)
  if (status['observedGeneration'] !== metadata.generation || conditions.length === 0) return 'busy'
  // Who stands still tries again now and then, and who waits may be woken.
  if (of('Stalled') !== undefined || of('Paused') !== undefined) return 'waiting'
  if (WAITING.has(of('Reconciling')?.reason ?? '')) return 'waiting'
  const leaving = metadata.deletionTimestamp !== undefined
  return of('Reconciling') !== undefined || status['operation'] !== undefined || leaving ? 'busy' : 'resting'
}

/** Waits for another object, for good if that one is at rest itself. */
const WAITING: ReadonlySet<string> = new Set(['WaitingForDependency', 'WaitingForDependents', 'NotEmpty'])
