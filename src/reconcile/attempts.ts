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
  refusal?: { readonly verdict: Verdict; readonly until: number }
  postponedMs?: number
  accepted?: { readonly times: number; readonly at: number }
}

export function createAttempts(clock: Clock): Attempts {
  const objects = new Map<string, Map<string, Tried>>()
  const known = (uid: string, attempt: string): Tried | undefined => objects.get(uid)?.get(attempt)
  const noted = (uid: string, attempt: string): Tried => {
    const attempts = objects.get(uid) ?? new Map<string, Tried>()
    objects.set(uid, attempts)
    const tried = attempts.get(attempt) ?? {}
    attempts.set(attempt, tried)
    return tried
  }
  const refused = (tried: Tried, verdict: Verdict, retryMs: number): void => {
    tried.refusal = { verdict, until: clock.monotonic() + retryMs }
  }
  return {
    refusal(uid, attempt) {
      const refusal = known(uid, attempt)?.refusal
      if (refusal === undefined) return undefined
      const afterMs = refusal.until - clock.monotonic()
      return afterMs > 0 ? { verdict: refusal.verdict, afterMs } : undefined
    },
    refused: (uid, attempt, verdict, retryMs) => refused(noted(uid, attempt), verdict, retryMs),
    postponed(uid, attempt, verdict, firstMs, maxMs) {
      const tried = noted(uid, attempt)
      const afterMs = Math.max(firstMs, Math.min((tried.postponedMs ?? 0) * 2, maxMs))
      tried.postponedMs = afterMs
      refused(tried, verdict, afterMs)
      return afterMs
    },
    accepted(uid, attempt) {
      const accepted = known(uid, attempt)?.accepted
      return accepted && { times: accepted.times, agoMs: clock.monotonic() - accepted.at }
    },
    accept(uid, attempt) {
      const tried = noted(uid, attempt)
      tried.accepted = { times: (tried.accepted?.times ?? 0) + 1, at: clock.monotonic() }
    },
    forget: (uid) => void objects.delete(uid),
  }
}
