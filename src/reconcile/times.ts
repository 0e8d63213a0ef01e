/** Times as services show them: in several forms, so that text is never compared. Pure. */
import { parseTime } from '../loop/clock.ts'

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/

/** Milliseconds since the epoch; one without a zone counts as UTC. Undefined: not a time. */
export function timeMs(text: string | undefined): number | undefined {
  if (text === undefined || ZONED.test(text)) return parseTime(text)
  return parseTime(`${text.replace(' ', 'T')}Z`)
}

/** For sorting: oldest first, and before them what has no time. */
export function byTime(a: string | undefined, b: string | undefined): number {
  return (timeMs(a) ?? 0) - (timeMs(b) ?? 0)
}

const PARTS_OF_A_SECOND = /:\d\d[.,]\d/

/** Whether two texts may name the same moment: some forms leave out the parts of a second, and what is no time tells nothing. */
export function mayBeSameTime(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return true
  const [aMs, bMs] = [timeMs(a), timeMs(b)]
  if (aMs === undefined || bMs === undefined) return true
  const fine = PARTS_OF_A_SECOND.test(a) && PARTS_OF_A_SECOND.test(b)
  return fine ? aMs === bMs : Math.floor(aMs / 1_000) === Math.floor(bMs / 1_000)
}
