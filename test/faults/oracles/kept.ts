/** What stays in the cloud though its owner goes, and what nothing in the cloud tells the owner of. */
import { FINALIZER } from '../../../src/api/group.ts'
import { entriesOf, type History, type WriteEntry } from '../history.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'
import { factsOf, mayDelete, wasGiven, type Owner } from './facts.ts'

/** Cloud ids that stay when their owner goes: its spec, its CRD or whoever took its finalizer off says so. */
export function keptIn(history: History): ReadonlySet<string> {
  const { statesOf } = factsOf(history)
  const crds = crdsDeleted(history)
  const left = ids(history).filter((id) => {
    const owner = ownerOf(history, id)
    return owner !== undefined && (crds.has(owner.kind) || isAbandoned(statesOf(owner.uid)))
  })
  return new Set([...retainedIn(history), ...left])
}

/** Those of which the spec of their owner says so at the end. */
export function retainedIn(history: History): ReadonlySet<string> {
  const { statesOf } = factsOf(history)
  return new Set(
    ids(history).filter((id) => {
      const owner = ownerOf(history, id)
      const object = owner && lastOf(statesOf(owner.uid))
      return object !== undefined && !mayDelete(object)
    }),
  )
}

function ids(history: History): readonly string[] {
  const { recorded, made } = factsOf(history)
  return [...recorded.keys(), ...made.map(({ id }) => id)]
}

/** Who it was given to, or who made it. */
function ownerOf(history: History, id: string): Owner | undefined {
  const { recorded, made, statesOf } = factsOf(history)
  const holder = recorded.get(id)
  if (holder !== undefined && wasGiven(lastOf(statesOf(holder.uid)), id)) return holder
  // A bucket's name can be made anew.
  return made.findLast((each) => each.id === id)?.owner ?? holder
}

/** What was made as a clone: its marker goes with its first rename. */
export function clonesIn(history: History): ReadonlySet<string> {
  const facts = factsOf(history)
  const clones = facts.made.filter(
    ({ owner }) => owner !== undefined && isClone(lastOf(facts.statesOf(owner.uid))),
  )
  return new Set(clones.map(({ id }) => id))
}

/** When the CRD of a kind was deleted. */
export function crdsDeleted(history: History): ReadonlyMap<string, number> {
  const restores = entriesOf(history, 'trouble').flatMap(({ at, perturbation: { do: trouble } }) =>
    'restoreEtcd' in trouble ? [{ from: at - trouble.restoreEtcd.agoMs, to: at }] : [],
  )
  const steps = entriesOf(history, 'person')
    .filter(({ what }) => what.startsWith('{"do":"deleteCRD"'))
    // A backup from before brings the CRD back.
    .filter(({ at }) => !restores.some(({ from, to }) => from < at && at <= to))
  return new Map(steps.map(({ what, at }) => [(JSON.parse(what) as { readonly kind: string }).kind, at]))
}

export function isClone(object: ModelObject | undefined): boolean {
  const source = object?.spec?.['source']
  return isObject(source) && 'vmRef' in source
}

/** Held by the operator once, and gone without a word of it: a person, or a backup, took the finalizer off. */
export function isAbandoned(states: readonly WriteEntry[]): boolean {
  const last = states.at(-1)
  const held = states.some(({ after }) => after?.metadata.finalizers?.includes(FINALIZER) === true)
  return last?.process === 0 && last.after === undefined && held
}

/**
 * Ids of what was made for an object whose finalizer a person then took off while its status named nothing of its own: where the
 * service shows no name, nothing tells of it any more.
 */
export function forgottenIn(history: History): ReadonlySet<string> {
  const { made, statesOf } = factsOf(history)
  const forgotten = made.filter(({ owner, call }) =>
    statesOf(owner?.uid ?? '').some(
      ({ process, at, before, after }) =>
        process === 0 && at > call.sentAt && before && after && !saysNothing(before) && saysNothing(after),
    ),
  )
  return new Set(forgotten.map(({ id }) => id))
}

function saysNothing({ metadata: { finalizers, uid }, status = {} }: ModelObject): boolean {
  if (finalizers?.includes(FINALIZER) === true) return false
  const isOwn = status['uid'] === undefined || status['uid'] === uid
  return !isOwn || (status['id'] === undefined && status['operation'] === undefined)
}

function lastOf(states: readonly WriteEntry[]): ModelObject | undefined {
  const last = states.at(-1)
  return last?.after ?? last?.before
}
