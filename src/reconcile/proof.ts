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
  reads: number
  lastAt: number
}

export function createProofs(clock: Clock): Proofs {
  const progress = new Map<string, Progress>()
  return {
    absent(subject, settleMs, sinceMs) {
      const now = clock.now()
      const spacing = settleMs / SPACING
      const before = progress.get(subject) ?? { reads: 0, lastAt: Number.NEGATIVE_INFINITY }
      const counts = now - before.lastAt >= spacing
      const current = counts ? { reads: before.reads + 1, lastAt: now } : before
      progress.set(subject, current)
      if (counts && current.reads >= READS && now >= sinceMs + settleMs) {
        progress.delete(subject)
        return 'proven'
      }
      const nextRead = current.lastAt + spacing
      const settled = sinceMs + settleMs
      const due = current.reads >= READS - 1 ? Math.max(nextRead, settled) : nextRead
      return { afterMs: Math.max(due - now, 1) + 1 }
    },
    agreed(subject) {
      const reads = (progress.get(subject)?.reads ?? 0) + 1
      progress.set(subject, { reads, lastAt: clock.now() })
      return reads >= AGREEING_READS
    },
    reset: (subject) => void progress.delete(subject),
  }
}
