/** Trouble changes when something is made, deleted or stopped, never how often. */
import { momentOf, type History } from '../history.ts'
import { isGood } from './rest.ts'
import { factsOf, thingsIn } from './facts.ts'

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
  if (momentOf(history, 'settled')?.objects.some((object) => !isGood(object)) === true) return []
  const [before, now] = [count(history.reference), count(history)]
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((what) => (before.get(what) ?? 0) !== (now.get(what) ?? 0))
    .map((what) => `${what}: ${now.get(what) ?? 0} times, undisturbed ${before.get(what) ?? 0}`)
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
