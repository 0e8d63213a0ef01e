/** Oracles that cannot hold under certain troubles, each with its reason. What is not here holds under every trouble. */
import { SETTLE_MS } from '../durations.ts'
import type { Plan, Trouble } from '../plan.ts'

interface Excuse {
  readonly when: (trouble: Trouble) => boolean
  readonly oracles: readonly string[]
  readonly because: string
}

export const EXCUSES: readonly Excuse[] = [
  {
    when: isTooLate,
    oracles: ['counts', 'power'],
    because: 'an effect later than the settle time breaks the promise that the settle time stands for',
  },
  {
    when: (trouble) => 'person' in trouble,
    oracles: ['counts', 'power'],
    because: 'people wish for other things than the undisturbed run',
  },
  {
    when: (trouble) => 'person' in trouble && trouble.person.do === 'cloud',
    oracles: ['preconditions'],
    because: 'what a person changes between a look and the call cannot be seen',
  },
  {
    when: (trouble) => 'person' in trouble && trouble.person.do === 'wipeStatus',
    oracles: ['resent'],
    because: 'what was sent is no longer on record',
  },
  {
    when: (trouble) => 'watch' in trouble || 'pauseMs' in trouble,
    oracles: ['held', 'wished'],
    because: 'a wish that has not come through yet cannot be followed',
  },
  {
    when: (trouble) => 'restoreEtcd' in trouble,
    oracles: ['counts', 'power', 'once', 'intent', 'resent', 'aged', 'held', 'wished'],
    because: 'what was written after the backup is gone, intents among it',
  },
  {
    when: (trouble) => 'read' in trouble,
    oracles: ['preconditions', 'quiet'],
    because:
      'what a read hides cannot be respected, and is put right by the next one, an interval or more later',
  },
]

/** An effect that comes when the settle time is over. */
export function isTooLate(trouble: Trouble): boolean {
  return 'answer' in trouble && typeof trouble.effect === 'object' && trouble.effect.afterMs > SETTLE_MS
}

/** What stood in a status is lost. */
export function losesStatus(trouble: Trouble): boolean {
  return 'restoreEtcd' in trouble || ('person' in trouble && trouble.person.do === 'wipeStatus')
}

/** Whether a violation of the oracle is excused by one of the plan's troubles. */
export function isExcused(oracle: string, plan: Plan): boolean {
  const troubles = plan.perturbations.map((each) => each.do)
  return EXCUSES.some(({ when, oracles }) => oracles.includes(oracle) && troubles.some(when))
}
