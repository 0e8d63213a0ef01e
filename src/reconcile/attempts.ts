/**
 * What was tried with an object in this process: a refused step is not repeated until the wish changes or its time comes,
 * and a step that the cloud accepts without showing its effect is not repeated for ever. A restart forgets it: one more
 * try of a refused step harms nothing.
 */
import type { Clock } from '../loop/clock.ts'
import type { Verdict } from './conditions.ts'

export interface Attempts {
  /** The verdict of a refusal of exactly this attempt that still holds, with the time left. */
  refusal(uid: string, attempt: string): { readonly verdict: Verdict; readonly afterMs: number } | undefined
  refused(uid: string, attempt: string, verdict: Verdict, retryMs: number): void
  /** The cloud could not do exactly this attempt yet: not again before a time that doubles from `firstMs` up to `maxMs`, and is returned. */
  postponed(uid: string, attempt: string, verdict: Verdict, firstMs: number, maxMs: number): number
  /** How often the cloud accepted exactly this attempt without ever showing the effect, and when last. */
  accepted(uid: string, attempt: string): { readonly times: number; readonly agoMs: number } | undefined
  accept(uid: string, attempt: string): void
  /** Everything is as wished: earlier attempts no longer count. */
  forget(uid: string): void
}

interface Tried {
  refusal?: { readonly attempt: string; readonly verdict: Verdict; readonly until: number }
  postponed?: { readonly attempt: string; readonly lastMs: number }
  accepted?: { readonly attempt: string; readonly times: number; readonly at: number }
}

export function createAttempts(clock: Clock): Attempts {
  const tried = new Map<string, Tried>()
  const of = (uid: string): Tried => {
    const known = tried.get(uid) ?? {}
    tried.set(uid, known)
    return known
  }
  return {
    refusal(uid, attempt) {
      const known = tried.get(uid)?.refusal
      if (known?.attempt !== attempt) return undefined
      const afterMs = known.until - clock.monotonic()
      return afterMs > 0 ? { verdict: known.verdict, afterMs } : undefined
    },
    refused: (uid, attempt, verdict, retryMs) =>
      void (of(uid).refusal = { attempt, verdict, until: clock.monotonic() + retryMs }),
    postponed(uid, attempt, verdict, firstMs, maxMs) {
      const known = of(uid)
      const lastMs = known.postponed?.attempt === attempt ? known.postponed.lastMs : 0
      const afterMs = Math.min(Math.max(firstMs, lastMs * 2), Math.max(firstMs, maxMs))
      known.postponed = { attempt, lastMs: afterMs }
      known.refusal = { attempt, verdict, until: clock.monotonic() + afterMs }
      return afterMs
    },
    accepted(uid, attempt) {
      const known = tried.get(uid)?.accepted
      if (known?.attempt !== attempt) return undefined
      return { times: known.times, agoMs: clock.monotonic() - known.at }
    },
    accept(uid, attempt) {
      const known = of(uid)
      const times = known.accepted?.attempt === attempt ? known.accepted.times + 1 : 1
      known.accepted = { attempt, times, at: clock.monotonic() }
    },
    forget: (uid) => void tried.delete(uid),
  }
}
