/**
 * One step of an operation, carried out: what must not be sent twice is on record before it leaves, together with all that
 * was sent before. What certainly did not happen is taken off the record again, and may be tried once more.
 */
import type { CloudVM } from '../../api/vm.ts'
import type { VmOperationStatus } from '../../api/vmoperation.ts'
import { timestamp } from '../../loop/clock.ts'
import { ANSWERED, working } from '../../reconcile/ending.ts'
import { mayNotBegin } from '../../reconcile/gate.ts'
import { openIntent } from '../../reconcile/operation.ts'
import {
  hasFinalizer,
  holdObject,
  judge,
  patchDraft,
  pinIdentity,
  writeStatus,
  type Ended,
  type Pass,
} from '../../reconcile/pass.ts'
import { send } from '../../reconcile/send.ts'
import type { OperationObject } from './links.ts'
import { expiredAt } from './may.ts'
import { aheadOf, type SeenMachine } from './seen.ts'
import { operationFacts, type OperationStep } from './steps.ts'

export function statusOf(pass: Pass): VmOperationStatus {
  return pass.draft
}

/** Sets fields of the operation's own status. */
export function patchStatus(
  pass: Pass,
  patch: { readonly [Field in keyof VmOperationStatus]?: VmOperationStatus[Field] | undefined },
): void {
  patchDraft(pass, patch)
}

/** Carries the step out. Undefined: go on from what the cloud shows now. Throws KubeError: then nothing was sent. */
export async function carryOut(
  pass: Pass,
  step: OperationStep,
  seen: SeenMachine,
  vm: CloudVM | undefined,
): Promise<Ended | undefined> {
  const facts = operationFacts(step, seen)
  const first = statusOf(pass).sent === undefined
  pass.barred = () => barred(pass, vm, first)
  const stopped = mayNotBegin(pass, step, facts, undefined)
  if (stopped?.is === 'ended') return heldBack(pass, stopped.ended)
  if (first) await putOnRecord(pass, seen, vm)
  return facts.nature === 'set' ? start(pass, step, seen) : once(pass, step, seen)
}

/** A start that the service accepts without an effect is repeated, after some time each: the machine is to run. */
function heldBack(pass: Pass, ended: Ended): Ended {
  if (ended.verdict.is !== 'drifted') return ended
  pass.env.attempts.forget(pass.object.metadata.uid)
  const message = 'the service accepted the start, and the virtual machine is still off; it is started again'
  return { verdict: working('WaitingForCloud', message, 'no'), afterMs: pass.env.durations.pollMaxMs }
}

/**
 * Says what it is about to be done to, and only then puts the finalizer on: a finalizer without that means that the status
 * was lost, and with it what was sent.
 */
async function putOnRecord(pass: Pass, { id }: SeenMachine, vm: CloudVM | undefined): Promise<void> {
  if (statusOf(pass).vm?.id === id && hasFinalizer(pass.object)) return
  pinIdentity(pass)
  patchStatus(pass, { vm: { id, ...(vm !== undefined && { name: vm.metadata.name }) } })
  judge(pass, working('Updating', 'about to begin', 'no'))
  await writeStatus(pass)
  await holdObject(pass)
}

function record(pass: Pass, step: OperationStep, { id }: SeenMachine): void {
  const { sent = [], startedAt = timestamp(pass.env.clock) } = statusOf(pass)
  patchStatus(pass, { id, startedAt, sent: [...sent, step.do] })
}

async function start(pass: Pass, step: OperationStep, seen: SeenMachine): Promise<Ended | undefined> {
  const facts = operationFacts(step, seen)
  if (statusOf(pass).sent === undefined) record(pass, step, seen)
  // That the machine was seen off is on record before it runs again.
  judge(pass, working('Updating', `about to ${facts.words}`, 'no'))
  await writeStatus(pass)
  const sent = await send(pass, step, facts, undefined, seen, pass.env.clock.randomHex(8))
  return sent.is === 'ended' ? sent.ended : undefined
}

async function once(pass: Pass, step: OperationStep, seen: SeenMachine): Promise<Ended | undefined> {
  const before = statusOf(pass).sent
  record(pass, step, seen)
  const facts = operationFacts(step, seen)
  const operation = await openIntent(pass, step, facts, seen, {})
  const sent = await send(pass, step, facts, undefined, seen, operation.id)
  if (sent.is !== 'ended') {
    patchStatus(pass, { operation: { ...operation, details: { ...operation.details, [ANSWERED]: 'true' } } })
    return undefined
  }
  const { verdict } = sent.ended
  // Its result is not known: it stays open, and on record.
  if (pass.draft.operation !== undefined) return sent.ended
  if (verdict.is === 'stalled') {
    patchStatus(pass, { refused: { reason: verdict.reason, message: verdict.message } })
    return undefined
  }
  patchStatus(pass, { sent: before })
  return sent.ended
}

/** Asked right before a call leaves. Once something was sent only the machine's being deleted still bars the rest. */
function barred(pass: Pass, vm: CloudVM | undefined, first: boolean): string | undefined {
  const latest =
    vm && (pass.env.stores.CloudVM.get(`${vm.metadata.namespace}/${vm.metadata.name}`) as CloudVM)
  if (latest?.metadata.deletionTimestamp !== undefined)
    return `CloudVM ${latest.metadata.name} is being deleted`
  if (!first) return undefined
  const { spec } = pass.object as OperationObject
  return expiredAt(spec, pass.env.clock.now())?.message ?? (latest && aheadOf(pass, latest))
}
