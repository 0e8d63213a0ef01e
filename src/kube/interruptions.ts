/** When the connection to the server was last lost, as all streams of this process have seen it. */
import type { Clock } from '../loop/clock.ts'

export interface Interruptions {
  /** A stream broke, or ended before its time; or the server could not be reached. */
  note(): void
  /** Whether one was noted after `monotonicMs`. */
  since(monotonicMs: number): boolean
}

/**
 * To be shared by the reflectors of one server: a stream that ends on time just when the server stops does not know of it, and the
 * others do.
 */
export function createInterruptions(clock: Clock): Interruptions {
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    note: () => void (lastMs = clock.monotonic()),
    since: (monotonicMs) => lastMs > monotonicMs,
  }
}
