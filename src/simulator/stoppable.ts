/** A clock whose pending waits can be ended, so that a stopped simulator keeps no process alive. */
import type { Clock } from '../loop/clock.ts'

/** `stop` ends every sleep at once and cancels what was to be called back. */
export function stoppable(clock: Clock): { clock: Clock; stop: () => void } {
  const stopped = new AbortController()
  const pending = new Set<() => void>()
  const after: Clock['after'] = (ms, callback) => {
    const cancel = clock.after(ms, () => {
      pending.delete(cancel)
      callback()
    })
    pending.add(cancel)
    return () => {
      pending.delete(cancel)
      cancel()
    }
  }
  return {
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after,
      sleep: (ms) => clock.sleep(ms, stopped.signal),
      yield: () => clock.yield(),
      random: () => clock.random(),
      randomHex: (bytes) => clock.randomHex(bytes),
    },
    stop: () => {
      stopped.abort()
      for (const cancel of pending) cancel()
      pending.clear()
    },
  }
}
