/**
 * Proof that something is absent: reads converge late, so one read never proves it. At least three complete reads under
 * the same identity, a thirtieth of the settle time apart, the last one after the settle time; a failed read starts anew.
 */
import type { Clock } from '../loop/clock.ts'

export interface Proofs {
  /** Records one complete read that showed nothing. `sinceMs`: wall time the settle time counts from. */
  absent(subject: string, settleMs: number, sinceMs: number): 'proven' | { readonly afterMs: number }
  /** Records one read in which list and exact read agree that a deleted object is gone; true from the second on. */
  agreed(subject: string): boolean
  /** A read failed or showed the subject: the proof starts anew. */
  reset(subject: string): void
}

const READS = 3
const SPACING = 30
/** What costs money is believed gone only when two looks agree. */
const AGREEING_READS = 2

interface Progress {
  readonly reads: number
  /** Monotonic: a stepped wall clock neither hurries a proof nor holds it up. */
  readonly firstAt: number
  readonly lastAt: number
  /** How much of the settle time had passed at the first read, by the wall clock. */
  readonly passedMs: number
}

export function createProofs(clock: Clock): Proofs {
  const progress = new Map<string, Progress>()
  const begun = (sinceMs: number): Progress => ({
    reads: 0,
    firstAt: clock.monotonic(),
    lastAt: Number.NEGATIVE_INFINITY,
    passedMs: Math.max(0, clock.now() - sinceMs),
  })
  return {
    absent(subject, settleMs, sinceMs) {
      const now = clock.monotonic()
      const spacing = settleMs / SPACING
      const before = progress.get(subject) ?? begun(sinceMs)
      const counts = now - before.lastAt >= spacing
      const current = counts ? { ...before, reads: before.reads + 1, lastAt: now } : before
      progress.set(subject, current)
      const settledAt = current.firstAt + settleMs - current.passedMs
      if (counts && current.reads >= READS && now >= settledAt) {
        progress.delete(subject)
        return 'proven'
      }
      const nextRead = current.lastAt + spacing
      const due = current.reads >= READS - 1 ? Math.max(nextRead, settledAt) : nextRead
      return { afterMs: Math.max(due - now, 1) + 1 }
    },
    agreed(subject) {
      const before = progress.get(subject) ?? begun(Number.NEGATIVE_INFINITY)
      const reads = before.reads + 1
      progress.set(subject, { ...before, reads, lastAt: clock.monotonic() })
      return reads >= AGREEING_READS
    },
    reset: (subject) => void progress.delete(subject),
  }
}
