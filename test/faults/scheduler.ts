/**
 * Virtual time: a heap of events, ordered by time and, among equal times, by a seeded draw. Between two events every
 * promise that is already resolved runs to its end. Nothing here waits for real time.
 */
import { fold, type Random } from './random.ts'

export interface Scheduler {
  /** Milliseconds since the start of the run. */
  now(): number
  /** Calls back once after `ms`; returns the function that cancels it. `label` goes into the trace. */
  after(ms: number, label: string, run: () => void): () => void
  /** Runs events until `done` holds, or until `deadline`; says whether `done` holds. */
  run(done: () => boolean, deadline: number): Promise<boolean>
  /** Events so far. */
  steps(): number
  /** What ran and when, as one word. */
  trace(): string
}

interface Event {
  readonly at: number
  readonly tie: number
  readonly label: string
  run: (() => void) | undefined
}

/** More events than any sound run has: something runs in a circle. */
const STEPS_MAX = 400_000

export class EndlessRun extends Error {
  override readonly name = 'EndlessRun'
}

export function createScheduler(random: Random): Scheduler {
  const heap: Event[] = []
  let now = 0
  let steps = 0
  let hash = 0x811c9dc5

  return {
    now: () => now,
    after: (ms, label, run) => {
      const event: Event = { at: now + Math.max(0, ms), tie: random.next(), label, run }
      push(heap, event)
      return () => (event.run = undefined)
    },
    run: async (done, deadline) => {
      await outside()
      while (!done()) {
        const next = heap[0]
        if (next === undefined || next.at > deadline) {
          now = Math.max(now, deadline)
          return false
        }
        pop(heap)
        const act = next.run
        if (act === undefined) continue
        next.run = undefined
        now = next.at
        steps += 1
        if (steps > STEPS_MAX)
          throw new EndlessRun(`more than ${STEPS_MAX} events, the last one ${next.label}`)
        hash = fold(hash ^ Math.round(next.at * 1_000), next.label)
        act()
        await drained()
      }
      return true
    },
    steps: () => steps,
    trace: () => hash.toString(16).padStart(8, '0'),
  }
}

/** After every promise that is already resolved, without a turn of the event loop: those are most of a run's time. */
function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** One turn of the event loop: what is outside of the run (messages to the thread, a test's time limit) has its turn. */
function outside(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function before(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie)
}

function push(heap: Event[], event: Event): void {
  let at = heap.length
  heap.push(event)
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !before(event, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = event
}

/** Takes the first one off. */
function pop(heap: Event[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = heap[2 * at + 1]
    const right = heap[2 * at + 2]
    if (left === undefined) break
    const rightFirst = right !== undefined && before(right, left)
    const child = rightFirst ? right : left
    if (!before(child, last)) break
    heap[at] = child
    at = 2 * at + (rightFirst ? 2 : 1)
  }
  heap[at] = last
}
