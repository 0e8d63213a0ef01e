/**
 * The only file of the operator that touches wall time, monotonic time, timers and randomness.
 * Everything else takes a Clock, so that tests and the fault rig can drive time.
 */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number
  /** Monotonic time in milliseconds; never goes back. */
  monotonic(): number
  /** Calls back once after `ms`; returns the cancel function. Never keeps the process alive by itself when `unref`. */
  after(ms: number, callback: () => void): () => void
  /** Resolves after `ms`, or at once (without an error) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Yields to the event loop once. */
  yield(): Promise<void>
  /** Uniform in [0, 1). */
  random(): number
  /** `bytes` random bytes as lower-case hexadecimal. */
  randomHex(bytes: number): string
}

/** `now` as RFC 3339 with second resolution, the form Kubernetes uses in conditions. */
export function timestamp(clock: Clock): string {
  return rfc3339(clock.now())
}

/** Milliseconds since the epoch as RFC 3339 with second resolution. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}Z`
}

/** Milliseconds since the epoch as RFC 3339 with microsecond resolution (Lease times). */
export function rfc3339Micro(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`
}

/** RFC 3339 to milliseconds since the epoch; undefined when it is not a time. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve()
        return
      }
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
    }),
  yield: () => new Promise((resolve) => setImmediate(resolve)),
  random: () => Math.random(),
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
}
