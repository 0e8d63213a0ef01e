/**
 * How old an open operation is. The wall clock is asked once, when this process first meets it; from then on the monotonic one
 * counts, so that a stepped clock neither hurries a time-out nor holds it up.
 */
import type { Operation } from '../api/shared.ts'
import { parseTime, type Clock } from '../loop/clock.ts'

export interface Ages {
  /** Milliseconds since the intent was written; never negative. */
  of(operation: Operation): number
}

interface Met {
  readonly at: number
  readonly ageMs: number
}

/** The time on record has whole seconds, cut off: nothing counts as older than it is. */
const CUT_OFF_MS = 999

/** Far more than are ever open at once. */
const MOST = 20_000

export function createAges(clock: Clock): Ages {
  const met = new Map<string, Met>()
  const meet = (operation: Operation): Met => {
    const issuedMs = parseTime(operation.issuedAt) ?? clock.now()
    const first = { at: clock.monotonic(), ageMs: Math.max(0, clock.now() - issuedMs - CUT_OFF_MS) }
    if (met.size >= MOST) met.delete(met.keys().next().value ?? '')
    met.set(operation.id, first)
    return first
  }
  return {
    of: (operation) => {
      const { at, ageMs } = met.get(operation.id) ?? meet(operation)
      return ageMs + clock.monotonic() - at
    },
  }
}
