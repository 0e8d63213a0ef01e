/** One pass over one object: the order of everything, each part in a file of its own. */
import { validateSpec } from '../api/validate.ts'
import { parseTime } from '../loop/clock.ts'
import type { Outcome } from '../loop/outcome.ts'
import { adoptExisting } from './adopt.ts'
import type { CommonStatus } from '../api/shared.ts'
import { accept, howToRecreate, recreateAsked } from './answers.ts'
import { observesOnly } from './approval.ts'
import { confirmCreated } from './confirm.ts'
import { converge, observe, pausedVerdict, readExactly, type Observed } from './converge.ts'
import { create, takeUp } from './create.ts'
import { deliver, mayDeliver } from './delivery.ts'
import {
  byMarker,
  confirmDeletion,
  keepAndRelease,
  remove,
  removeLeftovers,
  retains,
  type Deleted,
} from './deletion.ts'
import { enter, tooEarly, waitForWish } from './enter.ts'
import { accountNameOf } from './follow.ts'
import { cloudErrors, finish, passOver } from './frame.ts'
import type { Environment } from './environment.ts'
import type { Seen } from './kind.ts'
import { ended, working, type Performed } from './ending.ts'
import { lostBeforeWish, lostUnderAnother } from './lost.ts'
import { isCopied, notOurs, sameObject, takeStatus } from './ownership.ts'
import * as passes from './pass.ts'
import {
  hasFinalizer,
  holdObject,
  isPaused,
  patchDraft,
  readContext,
  sessionOf,
  wasLost,
  type AnyKind,
  type Ended,
  type Pass,
} from './pass.ts'
import { resolveCreate, resolveEffect, type Resolved } from './resolve.ts'
import { beginRotation } from './rotation.ts'
import { readWish } from './wish.ts'

/** The reconcile function of a kind, for the controller. Throws only KubeErrors and bugs. */
export function reconciler(env: Environment, kind: AnyKind): (key: string) => Promise<Outcome> {
  return passOver(env, kind, run)
}

async function run(pass: Pass): Promise<Outcome> {
  const early = tooEarly(pass)
  if (early !== undefined) return early
  if (pass.object.metadata.deletionTimestamp === undefined) {
    takeStatus(pass)
    return finish(pass, await cloudErrors(pass, () => live(pass)))
  }
  if (!hasFinalizer(pass.object)) return {}
  if (!(await confirmDeletion(pass))) return { afterMs: pass.env.durations.pollMs }
  takeStatus(pass)
  const deleted = await leave(pass)
  return deleted === 'released' ? {} : finish(pass, deleted)
}

async function leave(pass: Pass): Promise<Ended | 'released'> {
  return cloudErrors<Ended | 'released'>(pass, async () => {
    const deleted = await leaveOrKeep(pass)
    return deleted.is === 'ended' ? deleted.ended : 'released'
  })
}

async function leaveOrKeep(pass: Pass): Promise<Deleted> {
  const { draft, env, kind, object } = pass
  if (isCopied(pass)) return leaveCopied(pass)
  const began = draft.id !== undefined || draft.operation !== undefined
  // What it follows was never there: nothing was made, and there is no account to look in.
  const nowhere = !began && accountNameOf(env.stores, kind.follows, object) === undefined
  if (nowhere || (draft.operation === undefined && (await retains(pass)))) return keepAndRelease(pass)
  const blocked = enter(pass)
  if (blocked !== undefined) return { is: 'ended', ended: blocked }
  return remove(pass)
}

/** What a copied status names is left alone. What this object made before that was written over its own, its marker tells. */
async function leaveCopied(pass: Pass): Promise<Deleted> {
  const copied = pass.draft
  // Under which identity and where it would be is this object's own matter.
  pass.draft = {}
  const entered = enter(pass) === undefined
  if (entered && (await byMarker(pass)) !== undefined) return remove(pass)
  const lost = entered && !(await retains(pass)) ? lostUnderAnother(pass) : undefined
  if (lost !== undefined) return { is: 'ended', ended: { verdict: lost, afterMs: 0 } }
  pass.draft = copied
  return keepAndRelease(pass)
}

async function live(pass: Pass): Promise<Ended> {
  const spec = validateSpec(pass.kind.kind, pass.object.spec)
  if (!spec.ok)
    return { verdict: { is: 'stalled', reason: 'InvalidSpec', message: `${spec.field}: ${spec.message}` } }
  const blocked = enter(pass)
  if (blocked !== undefined) return blocked
  // Taken away by somebody: without it a deletion would leave what was made.
  if (!isCopied(pass) && (pass.draft.id !== undefined || pass.draft.operation !== undefined))
    await holdObject(pass)
  const wish = await readWish(pass)
  const want = wish.is === 'ready' ? wish.want : undefined
  const open = await settleOpen(pass, want)
  if (open?.is === 'ended') return open.ended
  // Whatever the wish waits for: what was made before the status was lost is this object's.
  const unsure = wasToldLost(pass) || (wish.is === 'waiting' && wish.mayBeOurs === true)
  const takenUp = unsure ? await takeUp(pass) : undefined
  if (takenUp !== undefined) return takenUp
  const asked = wish.is !== 'ready' && wasToldLost(pass) ? lostBeforeWish(pass) : undefined
  if (asked !== undefined) return { verdict: asked, afterMs: 0 }
  if (wish.is === 'waiting') return waitForWish(pass, wish.wait)
  if (wish.is === 'blocked')
    return { verdict: { is: 'stalled', ...wish.block }, afterMs: pass.env.durations.secretWaitMs }
  if (!isCopied(pass)) beginRotation(pass)
  const ended =
    pass.draft.id === undefined
      ? await begin(pass, wish.want)
      : await goOn(pass, pass.draft.id, wish.want, open?.seen)
  const { id } = pass.draft
  return ended.verdict.is === 'good' && id !== undefined ? deliver(pass, ended, id) : ended
}

/** What became of an open operation, before anything new is begun. */
async function settleOpen(pass: Pass, want: unknown): Promise<Resolved | undefined> {
  const operation = pass.draft.operation
  if (operation === undefined) return undefined
  if (operation.verb === 'create') {
    const resolved = await resolveCreate(pass, operation, want)
    return resolved.is === 'clear' && resolved.seen !== undefined
      ? confirmCreated(pass, resolved.seen)
      : resolved
  }
  const id = pass.draft.id
  if (id === undefined) {
    patchDraft(pass, { operation: undefined })
    return undefined
  }
  return resolveEffect(pass, operation, id)
}

/** No cloud object yet: take over or make one. */
async function begin(pass: Pass, want: unknown): Promise<Ended> {
  const { adopt } = pass.object.spec
  const pinned = pass.kind.pins?.(want)
  if (pinned !== undefined) patchDraft(pass, pinned)
  if (adopt === undefined && observesOnly(pass)) {
    const message = 'spec.lifecycle.management: ObserveOnly needs spec.adopt.id, the cloud object to observe'
    return { verdict: { is: 'stalled', reason: 'InvalidSpec', message } }
  }
  if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
  const undeliverable = await mayDeliver(pass)
  if (undeliverable !== undefined) return undeliverable
  const made = adopt === undefined ? await make(pass, want) : await adoptExisting(pass, adopt)
  if (made.is === 'ended') return made.ended
  const confirmed = adopt === undefined ? await afterCreate(pass, made.seen.id) : made
  if (confirmed.is === 'ended') return confirmed.ended
  const seen = confirmed.seen
  return seen === undefined
    ? {
        verdict: working('WaitingForCloud', `waiting for the cloud to show the new ${pass.kind.noun}`, 'no'),
        afterMs: pass.env.durations.pollMs,
      }
    : converge(pass, want, { seen, exact: true })
}

async function make(pass: Pass, want: unknown): Promise<Performed> {
  const plan = pass.kind.plan(want, undefined, { status: pass.draft, appliedBefore: false })
  const held = plan.block !== undefined || plan.wait !== undefined
  const asked = held && wasToldLost(pass) ? lostBeforeWish(pass) : undefined
  if (asked !== undefined) return ended(asked, 0)
  if (plan.block !== undefined) return ended({ is: 'stalled', ...plan.block })
  if (plan.wait !== undefined)
    return ended({ is: 'working', ...plan.wait, usable: 'no' }, pass.env.durations.pollMaxMs)
  const step = plan.steps[0]
  if (step === undefined) throw new Error(`the plan to create ${pass.kind.kind} ${pass.key} has no step`)
  return create(pass, step, want)
}

async function afterCreate(pass: Pass, id: string): Promise<Resolved> {
  if (!pass.env.leading()) return ended(working('Creating', 'created; the next leader goes on', 'no'))
  const seen = pass.kind.reads.hasExact(sessionOf(pass))
    ? await readExactly(pass, id)
    : await pass.kind.reads.row(readContext(pass, passes.fresh(pass)), id)
  return seen === undefined || !sameObject(pass, seen) ? { is: 'clear' } : confirmCreated(pass, seen)
}

/** The object has an id: compare and bring together, or deal with its having vanished. */
async function goOn(pass: Pass, id: string, want: unknown, known: Seen | undefined): Promise<Ended> {
  const observed: Observed =
    known === undefined ? await observe(pass, id, want) : { seen: known, exact: true }
  const subject = `gone/${pass.object.metadata.uid}`
  if (observed.seen !== undefined && sameObject(pass, observed.seen)) {
    pass.env.proofs.reset(subject)
    const message = notOurs(pass, observed.seen)
    if (message !== undefined)
      return {
        verdict: { is: 'stalled', reason: 'AdoptionConflict', message },
        afterMs: sessionOf(pass).syncMs,
      }
    // Of a status of an earlier version.
    if (pass.draft.uid === undefined) patchDraft(pass, { uid: pass.object.metadata.uid })
    return converge(pass, want, observed)
  }
  return vanished(pass, subject, id)
}

async function vanished(pass: Pass, subject: string, id: string): Promise<Ended> {
  const { env, kind } = pass
  const row = await kind.reads.row(readContext(pass, passes.fresh(pass)), id)
  // Another object under the same key is not ours.
  const listed = row !== undefined && sameObject(pass, row)
  if (listed) env.proofs.reset(subject)
  const remade = kind.remakes(pass.object) && !observesOnly(pass)
  // Proven before: it stays said until the object is seen again, instead of being proven anew at each look.
  if (!listed && !remade && isStalled(pass, 'ExternallyDeleted')) return lost(pass, id)
  const proof = listed
    ? { afterMs: env.durations.pollMs * 3 }
    : env.proofs.absent(subject, sessionOf(pass).settleMs, Number.NEGATIVE_INFINITY)
  if (proof !== 'proven') {
    return {
      verdict: working(
        'WaitingForCloud',
        `the ${kind.noun} ${id} is not there; reading again before anything is concluded`,
        'no',
      ),
      afterMs: proof.afterMs,
    }
  }
  return remade ? makeAgain(pass) : lost(pass, id)
}

/** Made again only where somebody who knows what was lost says so. */
async function lost(pass: Pass, id: string): Promise<Ended> {
  if (!recreateAsked(pass, id) || observesOnly(pass)) return externallyDeleted(pass, id)
  if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
  // What came with the lost one is the original's.
  const left = isCopied(pass) ? undefined : await removeLeftovers(pass, id)
  if (left?.is === 'ended') return left.ended
  accept(pass, id, 'recreate')
  return makeAgain(pass)
}

/** As if nothing had been made: what was noted of the lost one would be taken for the new one's. */
function makeAgain(pass: Pass): Ended {
  const { account, uid, location, answered, retiring, lastHandledReconcileAt, lastHandledRotateAt } =
    pass.draft as CommonStatus & { readonly retiring?: unknown; readonly lastHandledRotateAt?: string }
  pass.draft = {}
  patchDraft(pass, {
    ...{ account, uid, location, answered, lastHandledReconcileAt },
    ...({ retiring, lastHandledRotateAt } as object),
  })
  pass.env.proofs.reset(`gone/${pass.object.metadata.uid}`)
  const message = `the ${pass.kind.noun} was deleted in the cloud; it is made again`
  return { verdict: working('Creating', message, 'no'), afterMs: 0 }
}

/**
 * Its own status was lost. Called a copy, it is looked for something of its own until a look came after the settle time: looks
 * are an interval apart.
 */
function wasToldLost(pass: Pass): boolean {
  if (!wasLost(pass)) return false
  const conditions = pass.object.status?.conditions ?? []
  const told = conditions.find((each) => each.type === 'Stalled' && each.reason === 'AdoptionConflict')
  if (!isCopied(pass) || told === undefined) return true
  const sinceMs = parseTime(told.lastTransitionTime) ?? 0
  const { settleMs, syncMs } = sessionOf(pass)
  return pass.env.clock.now() - sinceMs < settleMs + 2 * syncMs
}

function isStalled(pass: Pass, reason: string): boolean {
  const conditions = pass.object.status?.conditions ?? []
  return conditions.some((each) => each.type === 'Stalled' && each.reason === reason)
}

function externallyDeleted(pass: Pass, id: string): Ended {
  const { kind } = pass
  const message = `the ${kind.noun} ${id} was deleted in the cloud; what it held is gone, so it is not made again by itself: to have a new one made: ${howToRecreate(pass, id)}`
  return { verdict: { is: 'stalled', reason: 'ExternallyDeleted', message } }
}
