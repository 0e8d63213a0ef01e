/** Whether anything happened at all around an operation of ours, so that its result may be unknown. */
import type { CallEntry, History } from '../history.ts'
import type { Trouble } from '../plan.ts'
import { losesStatus } from './excuses.ts'
import { factsOf } from './facts.ts'

/** A trouble met just before the intent was written may be the one that let it be written and nothing more. */
const BEFORE_MS = 1_000
/** By then an undisturbed process has long written down what the answer said. */
const AFTER_MS = 10_000

/** Whether the object of this uid ever had an operation that something came between, or lost what it knew. */
export function wasInterrupted(uid: string, history: History): boolean {
  const { operations, mutations } = factsOf(history)
  if (history.plan.perturbations.some((each) => losesStatus(each.do))) return true
  return [...operations]
    .filter(([, owner]) => owner.uid === uid)
    .some(([id, { at }]) => {
      const calls = mutations.filter((call) => call.operationID === id)
      if (calls.some((call) => !wasAnswered(call))) return true
      const until = Math.max(at, ...calls.map((call) => call.doneAt ?? call.sentAt)) + AFTER_MS
      return happened(history, at - BEFORE_MS, until)
    })
}

function interrupts(trouble: Trouble): boolean {
  return 'kill' in trouble || 'answer' in trouble || 'pauseMs' in trouble
}

function wasAnswered({ seen }: CallEntry): boolean {
  return typeof seen === 'number' && seen < 500
}

function happened(history: History, from: number, to: number): boolean {
  return history.entries.some(
    (each) =>
      ((each.is === 'trouble' && interrupts(each.perturbation.do)) ||
        (each.is === 'process' && each.what !== 'started')) &&
      each.at >= from &&
      each.at <= to,
  )
}
