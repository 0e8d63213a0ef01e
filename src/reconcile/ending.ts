/** How a step or a pass ends, in the words its parts share. Pure. */
import type { Verdict } from './conditions.ts'
import type { Seen } from './kind.ts'
import type { Ended } from './pass.ts'

export type Performed =
  { readonly is: 'seen'; readonly seen: Seen } | { readonly is: 'ended'; readonly ended: Ended }

/** accepted: done, but the answer names nothing. */
export type Sent = Performed | { readonly is: 'accepted' }

export function ended(verdict: Verdict, afterMs?: number): { readonly is: 'ended'; readonly ended: Ended } {
  return { is: 'ended', ended: { verdict, ...(afterMs !== undefined && { afterMs }) } }
}

export function working(
  reason: Extract<Verdict, { is: 'working' }>['reason'],
  message: string,
  usable: 'unknown' | 'no' = 'unknown',
): Verdict {
  return { is: 'working', reason, message, usable }
}

/** Detail of an operation that the service accepted. Without it (no answer, or this process died) it may not have happened. */
export const ANSWERED = 'answered'

/** Detail of a create that the service accepted without naming its result. */
export const ACCEPTED = 'accepted'

/** Detail of an operation in the place of one that was accepted and never showed: the generation of the wish of both. */
export const AGAIN = 'again'
