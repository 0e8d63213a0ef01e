/** The situation in which an object came to rest, and what may be asked of it. */
import { isObject, type ModelObject } from '../kube/objects.ts'
import { entriesOf, type History } from '../history.ts'
import type { Trouble } from '../plan.ts'
import { conditionOf, factsOf, mayDelete } from './facts.ts'
import { wasInterrupted } from './interrupted.ts'
import { candidatesIn, thingsOf } from './inventory.ts'
import { keptIn } from './kept.ts'

export interface Situation {
  readonly object: ModelObject
  readonly history: History
  readonly leaving: boolean
  /** Whether the plan has such a trouble. */
  readonly had: (is: (trouble: Trouble) => boolean) => boolean
  /** Whether something came between an operation of the object and its answer. */
  readonly interrupted: () => boolean
}

export function situationOf(object: ModelObject, history: History): Situation {
  return {
    object,
    history,
    leaving: object.metadata.deletionTimestamp !== undefined,
    had: (is) => history.plan.perturbations.some((each) => is(each.do)),
    interrupted: () => wasInterrupted(object.metadata.uid, history),
  }
}

/** Made by a person with the status of another one. */
export function isRestored({ metadata }: ModelObject): boolean {
  return metadata.name.endsWith('-restored')
}

/** It was being deleted with its cloud object, before a backup brought it back. */
export function wasDeletedBefore({ object, history }: Situation): boolean {
  return factsOf(history)
    .statesOf(object.metadata.uid)
    .some(({ after }) => after?.metadata.deletionTimestamp !== undefined && mayDelete(after))
}

/** Asks about a machine that is not called as its spec says. */
export function asksAboutOtherName({ object, history }: Situation): boolean {
  const name = object.spec?.['name'] ?? object.metadata.name
  const things = entriesOf(history, 'moment').flatMap(({ inventory }) => thingsOf(inventory))
  const asked = candidatesIn([object])
  return things.some(({ id, row }) => asked.has(id) && row['name'] !== name)
}

/** Another of its kind has a create whose result only a person can tell. */
export function waitsForAnother({ object, history }: Situation): boolean {
  return seenBeside(object, history).some(
    (each) => conditionOf(each, 'Ready')?.reason === 'CreateOutcomeUnknown',
  )
}

/** The other objects of its kind, as they were at any of the moments. */
function seenBeside({ kind, metadata: { uid } }: ModelObject, history: History): readonly ModelObject[] {
  const moments = entriesOf(history, 'moment')
  return moments.flatMap(({ objects }) =>
    objects.filter((each) => each.kind === kind && each.metadata.uid !== uid),
  )
}

/** What is in its way was left by an object that keeps its own. */
export function speaksOfKept({ object, history }: Situation): boolean {
  const message = conditionOf(object, 'Ready')?.message ?? ''
  return [...keptIn(history)].some((id) => message.includes(id))
}

/** A name in the spec that no living, ready object has. */
export function refersToNothing({ object, history }: Situation): boolean {
  const last = history.entries.findLast((each) => each.is === 'moment')
  const objects = last?.is === 'moment' ? last.objects : []
  const moments = history.entries.flatMap((each) => (each.is === 'moment' ? [each] : []))
  const there = [...objects, ...moments.flatMap((each) => each.objects)]
  const names = namesIn(object.spec)
  return names.some((name) => {
    const found = there.filter(
      (each) => each.metadata.name === name && each.metadata.uid !== object.metadata.uid,
    )
    return (
      found.length === 0 ||
      found.some((each) => conditionOf(each, 'Ready')?.status !== 'True') ||
      isGone(name, objects)
    )
  })
}

function isGone(name: string, objects: readonly ModelObject[]): boolean {
  return !objects.some((each) => each.metadata.name === name)
}

function namesIn(spec: ModelObject['spec']): readonly string[] {
  return Object.entries(spec ?? {}).flatMap(([field, value]) => {
    const list = Array.isArray(value) ? value : [value]
    const refers = field.endsWith('Ref') || field === 'targets' || field === 'source'
    return refers ? list.flatMap(nameOf) : []
  })
}

function nameOf(value: unknown): readonly string[] {
  if (!isObject(value)) return []
  return typeof value['name'] === 'string' ? [value['name']] : Object.values(value).flatMap(nameOf)
}
