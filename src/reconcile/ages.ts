/**
 * How long ago the request of an open operation can have left at the latest: from then on the settle time counts. The wall clock
 * is asked once, when this process first meets it; from then on the monotonic one counts, so that a stepped clock neither
 * hurries a time-out nor holds it up.
 */
import type { Operation } from '../api/shared.ts'
import { parseTime, type Clock } from '../loop/clock.ts'

export interface Ages {
  /** Milliseconds since the request left, or can have left at the latest; never negative. */
  of(operation: Operation): number
  /** This process has just written the intent, or its request is leaving right now. */
  begin(operation: Pick<Operation, 'id'>): void
}

interface Met {
  readonly at: number
  readonly ageMs: number
}

/** The time on record has whole seconds, cut off: nothing counts as older than it is. */
const CUT_OFF_MS = 999

/** Far more than are ever open at once. */
const MOST = 20_000

/** `intentMs`: so long after its intent a request of another process may have left. */
export function createAges(clock: Clock, intentMs: number): Ages {
  const met = new Map<string, Met>()
  const note = (id: string, ageMs: number): Met => {
    const first = { at: clock.monotonic(), ageMs }
    if (met.size >= MOST) met.delete(met.keys().next().value ?? '')
    met.set(id, first)
    return first
  }
  const meet = ({ id, issuedAt }: Operation): Met => {
    const issuedMs = parseTime(issuedAt) ?? clock.now()
    return note(id, Math.max(0, clock.now() - issuedMs - CUT_OFF_MS - intentMs))
  }
  return {
    begin: ({ id }) => void note(id, 0),
    of: (operation) => {
      const { at, ageMs } = met.get(operation.id) ?? meet(operation)
      return ageMs + clock.monotonic() - at
    },
  }
}
