/** Runs a plan with real processes and judges it as the in-process rig does, against that rig's undisturbed run. */
import type { Judged } from '../judge-plan.ts'
import { referenceFor } from '../judge-plan.ts'
import type { History, Violation } from '../history.ts'
import { judge } from '../oracles/all.ts'
import type { Plan } from '../plan.ts'
import { runPlan as runInProcess } from '../run-plan.ts'
import type { Rig } from './rig.ts'
import { runPlan } from './run-plan.ts'

/** `violations` of a plan that could not be run are the rig's own. */
export interface Verdict {
  readonly plan: Plan
  readonly violations: readonly Violation[]
  /** Absent when it could not be run to its end. */
  readonly history?: History
  /** How many of the plan's troubles happened: a run of real processes makes other calls than the one that was counted. */
  readonly met: number
  readonly ms: number
}

/** Undisturbed runs of each story, in virtual time, kept. */
export interface References {
  of(plan: Plan): Promise<History>
}

export function createReferences(): References {
  const kept = new Map<string, Promise<History>>()
  return {
    of: (plan) => {
      const undisturbed = referenceFor(plan)
      const key = JSON.stringify(undisturbed)
      const reference = kept.get(key) ?? runInProcess(undisturbed)
      kept.set(key, reference)
      return reference
    },
  }
}

export async function judgePlan(rig: Rig, plan: Plan, references: References): Promise<Verdict> {
  const startedAt = performance.now()
  const elapsed = (): number => performance.now() - startedAt
  try {
    const history = await runPlan(rig, plan, await references.of(plan))
    const violations = judge(history)
    const met = new Set(history.entries.flatMap((each) => (each.is === 'trouble' ? [each.perturbation] : [])))
      .size
    return { plan, violations, history, met, ms: elapsed() } satisfies Judged & Verdict
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { plan, violations: [{ oracle: 'rig', what }], met: 0, ms: elapsed() }
  }
}
