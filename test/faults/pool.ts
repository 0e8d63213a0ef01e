/** As many threads as cores, each with a few plans in hand. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Plan } from './plan.ts'
import { fold } from './random.ts'
import type { Verdict } from './worker.ts'

const IN_HAND = 2

export interface Pool {
  /** Judges every plan; `done` is told of each as it comes. Rejects when a thread breaks. One call at a time. */
  judge(plans: readonly Plan[], done: (verdict: Verdict) => void): Promise<void>
  close(): void
}

/** A story stays with its thread, which keeps its undisturbed run; who has none left helps another. */
export function openPool(): Pool {
  const threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('./worker.ts', import.meta.url)),
  )
  return {
    judge: async (plans, done) => {
      const own: Plan[][] = threads.map(() => [])
      for (const plan of plans.toReversed()) own[homeOf(plan, threads.length)]?.push(plan)
      const next = (index: number): Plan | undefined =>
        own[index]?.pop() ?? own.find((list) => list.length > 0)?.pop()
      await Promise.all(threads.map((thread, index) => workThrough(thread, () => next(index), done)))
    },
    close: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function homeOf({ scenario, profile, leaders }: Plan, threads: number): number {
  return fold(0, `${scenario} ${profile} ${leaders ?? ''}`) % threads
}

function workThrough(
  thread: Worker,
  next: () => Plan | undefined,
  done: (verdict: Verdict) => void,
): Promise<void> {
  let inHand = 0
  return new Promise<void>((resolve, reject) => {
    const deal = (): void => {
      while (inHand < IN_HAND) {
        const plan = next()
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
