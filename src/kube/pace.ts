/** What a reflector does next, and after how long: the table of ends and errors. */
import type { Clock } from '../loop/clock.ts'
import type { KubeError } from './errors.ts'
import type { StreamEnd } from './stream.ts'

export interface ReflectorDurations {
  /** Back-off after errors: the first, doubled up to the last. */
  readonly backoffMs: number
  readonly backoffMaxMs: number
  /** After 403 and 404: only a person changes these. */
  readonly deniedMs: number
  /** A stream without a byte for this long is given up. The server sends a bookmark each minute. */
  readonly silenceMs: number
  /** The server ends a stream after a random time between these. */
  readonly watchMinMs: number
  readonly watchMaxMs: number
}

export const REFLECTOR_DURATIONS: ReflectorDurations = {
  backoffMs: 800,
  backoffMaxMs: 30_000,
  deniedMs: 30_000,
  silenceMs: 150_000,
  watchMinMs: 300_000,
  watchMaxMs: 600_000,
}

export interface Step {
  readonly next: 'list' | 'watch'
  readonly delayMs: number
}

export interface Pace {
  /** An event or bookmark was applied: what failed before is over. */
  progress(): void
  /** A list was taken over. */
  listed(): Step
  /** A list that was not believed. */
  distrusted(): Step
  /**
   * `healthy`: the stream brought something or lasted. `interrupted`: it ended before the time it was asked to last, or the server
   * was away meanwhile.
   */
  ended(end: StreamEnd, healthy: boolean, interrupted: boolean): Step
  failed(doing: Step['next'], error: KubeError): Step
}

/** An event that cannot be read so often in a row is passed over by a relist. */
const MALFORMED_IN_A_ROW = 3

export function createPace(clock: Clock, durations: ReflectorDurations): Pace {
  let failures = 0
  let malformed = 0

  function backoff(): number {
    failures += 1
    return jittered(Math.min(durations.backoffMaxMs, durations.backoffMs * 2 ** Math.min(failures - 1, 20)))
  }

  function jittered(ms: number): number {
    return ms * (0.5 + clock.random() / 2)
  }

  return {
    progress: () => {
      failures = 0
      malformed = 0
    },
    listed: () => {
      malformed = 0
      return { next: 'watch', delayMs: 0 }
    },
    distrusted: () => ({ next: 'list', delayMs: backoff() }),
    ended: (end, healthy, interrupted) => {
      switch (end) {
        case 'ended':
          // The server may have come back with an older state that has passed our version since: only a list tells.
          return { next: interrupted ? 'list' : 'watch', delayMs: healthy ? 0 : backoff() }
        case 'silence':
          return { next: 'list', delayMs: 0 }
        case 'gone': {
          const delayMs = failures === 0 ? 0 : backoff()
          failures = Math.max(failures, 1)
          return { next: 'list', delayMs }
        }
        case 'malformed':
          malformed += 1
          return { next: malformed < MALFORMED_IN_A_ROW ? 'watch' : 'list', delayMs: backoff() }
        case 'backwards':
          return { next: 'list', delayMs: backoff() }
      }
    },
    failed: (doing, error) => {
      switch (error.class) {
        case 'gone':
        case 'tooLarge':
          return { next: 'list', delayMs: backoff() }
        case 'notFound':
          // When the resource comes back it may be another one of the same name.
          return { next: 'list', delayMs: jittered(durations.deniedMs) }
        case 'forbidden':
          return { next: doing, delayMs: jittered(durations.deniedMs) }
        default:
          return { next: doing, delayMs: Math.max(backoff(), error.retryAfterMs ?? 0) }
      }
    },
  }
}
