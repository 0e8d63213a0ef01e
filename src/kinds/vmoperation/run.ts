/** The passes of an operation on a machine: it waits for its turn, goes on until it has ended, and then does nothing more. */
import type { CloudSnapshot } from '../../api/snapshot.ts'
import type { CloudVM } from '../../api/vm.ts'
import { validateSpec } from '../../api/validate.ts'
import type { Outcome } from '../../loop/outcome.ts'
import { pausedVerdict } from '../../reconcile/converge.ts'
import { enter, tooEarly, waitForWish } from '../../reconcile/enter.ts'
import { working } from '../../reconcile/ending.ts'
import type { Environment } from '../../reconcile/environment.ts'
import { cloudErrors, finish, passOver } from '../../reconcile/frame.ts'
import { senderOf } from '../../reconcile/gate.ts'
import type { LinkState } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import {
  holdObject,
  isDone,
  isPaused,
  keepAsDone,
  patchDraft,
  releaseObject,
  requestToken,
  sessionOf,
  writeStatus,
  type AnyKind,
  type Ended,
  type Pass,
} from '../../reconcile/pass.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { isCopy } from '../../reconcile/references.ts'
import { carryOut, patchStatus, statusOf } from './carry.ts'
import { vmOperationKind } from './kind.ts'
import { leave } from './leave.ts'
import { VM, type OperationObject } from './links.ts'
import { contradiction, expiredAt, foreignSnapshot, type Bar } from './may.ts'
import { failed, nextOf, recordLost } from './plan.ts'
import { assumeSent, concluded, progressOf, statusLost, waitsFor } from './progress.ts'
import { aheadOf, findSnapshot, findVm, lookAt, pausedVm, type FoundVm, type KnownVm } from './seen.ts'

/** The reconcile function for CloudVMOperations. */
export function vmOperationReconciler(env: Environment): (key: string) => Promise<Outcome> {
  return passOver(env, vmOperationKind as unknown as AnyKind, run)
}

async function run(pass: Pass): Promise<Outcome> {
  if (pass.object.metadata.deletionTimestamp !== undefined) return leave(pass)
  if (hasFinished(pass)) return rest(pass)
  const early = tooEarly(pass)
  if (early !== undefined) return early
  patchStatus(pass, { finishedAt: undefined })
  const outcome = await finish(pass, await cloudErrors(pass, () => live(pass)))
  return pass.env.leading() && hasFinished(pass) ? rest(pass) : outcome
}

/** On record as ended. What ended before it began can be corrected: an edit is looked at anew. */
function hasFinished({ object }: Pass): boolean {
  const { finishedAt, startedAt, observedGeneration } = (object as OperationObject).status ?? {}
  if (finishedAt === undefined) return false
  return startedAt !== undefined || observedGeneration === object.metadata.generation
}

/** Where something was sent a finalizer stays: should the status be lost one day, it says that this was done already. */
async function rest(pass: Pass): Promise<Outcome> {
  const token = requestToken(pass.object)
  if (token !== undefined) {
    patchDraft(pass, { ...pass.object.status, lastHandledReconcileAt: token })
    await writeStatus(pass)
  }
  if (statusOf(pass).sent !== undefined) await keepAsDone(pass)
  else if (!isDone(pass.object)) await releaseObject(pass)
  return {}
}

async function live(pass: Pass): Promise<Ended> {
  if (isDone(pass.object) || isCopy(pass.object)) return concluded(pass, recordLost)
  if (statusLost(pass)) assumeSent(pass)
  return statusOf(pass).sent === undefined ? begin(pass) : goOn(pass)
}

/** Everything that must hold before the first call, and is looked at anew until that has left. */
async function begin(pass: Pass): Promise<Ended> {
  const { spec } = pass.object as OperationObject
  const valid = validateSpec('CloudVMOperation', spec)
  if (!valid.ok) return concluded(pass, failed('InvalidSpec', `${valid.field}: ${valid.message}`))
  const expired = expiredAt(spec, pass.env.clock.now())
  if (expired !== undefined) return concluded(pass, failed(expired.reason, expired.message))
  const found = findVm(pass, undefined)
  if (found.is === 'gone') return concluded(pass, failed('ReferenceInvalid', found.message))
  if (found.is === 'waiting')
    return waitForWish(pass, { reason: 'WaitingForDependency', message: found.message })
  return enter(pass) ?? inTurn(pass, found)
}

type ThereVm = Extract<FoundVm, { is: 'there' }>

async function inTurn(pass: Pass, found: ThereVm): Promise<Ended> {
  const { vm, id } = found
  const foreign = foreignVm(pass, vm)
  if (foreign !== undefined) return foreign
  const snapshot = findSnapshot(pass)
  const bar = barOf(pass, found, snapshot)
  if (bar !== undefined) return concluded(pass, failed(bar.reason, bar.message))
  if (snapshot?.state === 'waiting')
    return waitForWish(pass, { reason: 'WaitingForDependency', message: snapshot.message })
  if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
  const ahead = aheadOf(pass, vm)
  if (ahead !== undefined)
    return { verdict: working('WaitingForCloud', ahead, 'no'), afterMs: pass.env.durations.pollMaxMs }
  return advance(pass, found, id, snapshot?.state === 'ready' ? snapshot.id : undefined)
}

/** Why it can never be done as it is. */
function barOf({ object }: Pass, { vm, id }: ThereVm, snapshot: LinkState | undefined): Bar | undefined {
  const { spec } = object as OperationObject
  const contradicted = contradiction(spec, vm, id)
  if (contradicted !== undefined || snapshot === undefined) return contradicted
  if (snapshot.state === 'ready') return foreignSnapshot(snapshot.object as CloudSnapshot, vm, id)
  if (snapshot.state === 'waiting') return undefined
  const message = `spec.rebuild.snapshotRef: CloudSnapshot ${spec.rebuild?.snapshotRef.name ?? ''} is being deleted`
  return { reason: 'ReferenceInvalid', message }
}

/** The machine belongs to a user that the account's key no longer is: its own object says so, and what to do. */
function foreignVm(pass: Pass, vm: CloudVM): Ended | undefined {
  const facts = { session: sessionOf(pass), location: needed(pass.location) }
  const message = misplaced(facts, VM('').field, vm, true)
  return message === undefined
    ? undefined
    : { verdict: { is: 'stalled', reason: 'ReferenceInvalid', message } }
}

/** Something was sent: it goes on, whatever the time and the spec say now. */
async function goOn(pass: Pass): Promise<Ended> {
  const blocked = enter(pass)
  if (blocked !== undefined) return blocked
  const found = findVm(pass, pass.draft.id)
  const id = pass.draft.id ?? (found.is === 'there' ? found.id : undefined)
  if (found.is === 'waiting' || id === undefined)
    return waitForWish(pass, { reason: 'WaitingForDependency', message: messageOf(found) })
  if (pass.draft.id === undefined) patchStatus(pass, { id, vm: { id } })
  await holdObject(pass)
  return advance(pass, found, id, undefined)
}

function messageOf(found: FoundVm): string {
  return found.is === 'there' ? '' : found.message
}

/** More than any operation takes. */
const STEPS_MAX = 16

/** Call after call, each from what an exact read shows, until it has ended or something must be waited for. */
async function advance(pass: Pass, found: KnownVm, id: string, replica: string | undefined): Promise<Ended> {
  const vm = found.is === 'there' ? found.vm : undefined
  for (let count = 0; count < STEPS_MAX; count++) {
    const { machine, seen } = await lookAt(pass, found, id)
    const next = nextOf(progressOf(pass, machine, vm, replica))
    pass.env.unanswered.seen(senderOf(pass), next.is === 'step' ? [next.step.do] : [])
    if (next.is === 'end') return concluded(pass, next)
    if (next.is === 'wait') return waitsFor(pass, next.message)
    if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
    const paused = pausedVm(pass, id)
    if (paused !== undefined) return waitsFor(pass, paused)
    const held = await carryOut(pass, next.step, needed(seen), vm)
    if (held !== undefined) return held
  }
  throw new Error(`CloudVMOperation ${pass.key} did not end after ${STEPS_MAX} steps`)
}
