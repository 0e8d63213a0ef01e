/** The operator without a fault: its undisturbed runs, which cases are drawn from, and its own verdict on a case. */
import type { History, Violation } from '../faults/history.ts'
import { referenceFor } from '../faults/judge-plan.ts'
import type { Plan } from '../faults/plan.ts'
import { openBench } from './bench.ts'

export interface Sound {
  /** The undisturbed run of the plan's story. */
  reference(plan: Plan): Promise<History>
  /** What is broken without any fault: nothing, when the rig is in order. */
  verdict(plan: Plan): Promise<readonly Violation[]>
  close(): Promise<void>
}

export async function openSound(): Promise<Sound> {
  const bench = await openBench({ keepsHistory: true })
  const references = new Map<string, Promise<History>>()
  const verdicts = new Map<string, Promise<readonly Violation[]>>()
  let last: Promise<unknown> = Promise.resolve()

  /** The thread takes one at a time. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = last.then(run, run)
    last = turn
    return turn
  }

  function reference(plan: Plan): Promise<History> {
    return once(references, referenceFor(plan), (undisturbed) =>
      inTurn(async () => {
        const { history, violations } = await bench.judge({ plan: undisturbed })
        if (history !== undefined && violations.length === 0) return history
        const what = violations.map((each) => `${each.oracle}: ${each.what}`).join(' · ')
        throw new Error(`${plan.scenario} breaks something without any fault: ${what}`)
      }),
    )
  }

  return {
    reference,
    verdict: (plan) =>
      once(verdicts, plan, async () => {
        const undisturbed = await reference(plan)
        return inTurn(async () => (await bench.judge({ plan, reference: undisturbed })).violations)
      }),
    close: () => bench.close(),
  }
}

function once<T>(known: Map<string, Promise<T>>, plan: Plan, make: (plan: Plan) => Promise<T>): Promise<T> {
  const key = JSON.stringify(plan)
  const made = known.get(key) ?? make(plan)
  known.set(key, made)
  return made
}
