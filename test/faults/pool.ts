/** As many threads as cores, each with a few plans in hand. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Plan } from './plan.ts'
import type { Verdict } from './worker.ts'

const IN_HAND = 2

/** Judges every plan; `done` is told of each as it comes. Rejects when a thread breaks. */
export async function judgeAll(plans: readonly Plan[], done: (verdict: Verdict) => void): Promise<void> {
  const waiting = [...plans].reverse()
  const threads = Math.max(1, Math.min(availableParallelism(), plans.length))
  await Promise.all(Array.from({ length: threads }, () => runThread(waiting, done)))
}

function runThread(waiting: Plan[], done: (verdict: Verdict) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  let inHand = 0
  return new Promise<void>((resolve, reject) => {
    const deal = (): void => {
      for (
        let plan = waiting.pop();
        plan !== undefined;
        plan = inHand < IN_HAND ? waiting.pop() : undefined
      ) {
        inHand += 1
        worker.postMessage(plan)
      }
      if (inHand === 0) resolve()
    }
    worker.on('error', reject)
    worker.on('message', (verdict: Verdict) => {
      inHand -= 1
      done(verdict)
      deal()
    })
    deal()
  }).finally(() => void worker.terminate())
}
