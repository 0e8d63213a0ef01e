/** A request's time, on the clock. */
import type { Clock } from '../loop/clock.ts'

export interface TimeLimit {
  readonly signal: AbortSignal
  /** Whether the time was up, rather than the outer signal aborted. */
  expired(): boolean
  end(): void
}

/** A signal that aborts after `ms` or with `outer`; `end` must be called when the request is over. */
export function timeLimit(clock: Clock, ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let expired = false
  const abort = () => controller.abort()
  if (outer?.aborted === true) abort()
  outer?.addEventListener('abort', abort)
  const cancel = clock.after(ms, () => {
    expired = true
    abort()
  })
  return {
    signal: controller.signal,
    expired: () => expired,
    end: () => {
      cancel()
      outer?.removeEventListener('abort', abort)
    },
  }
}
