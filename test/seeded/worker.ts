/** The operator, with a fault or without, and the rig around it, in a thread of their own: judges plans one by one. */
import { readFileSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { History, Violation } from '../faults/history.ts'
import type { Plan } from '../faults/plan.ts'
import { patched, SOURCES, type Patch } from './patch.ts'

export interface Task {
  readonly plan: Plan
  /** The undisturbed run of the same story by the operator without a fault; absent in that run itself. */
  readonly reference?: History
}

export interface Answer {
  readonly violations: readonly Violation[]
  /** Where it was asked for. */
  readonly history?: History
}

export interface WorkerSettings {
  /** Absent: the operator as it is. */
  readonly patch?: Patch
  readonly keepsHistory: boolean
}

const { patch, keepsHistory } = workerData as WorkerSettings

// The same few hundred files again and again, but for one.
enableCompileCache()

if (patch !== undefined) {
  const target = new URL(patch.file, SOURCES).href
  // Before anything of the operator is loaded.
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return url === target
        ? { ...loaded, source: patched(readFileSync(new URL(target), 'utf8'), patch) }
        : loaded
    },
  })
}

const { judge } = await import('../faults/oracles/all.ts')
const { runPlan } = await import('../faults/run-plan.ts')

parentPort?.on('message', (task: Task) => {
  void answerTo(task).then((answer) => parentPort?.postMessage(answer))
})
parentPort?.postMessage('ready')

async function answerTo({ plan, reference }: Task): Promise<Answer> {
  try {
    const history = await runPlan(plan, reference)
    return { violations: judge(history), ...(keepsHistory && { history }) }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    // A run that goes round in a circle is the operator's; anything else is the rig's own.
    const oracle = error instanceof Error && error.name === 'EndlessRun' ? 'endless' : 'rig'
    return { violations: [{ oracle, what }] }
  }
}
