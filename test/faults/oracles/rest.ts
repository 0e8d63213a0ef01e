/** Once nothing goes wrong any more everything comes to rest, and then nothing is written or changed. */
import { isDeepStrictEqual } from 'node:util'
import { momentOf, type History, type WriteEntry } from '../history.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'
import { isListed } from './blocked.ts'
import { conditionOf, factsOf } from './facts.ts'

export function converges(history: History): string[] {
  const moments = [momentOf(history, 'settled'), momentOf(history, 'end')]
  return moments.flatMap((moment) =>
    (moment?.objects ?? [])
      .filter((object) => (moment?.moment === 'end' || !isGood(object)) && !isListed(object, history))
      .map((object) => `${moment?.moment ?? ''}: ${stateOf(object)}`),
  )
}

/** Usable, as the spec says, and meant to stay. */
export function isGood(object: ModelObject): boolean {
  const applied = object.status?.['observedGeneration'] === object.metadata.generation
  const good = ['Ready', 'Synced'].every((type) => conditionOf(object, type)?.status === 'True')
  return object.metadata.deletionTimestamp === undefined && applied && good
}

function stateOf(object: ModelObject): string {
  const leaving = object.metadata.deletionTimestamp === undefined ? '' : ' (being deleted)'
  const shown = ['Stalled', 'Reconciling', 'UpdatePending', 'Drifted', 'Synced', 'Ready']
    .map((type) => conditionOf(object, type))
    .find((each) => each !== undefined)
  const { observedGeneration } = object.status ?? {}
  const behind =
    observedGeneration === object.metadata.generation ? '' : ', and this generation was not looked at'
  const state = `${shown?.reason ?? 'without a status'}: ${shown?.message ?? ''}${behind}`
  return `${object.kind} ${object.metadata.name}${leaving} is ${state}`
}

export function quiet(history: History): string[] {
  const [settled, end] = [momentOf(history, 'settled'), momentOf(history, 'quiet')]
  if (settled === undefined || end === undefined || !settled.reached) return []
  const within = (at: number): boolean => at > settled.at && at <= end.at
  const { mutations, writes } = factsOf(history)
  const stalled = end.objects.some((object) => conditionOf(object, 'Stalled') !== undefined)
  const changes = mutations
    // Who is stalled tries again now and then; that it is refused again is no change.
    .filter((call) => within(call.sentAt) && !(stalled && call.effect === undefined))
    .map((call) => `${call.label} at rest`)
  const written = writes
    .filter((write) => write.process > 0 && write.kind !== 'Lease' && within(write.at))
    .filter((write) => !isLearned(write))
    .map((write) => `${write.label} at rest`)
  return [...changes, ...written]
}

/**
 * What the service can do a process learns from slow reads, at a time of their own, and it is written once: nothing known changes.
 * How full a bucket is is written once an hour at most, and what belongs to nobody counted as often.
 */
function isLearned({ kind, before, after, body }: WriteEntry): boolean {
  if (kind === 'Event' && body.includes('"OrphanFound"')) return true
  if (before === undefined || after === undefined) return false
  const slow = SLOW[kind]
  return slow !== undefined && holds({ ...after.status, ...slow }, { ...before.status, ...slow })
}

const SLOW: Readonly<Record<string, object>> = {
  CloudBucket: { objects: undefined, sizeBytes: undefined },
  // What is offered depends on what is there: without a key the storage user is not asked for, since that would make one.
  CloudAccount: { orphans: undefined, objectStorage: undefined },
}

/** Whether everything that was there is still there. */
function holds(now: unknown, before: unknown): boolean {
  if (!isObject(now) || !isObject(before)) return isDeepStrictEqual(now, before)
  return Object.entries(before).every(([field, value]) => holds(now[field], value))
}
