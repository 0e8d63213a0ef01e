/** Runs a plan against the undisturbed run of the same story, and says what was broken. */
import type { History, Violation } from './history.ts'
import { judge } from './oracles/all.ts'
import type { Plan } from './plan.ts'
import { runPlan } from './run-plan.ts'

export interface Judged {
  readonly plan: Plan
  readonly violations: readonly Violation[]
  readonly history: History
}

export interface Judge {
  (plan: Plan): Promise<Judged>
}

/** Keeps the undisturbed runs. */
export function createJudge(): Judge {
  const references = new Map<string, Promise<History>>()
  return async (plan) => {
    const undisturbed = referenceFor(plan)
    const key = JSON.stringify(undisturbed)
    const reference = references.get(key) ?? runPlan(undisturbed)
    references.set(key, reference)
    // The undisturbed run itself is judged alone.
    const history = key === JSON.stringify(plan) ? await reference : await runPlan(plan, await reference)
    return { plan, violations: judge(history), history }
  }
}

/** The same story without trouble. */
export function referenceFor({ scenario, profile, leaders }: Plan): Plan {
  return { scenario, seed: 1, profile, ...(leaders !== undefined && { leaders }), perturbations: [] }
}
