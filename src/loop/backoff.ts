/** Growing delays per key. */
import type { Clock } from './clock.ts'

export interface Backoff {
  /** The next delay of `key` in milliseconds, and longer the time after. */
  next(key: string): number
  /** After a success: the next delay is the first again. */
  forget(key: string): void
}

export interface BackoffOptions {
  readonly clock: Clock
  /** Default 1 s. */
  readonly firstMs?: number
  /** Default 5 min. */
  readonly maxMs?: number
}

/** Doubles from `firstMs` to `maxMs`; each delay is spread over its upper half, so that keys part. */
export function createBackoff(o: BackoffOptions): Backoff {
  const firstMs = o.firstMs ?? 1_000
  const maxMs = o.maxMs ?? 300_000
  const failures = new Map<string, number>()
  return {
    next: (key) => {
      const count = failures.get(key) ?? 0
      failures.set(key, count + 1)
      return jittered(o.clock, Math.min(maxMs, firstMs * 2 ** Math.min(count, 30)))
    },
    forget: (key) => void failures.delete(key),
  }
}

/** Uniform between half of `ms` and `ms`. */
export function jittered(clock: Clock, ms: number): number {
  return ms * (0.5 + clock.random() / 2)
}
