/** A clock that only moves when a test moves it. */
import type { Clock } from '../../src/loop/clock.ts'

export interface ManualClock extends Clock {
  /** Moves wall and monotonic time by `ms`, firing what falls due on the way, each with time to settle. */
  advance(ms: number): Promise<void>
  /** Moves the wall time alone (a stepped clock, or a machine that was suspended). */
  jumpWall(ms: number): void
  /** Timers that wait. */
  pending(): number
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** Starts at 2026-01-01T00:00:00Z; `random` is a fixed sequence, the same in every test. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let wall = startMs
  let monotonic = 0
  let state = 1
  const timers = new Set<Timer>()

  function after(ms: number, callback: () => void): () => void {
    const timer = { at: monotonic + Math.max(0, ms), callback }
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  function earliest(until: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) {
      if (timer.at <= until && (first === undefined || timer.at < first.at)) first = timer
    }
    return first
  }

  function moveTo(at: number): void {
    wall += at - monotonic
    monotonic = at
  }

  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }

  return {
    now: () => wall,
    monotonic: () => monotonic,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve()
          return
        }
        const done = () => {
          cancel()
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const cancel = after(ms, done)
        signal?.addEventListener('abort', done)
      }),
    yield: settle,
    random,
    randomHex: (bytes) =>
      Array.from({ length: bytes }, () =>
        Math.floor(random() * 256)
          .toString(16)
          .padStart(2, '0'),
      ).join(''),
    advance: async (ms) => {
      const until = monotonic + ms
      await settle()
      for (let timer = earliest(until); timer !== undefined; timer = earliest(until)) {
        timers.delete(timer)
        moveTo(Math.max(monotonic, timer.at))
        timer.callback()
        await settle()
      }
      moveTo(until)
    },
    jumpWall: (ms) => void (wall += ms),
    pending: () => timers.size,
  }
}

/** One turn of the event loop drains every promise that is already resolved. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
