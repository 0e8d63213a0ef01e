/** As many threads as cores, each with a few plans in hand. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Plan } from './plan.ts'
import type { Verdict } from './worker.ts'

const IN_HAND = 2

export interface Pool {
  /** Judges every plan; `done` is told of each as it comes. Rejects when a thread breaks. One call at a time. */
  judge(plans: readonly Plan[], done: (verdict: Verdict) => void): Promise<void>
  close(): void
}

/** The threads keep what they learned, undisturbed runs above all, from one call to the next. */
export function openPool(): Pool {
  const threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('./worker.ts', import.meta.url)),
  )
  return {
    judge: async (plans, done) => {
      const waiting = [...plans].reverse()
      await Promise.all(threads.map((thread) => workThrough(thread, waiting, done)))
    },
    close: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function workThrough(thread: Worker, waiting: Plan[], done: (verdict: Verdict) => void): Promise<void> {
  let inHand = 0
  return new Promise<void>((resolve, reject) => {
    const deal = (): void => {
      while (inHand < IN_HAND) {
        const plan = waiting.pop()
        if (plan === undefined) break
        inHand += 1
        thread.postMessage(plan)
      }
      if (inHand === 0) resolve()
    }
    thread.removeAllListeners()
    thread.on('error', reject)
    thread.on('message', (verdict: Verdict) => {
      inHand -= 1
      done(verdict)
      deal()
    })
    deal()
  })
}
