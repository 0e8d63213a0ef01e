/** The way into a pass: the account's session, the pinned identity and the place. */
import type { Outcome } from '../loop/outcome.ts'
import type { SessionState } from './accounts.ts'
import { accountLeaves, accountNameOf, lenderOf } from './follow.ts'
import { sessionOf, wasLost, type Ended, type Pass } from './pass.ts'
import type { Wait } from './plan.ts'

/** The state of the account that the object uses. */
export function accountOf({ env, kind, object }: Pass): SessionState {
  const name = accountNameOf(env.stores, kind.follows, object)
  if (name !== undefined) return env.accounts.session(object.metadata.namespace, name)
  const followed = `${kind.follows?.kind ?? ''} ${kind.follows?.name(object) ?? ''}`
  return { is: 'waiting', message: `${followed} does not exist yet` }
}

/**
 * Right after a start: the account's own pass comes first. It wakes everything on record as using it; what takes its account
 * from another object may not be yet, and looks again by itself. Undefined: the account was looked at.
 */
export function tooEarly(pass: Pass): Outcome | undefined {
  if (accountOf(pass).is !== 'unseen') return undefined
  return pass.kind.follows === undefined ? {} : { afterMs: pass.env.durations.pollMs }
}

/** The account's session, the pinned identity and the location; an ending where one of them is not there. */
export function enter(pass: Pass): Ended | undefined {
  const { env, kind, object, draft } = pass
  const name = accountNameOf(env.stores, kind.follows, object)
  const state = accountOf(pass)
  if (state.is !== 'ready') {
    const field = kind.follows?.field ?? 'spec.accountRef'
    const message = `${field}: ${state.is === 'waiting' ? state.message : `CloudAccount ${name ?? ''} was not looked at yet`}`
    if (name === undefined) return waitForWish(pass, { reason: 'WaitingForDependency', message })
    return { verdict: { is: 'unread', reason: 'AccountUnavailable', message } }
  }
  const { session } = state
  pass.session = session
  // Before anything may exist, account and location can still be corrected.
  const bound = draft.id !== undefined || draft.operation !== undefined
  const begins = !bound && object.metadata.deletionTimestamp === undefined && !looksForLost(pass)
  if (begins && accountLeaves(env.stores, kind.follows, object)) {
    const message = `${kind.follows?.field ?? 'spec.accountRef'}: CloudAccount ${name ?? ''} is being deleted, and nothing new is made with it; refer to another account, or delete this object`
    return { verdict: { is: 'unread', reason: 'AccountUnavailable', message } }
  }
  if (
    bound &&
    draft.account !== undefined &&
    (draft.account.endpoint !== session.endpoint || draft.account.userID !== session.userID)
  ) {
    const message = `this object belongs to user ${draft.account.userID} at ${draft.account.endpoint}, and CloudAccount ${name ?? ''} is user ${session.userID} at ${session.endpoint}: nothing is done under another identity; give the account its old key back`
    return { verdict: { is: 'stalled', reason: 'IdentityMismatch', message } }
  }
  const lender = lenderOf(env.stores, kind.follows, object)
  const placed = lender?.status?.location ?? lender?.spec.location ?? object.spec.location
  pass.location = (bound ? draft.location : undefined) ?? placed ?? session.defaultLocation
  if (session.locations.some((each) => each.slug === pass.location)) return undefined
  const known = session.locations.map((each) => each.slug).join(', ')
  const message = `spec.location: the service has no location ${pass.location}; it has ${known}`
  return { verdict: { is: 'stalled', reason: 'InvalidSpec', message } }
}

/** A reference or a secret is not there yet: what exists stays as it is. */
export function waitForWish(pass: Pass, wait: Wait): Ended {
  const usable = pass.draft.id === undefined ? 'no' : 'unknown'
  return { verdict: { is: 'working', ...wait, usable }, afterMs: pass.env.durations.secretWaitMs }
}

/** What a lost status may have known of is only looked for, and a record of that comes before anything new. */
function looksForLost(pass: Pass): boolean {
  return wasLost(pass) && pass.kind.creation.identity(sessionOf(pass)) !== 'name'
}
