/** Judges plans in a thread of its own. */
import { parentPort } from 'node:worker_threads'
import { cellsIn, type Cell } from './coverage.ts'
import type { History, Violation } from './history.ts'
import { createJudge } from './judge-plan.ts'
import type { Plan } from './plan.ts'

export interface Verdict {
  readonly plan: Plan
  readonly violations: readonly Violation[]
  readonly trace: string
  /** What of the tables the run filled. */
  readonly cells: readonly Cell[]
  /** How often each call was made; of the undisturbed run of a story alone. */
  readonly labels?: History['labels']
}

const judge = createJudge()

parentPort?.on('message', (plan: Plan) => {
  void verdictOn(plan).then((verdict) => parentPort?.postMessage(verdict))
})

async function verdictOn(plan: Plan): Promise<Verdict> {
  try {
    const { violations, history } = await judge(plan)
    const { trace, labels, reference } = history
    const own = reference === undefined && { labels }
    return { plan, violations, trace, cells: cellsIn(history), ...own }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { plan, violations: [{ oracle: 'rig', what }], trace: '', cells: [] }
  }
}
