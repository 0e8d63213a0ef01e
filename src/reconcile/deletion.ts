/**
 * Deleting: only what is certainly ours, only after a fresh look at the wish and at the cloud, and the finalizer last.
 * Needs nothing but status.id: no reference is resolved and no spec validated. Nothing is released on an error.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CloudResource, Dependant, Seen } from './kind.ts'
import { leaveAlone, lostBeforeDeletion } from './lost.ts'
import { look, oneOfOurs, standsForLost } from './look.ts'
import { memoryOf, takeReport } from './report.ts'
import { working } from './ending.ts'
import { attemptOf, mayNotBegin } from './gate.ts'
import { perform } from './operation.ts'
import { send } from './send.ts'
import {
  fresh,
  isPaused,
  patchDraft,
  pinIdentity,
  readContext,
  releaseObject,
  sessionOf,
  wasLost,
  wishedBy,
  type Ended,
  type Pass,
} from './pass.ts'
import { ageOf, pollAfter, resolveCreate, resolveEffect } from './resolve.ts'
import type { StepBase, StepFacts } from './plan.ts'
import { confirmCreated } from './confirm.ts'
import { letSecretStay } from './delivery.ts'
import { pausedVerdict } from './converge.ts'
import { isCopied, notOurs, sameObject } from './ownership.ts'
import { partFrom } from './parting.ts'
import { abandonRotation } from './rotation.ts'
import { askForAdopted } from './whose.ts'

/** `released`: our finalizer is off and nothing is left to say. */
export type Deleted = { readonly is: 'released' } | { readonly is: 'ended'; readonly ended: Ended }

/** The wish to delete, uncached: the same object, really being deleted. */
export async function confirmDeletion(pass: Pass): Promise<boolean> {
  const { env, kind, object } = pass
  const latest = await env.kube.get<CloudResource>(kind.type, object.metadata.namespace, object.metadata.name)
  if (latest?.metadata.uid !== object.metadata.uid || latest.metadata.deletionTimestamp === undefined)
    return false
  pass.object = latest
  pass.wished = wishedBy(latest)
  pass.draft = { ...latest.status }
  pass.location = latest.status?.location ?? pass.location
  return true
}

/** Whether the cloud object stays when this one is deleted. */
export async function retains(pass: Pass): Promise<boolean> {
  return (
    (await pass.env.uninstalling(pass.kind.kind)) || chosen(pass.object, pass.session?.onDelete) === 'Retain'
  )
}

function chosen({ spec }: CloudResource, fallback: 'Delete' | 'Retain' | undefined) {
  if (spec.lifecycle?.management === 'ObserveOnly') return 'Retain'
  return spec.lifecycle?.onDelete ?? (spec.adopt === undefined ? fallback : 'Retain')
}

/** The same of another object; `unasked`: of an account that cannot be asked at the moment. */
function keeps(pass: Pass, unasked: 'Delete' | 'Retain'): (other: CloudResource) => boolean {
  const { accounts } = pass.env
  return (other) => {
    const { namespace } = other.metadata
    const state = accounts.session(namespace, other.spec.accountRef?.name ?? 'default')
    return chosen(other, state.is === 'ready' ? state.session.onDelete : unasked) === 'Retain'
  }
}

/**
 * Lets an object go whose cloud object stays. Not before another object that would destroy it, and knows of it only by this
 * one, is gone.
 */
export async function keepAndRelease(pass: Pass): Promise<Deleted> {
  const { id, operation } = pass.draft
  const dependants = (pass.kind.heldBy ?? []).filter((each) => each.evenIfKept === true)
  const nothing = id === undefined && operation === undefined && !wasLost(pass)
  // What would destroy it may be kept by its account, and may not.
  const held = nothing ? undefined : holdersOf(pass, dependants, 'Delete')
  if (held !== undefined) return { is: 'ended', ended: held }
  const unfinished = isCopied(pass) ? undefined : await partFrom(pass)
  if (unfinished !== undefined) return { is: 'ended', ended: unfinished }
  await letSecretStay(pass)
  return release(pass)
}

function holdersOf(
  pass: Pass,
  dependants: readonly Dependant[],
  unasked: 'Delete' | 'Retain' = 'Retain',
): Ended | undefined {
  const message = pass.env.references.held(
    { ...pass.object, status: pass.draft },
    dependants,
    keeps(pass, unasked),
  )
  if (message === undefined) return undefined
  return { verdict: working('WaitingForDependents', message), afterMs: sessionMs(pass) }
}

function sessionMs({ session, env }: Pass): number {
  return session?.syncMs ?? env.durations.secretWaitMs
}

/** Deletes with a session; the caller has confirmed the deletion and the identity. */
export async function remove(pass: Pass): Promise<Deleted> {
  // What stays by the account's choice, which is known from here on, need not be found.
  const lost = wasLost(pass) && !(await retains(pass)) ? await lostBeforeDeletion(pass) : undefined
  if (lost !== undefined) return { is: 'ended', ended: lost }
  const operation = pass.draft.operation
  if (operation?.verb === 'create' && !waitsForAnswer(pass)) {
    const resolved = await resolveCreate(pass, operation, undefined)
    // Only a person can tell what came of it, and this one leaves everything where it is.
    const asks = resolved.is === 'ended' && resolved.ended.verdict.is === 'stalled'
    if (asks && (await retains(pass))) return keepAndRelease(pass)
    // What came with it is found first: it is ours to remove as well.
    const confirmed =
      resolved.is === 'clear' && resolved.seen !== undefined
        ? await confirmCreated(pass, resolved.seen)
        : resolved
    if (confirmed.is === 'ended') return confirmed
    patchDraft(pass, { operation: undefined })
  }
  abandonRotation(pass)
  if (await retains(pass)) return keepAndRelease(pass)
  const found = pass.draft.id ?? (await byMarker(pass))
  if (found === undefined && operation !== undefined && standsForLost(operation)) {
    const asked = await askForAdopted(pass)
    // The record stays open for as long as the answer is waited for.
    const candidates = [pass.object.spec.adopt?.id ?? '']
    patchDraft(pass, { operation: asked && { ...operation, candidates } })
    if (asked !== undefined) return { is: 'ended', ended: asked }
  }
  const id = pass.draft.id
  if (id === undefined) return release(pass)
  return removeKnown(pass, id)
}

/** Whether somebody was asked before if what the spec adopts is this object's. */
function waitsForAnswer({ draft, object }: Pass): boolean {
  const { adopt } = object.spec
  return adopt !== undefined && draft.operation?.candidates?.includes(adopt.id) === true
}

/** The id of what carries the marker of this object, noted in the draft. Throws CloudError. */
export async function byMarker(pass: Pass): Promise<string | undefined> {
  if (pass.kind.creation.identity(sessionOf(pass)) === 'name') return undefined
  const mine = oneOfOurs(pass, await look(pass))
  if (mine === undefined) return undefined
  leaveAlone(pass, mine.id)
  pinIdentity(pass)
  patchDraft(pass, { id: mine.id })
  return mine.id
}

async function removeKnown(pass: Pass, id: string): Promise<Deleted> {
  const operation = pass.draft.operation
  if (operation !== undefined && operation.verb !== 'delete') {
    const resolved = await resolveEffect(pass, operation, id)
    if (resolved.is === 'ended') return resolved
  }
  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)
  if (seen === undefined || !sameObject(pass, seen)) return gone(pass, id)
  pass.env.proofs.reset(`deleted/${pass.object.metadata.uid}`)
  // A copy goes alone.
  if (notOurs(pass, seen) !== undefined) return keepAndRelease(pass)
  if (operation?.verb === 'delete' && ageOf(pass, operation) < sessionOf(pass).settleMs) {
    return ended(
      working('Deleting', `waiting for the cloud to show that the ${pass.kind.noun} is gone`),
      pollAfter(pass, ageOf(pass, operation)),
    )
  }
  // Who holds it may depend on what it is made of now.
  takeReport(pass, seen, undefined)
  const held = holdersOf(pass, pass.kind.heldBy ?? [])
  if (held !== undefined) return { is: 'ended', ended: held }
  return steps(pass, seen)
}

const STEPS_MAX = 64

async function steps(pass: Pass, first: Seen): Promise<Deleted> {
  const { id } = first
  let seen = first
  for (let count = 0; count < STEPS_MAX; count++) {
    takeReport(pass, seen, undefined)
    const plan = pass.kind.planGone(seen, memoryOf(pass), pass.object)
    if (plan.wait !== undefined)
      return ended({ is: 'working', ...plan.wait, usable: 'unknown' }, pass.env.durations.pollMaxMs)
    if (plan.block !== undefined) return ended({ is: 'stalled', ...plan.block })
    const step = plan.steps[0]
    if (step === undefined && plan.pending !== undefined) {
      return ended({ is: 'stalled', reason: 'Unsupported', message: plan.pending.message })
    }
    if (step === undefined)
      return ended(
        working('Deleting', `the ${pass.kind.noun} cannot be deleted yet`),
        pass.env.durations.pollMaxMs,
      )
    if (isPaused(pass.object)) return ended(pausedVerdict(pass))
    const destroys = pass.kind.facts(step, seen).nature === 'destroy'
    const lastLook = destroys ? () => stillPlanned(pass, step, id) : undefined
    const performed = await perform(pass, step, undefined, seen, lastLook)
    if (performed.is === 'ended') return performed
    if (destroys)
      return ended(working('Deleting', `waiting for the cloud to show that the ${pass.kind.noun} is gone`), 1)
    seen = performed.seen
  }
  throw new Error(`the plan to delete ${pass.kind.kind} ${pass.key} did not end after ${STEPS_MAX} steps`)
}

/**
 * Writing the intent down took its time: what has gone meanwhile, or is another one under the same key, or must be prepared in
 * another way by now, is not destroyed.
 */
async function stillPlanned(pass: Pass, step: StepBase, id: string): Promise<boolean> {
  const { kind } = pass
  const seen = await kind.reads.exact(readContext(pass, fresh(pass)), id)
  if (seen === undefined || !sameObject(pass, seen) || notOurs(pass, seen) !== undefined) return false
  if (holdersOf(pass, kind.heldBy ?? []) !== undefined) return false
  return isDeepStrictEqual(kind.planGone(seen, memoryOf(pass), pass.object).steps[0], step)
}

/** The exact read says gone: the list must agree, in a read of its own, before what it leaves behind is removed. */
async function gone(pass: Pass, id: string): Promise<Deleted> {
  const { env, kind } = pass
  const row = await kind.reads.row(readContext(pass, fresh(pass)), id)
  const operation = pass.draft.operation
  if (row !== undefined && sameObject(pass, row)) {
    const ageMs = operation === undefined ? 0 : ageOf(pass, operation)
    return ended(
      working('Deleting', `the list still shows the ${kind.noun}; waiting until both reads agree`),
      pollAfter(pass, ageMs),
    )
  }
  const subject = `deleted/${pass.object.metadata.uid}`
  const afterMs = lookAgainAfter(pass, subject)
  if (afterMs !== undefined) {
    return ended(
      working('Deleting', `the ${kind.noun} is gone; looking once more before this object is let go`),
      afterMs,
    )
  }
  const left = await removeLeftovers(pass, id)
  if (left !== undefined) return left
  env.proofs.reset(subject)
  return release(pass)
}

/** Undefined: proven. Where lists stand for the exact read they are to agree for as long as any proof of absence takes. */
function lookAgainAfter(pass: Pass, subject: string): number | undefined {
  const { durations, proofs } = pass.env
  const session = sessionOf(pass)
  if (pass.kind.reads.hasExact(session)) return proofs.agreed(subject) ? undefined : durations.pollMs / 2
  const proof = proofs.absent(subject, session.settleMs, Number.NEGATIVE_INFINITY)
  return proof === 'proven' ? undefined : proof.afterMs
}

/** Undefined: nothing is left, or only what another object of ours owns by now. */
export async function removeLeftovers(pass: Pass, id: string): Promise<Deleted | undefined> {
  const { kind } = pass
  const left = (await kind.leftovers?.(readContext(pass, fresh(pass)), pass.object)) ?? []
  const own = left.filter((step) => !isOwned(pass, kind.facts(step, undefined)))
  let first: Deleted | undefined
  for (const step of own) {
    if (isPaused(pass.object)) return ended(pausedVerdict(pass))
    const removed = await removeLeftover(pass, step, id)
    first ??= removed
    // One that cannot be removed is no reason to leave the others; what prepares for another is seen first.
    if (kind.facts(step, undefined).nature !== 'destroy') break
  }
  return first
}

function isOwned(pass: Pass, { removes }: StepFacts): boolean {
  if (removes === undefined) return false
  const { references } = pass.env
  return references.isNamed(removes.kind, removes.id, sessionOf(pass).endpoint)
}

async function removeLeftover(pass: Pass, step: StepBase, id: string): Promise<Deleted> {
  const { attempts, clock, durations } = pass.env
  const facts = pass.kind.facts(step, undefined)
  const stopped = mayNotBegin(pass, step, facts, undefined)
  if (stopped?.is === 'ended') return stopped
  // The deletion of what left it behind is proven: what is sent now has an outcome of its own.
  patchDraft(pass, { operation: undefined })
  const sent = await send(pass, step, facts, undefined, { id }, clock.randomHex(8))
  if (sent.is === 'ended') return sent
  const verdict = working('Deleting', `waiting for the cloud to show it: ${facts.words}`)
  const { uid } = pass.object.metadata
  const attempt = attemptOf(pass, step, undefined)
  return ended(verdict, attempts.postponed(uid, attempt, verdict, durations.pollMs, durations.pollMaxMs))
}

async function release(pass: Pass): Promise<Deleted> {
  await releaseObject(pass)
  return { is: 'released' }
}

function ended(verdict: Ended['verdict'], afterMs?: number): Deleted {
  return { is: 'ended', ended: { verdict, ...(afterMs !== undefined && { afterMs }) } }
}
