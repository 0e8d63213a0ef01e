/** Trouble changes when something is made, deleted or stopped, never how often. */
import { momentOf, type History } from '../history.ts'
import { isGood } from './rest.ts'
import type { ModelObject } from '../kube/objects.ts'
import { conditionOf, factsOf, thingsIn } from './facts.ts'

const COUNTED = [
  'created',
  'deleted',
  'destroyed',
  'stopped',
  'cut power of',
  'attached',
  'detached',
  'assigned',
  'backup on of',
  'backup off of',
]

export function counts(history: History): string[] {
  if (history.reference === undefined) return []
  // Who stands in a listed state does not go on, and what comes after it does not come.
  const undisturbed = history.plan.perturbations.length === 0
  const settled = momentOf(history, 'settled')
  if (!undisturbed && settled?.objects.some((object) => !isGood(object)) === true) return []
  if (!undisturbed && factsOf(history).writes.some(({ after }) => after && asksAPerson(after))) return []
  const [before, now] = undisturbed
    ? [countLabels(history.reference), countLabels(history)]
    : [count(history.reference), count(history)]
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((what) => (before.get(what) ?? 0) !== (now.get(what) ?? 0))
    .map((what) => `${what}: ${now.get(what) ?? 0} times, undisturbed ${before.get(what) ?? 0}`)
}

/** Whoever waited for a person for a while, though it may be gone by now. */
function asksAPerson(object: ModelObject): boolean {
  return conditionOf(object, 'Stalled')?.reason === 'CreateOutcomeUnknown'
}

function count(history: History): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { effect } of factsOf(history).mutations) {
    for (const verb of COUNTED) {
      for (const { what } of thingsIn(effect, verb))
        times.set(`${verb} ${what}`, (times.get(`${verb} ${what}`) ?? 0) + 1)
    }
  }
  return times
}

/** Without trouble it is the very same changes, each as often. */
function countLabels(history: History): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { label } of factsOf(history).mutations) {
    // All deleted at once, an address and what it leads to go in either order: it may be free already.
    if (!label.endsWith('/unassign')) times.set(label, (times.get(label) ?? 0) + 1)
  }
  return times
}
