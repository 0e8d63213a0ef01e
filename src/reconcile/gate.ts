/** Whether a step may begin now: not refused before, not fought over, nobody else at the same machine, still wished. */
import { ANNOTATIONS } from '../api/group.ts'
import type { Verdict } from './conditions.ts'
import { AGAIN, ended, working, type Performed } from './ending.ts'
import { accountLeaves } from './follow.ts'
import { lockOf } from './locks.ts'
import { isAsked, isPaused, requestToken, sessionOf, wasLost, type Pass } from './pass.ts'
import { operationOn, unansweredOn } from './turn.ts'
import type { StepBase, StepFacts } from './plan.ts'
import type { Sender } from './unanswered.ts'

/** Identifies an attempt: the same step for the same wish. Wishes and steps carry no secret. */
export function attemptOf(pass: Pass, step: StepBase, want: unknown): string {
  return JSON.stringify([pass.wished.generation, requestToken(pass.object), step, want])
}

/** Why this step must not begin now, if anything. */
export function mayNotBegin(
  pass: Pass,
  step: StepBase,
  facts: StepFacts,
  want: unknown,
): Performed | undefined {
  const { env, object } = pass
  const attempt = attemptOf(pass, step, want)
  const refusal = env.attempts.refusal(object.metadata.uid, attempt)
  if (refusal !== undefined) return ended(refusal.verdict, refusal.afterMs)
  const fought = foughtOver(pass, attempt, facts) ?? neverShown(pass, step, facts)
  if (fought !== undefined) return fought
  for (const id of facts.locks ?? []) {
    const wake = () => env.wake(pass.kind.kind, pass.key)
    if (env.locks.take(lockOf(id), lockHolder(pass), wake)) continue
    return ended(working('WaitingForCloud', `another change that names ${id} is under way`))
  }
  const operation = facts.locks?.map((id) => operationOn(pass, id)).find((each) => each !== undefined)
  if (operation !== undefined) {
    const message = `CloudVMOperation ${operation.metadata.name} is under way on the virtual machine; this goes on once that has ended`
    return ended(working('WaitingForCloud', message), env.durations.pollMaxMs)
  }
  const unanswered = facts.locks?.map((id) => unansweredOn(pass, id)).find((each) => each !== undefined)
  if (unanswered !== undefined) {
    const message = `a change by ${unanswered.kind} ${unanswered.metadata.name} that names the same was sent and not answered; what came of it is found out first`
    return ended(working('WaitingForCloud', message), env.durations.pollMs * 3)
  }
  const leftMs = env.unanswered.leftMs(subjectsOf(pass, facts))
  if (leftMs !== undefined) {
    const message = `an earlier change was sent and not answered: until it shows, or has had its time, nothing else is sent`
    return ended(working('WaitingForCloud', message), Math.min(leftMs, env.durations.pollMs * 3))
  }
  if (!stillWished(pass)) return ended(working('Updating', `about to ${facts.words}`), 0)
  return undefined
}

/** What a step's call names, as far as one change at a time may be under way there. */
export function subjectsOf({ object }: Pass, { locks = [] }: StepFacts): readonly string[] {
  return [object.metadata.uid, ...locks.map(lockOf)]
}

export function senderOf({ object, wished }: Pass): Sender {
  return { uid: object.metadata.uid, generation: wished.generation }
}

export function lockHolder(pass: Pass): string {
  return `${pass.kind.kind}/${pass.key}`
}

const ACCEPTED_TWICE = 2
const LAG_SHARE = 30

/** Accepted before without an effect: first the cloud is given time, after the second time writing stops. */
function foughtOver(pass: Pass, attempt: string, facts: StepFacts): Performed | undefined {
  const accepted = pass.env.attempts.accepted(pass.object.metadata.uid, attempt)
  if (accepted === undefined) return undefined
  const lagMs = sessionOf(pass).settleMs / LAG_SHARE
  if (accepted.agoMs < lagMs) {
    const message = `waiting for the cloud to show the change: ${facts.words}`
    return ended(working('WaitingForCloud', message), lagMs - accepted.agoMs + 1)
  }
  if (accepted.times < ACCEPTED_TWICE) return undefined
  return ended(withoutEffect(facts))
}

/** The same for what has an intent, and is given the settle time. A deletion goes on, once in each. */
function neverShown(pass: Pass, step: StepBase, facts: StepFacts): Performed | undefined {
  const { metadata } = pass.object
  const twice = pass.draft.operation?.details?.[AGAIN] === String(pass.wished.generation)
  if (pass.overdue !== step.do || !twice || isAsked(pass) || metadata.deletionTimestamp !== undefined)
    return undefined
  return ended(withoutEffect(facts))
}

function withoutEffect({ words }: StepFacts): Verdict {
  const message = `the service accepted twice to ${words} and still shows the old state; nothing more is written until the spec changes or ${ANNOTATIONS.reconcileRequestedAt} asks for another try`
  return { is: 'drifted', message, usable: undefined }
}

/** The wish again: paused, deleted or edited meanwhile ends the sequence before the next call. */
export function stillWished(pass: Pass): boolean {
  const latest = pass.env.stores[pass.kind.kind].get(pass.key)
  if (latest === undefined || latest.metadata.uid !== pass.object.metadata.uid) return false
  const { generation, deleted } = pass.wished
  const begins = pass.draft.id === undefined && pass.draft.operation === undefined && !wasLost(pass)
  if (begins && accountLeaves(pass.env.stores, pass.kind.follows, latest)) return false
  return (
    pass.env.leading() &&
    !isPaused(latest) &&
    latest.metadata.generation <= generation &&
    (latest.metadata.deletionTimestamp === undefined || deleted)
  )
}
