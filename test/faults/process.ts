/**
 * One incarnation of the operator, seen from its ports: it can be killed at any moment, stand still, and have its clock
 * stepped. After its death nothing is answered to it and none of its timers fires.
 */
import type { Clock } from '../../src/loop/clock.ts'
import { createRandom } from './random.ts'
import type { Scheduler } from './scheduler.ts'

export interface Process {
  /** 1 for the first. */
  readonly number: number
  readonly clock: Clock
  alive(): boolean
  /** Runs `act` in the process: not at all once it is dead, later while it stands still. */
  deliver(act: () => void): void
  /** Whether something that left at `leftAt` is still on its way: what left after the moment of death is not. */
  left(leftAt: number): boolean
  /** `since`: what left at or after this never left. */
  kill(since?: number): void
  /** Stands still for so long; `suspended`: its monotonic clock as well. */
  pause(ms: number, suspended: boolean): void
  stepClock(ms: number): void
}

/** 2026-01-01T00:00:00Z, the start of every run. */
export const EPOCH_MS = Date.UTC(2026, 0, 1)

export function createProcess(number: number, scheduler: Scheduler, seed: number): Process {
  const random = createRandom(seed)
  let dead = false
  let diedAt = Number.POSITIVE_INFINITY
  let pausedUntil = 0
  let suspendedMs = 0
  let steppedMs = 0

  function deliver(act: () => void): void {
    if (dead) return
    const restMs = pausedUntil - scheduler.now()
    if (restMs > 0) scheduler.after(restMs, 'deferred', () => deliver(act))
    else act()
  }

  /** Timers run on the monotonic clock: what that stood still for is waited for as well. */
  const after: Clock['after'] = (ms, callback) => {
    let cancel = (): void => undefined
    const wait = (waitMs: number, suspendedBefore: number): void => {
      cancel = scheduler.after(waitMs, 'timer', () =>
        deliver(() => {
          const missedMs = suspendedMs - suspendedBefore
          if (missedMs > 0) wait(missedMs, suspendedMs)
          else callback()
        }),
      )
    }
    wait(ms, suspendedMs)
    return () => cancel()
  }

  const clock: Clock = {
    now: () => EPOCH_MS + scheduler.now() + steppedMs,
    monotonic: () => scheduler.now() - suspendedMs,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve()
          return
        }
        const done = (): void => {
          cancel()
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const cancel = after(ms, done)
        signal?.addEventListener('abort', done)
      }),
    yield: () => new Promise((resolve) => void after(0, resolve)),
    random: () => random.next(),
    randomHex: (bytes) => random.hex(bytes),
  }

  return {
    number,
    clock,
    alive: () => !dead,
    deliver,
    left: (leftAt) => leftAt < diedAt,
    kill: (since) => {
      dead = true
      diedAt = since ?? Number.POSITIVE_INFINITY
    },
    pause: (ms, suspended) => {
      pausedUntil = Math.max(pausedUntil, scheduler.now() + ms)
      if (suspended) suspendedMs += ms
    },
    stepClock: (ms) => void (steppedMs += ms),
  }
}
