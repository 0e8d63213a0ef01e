/**
 * One step, carried out: what cannot be repeated gets an intent in status first, written with the object's UID and
 * version, so that neither a stale cache nor a second leader sends it too. The call leaves at most once. One of the three
 * places that catch: here a failed call becomes a verdict.
 */
import type { CommonStatus, Operation } from '../api/shared.ts'
import { CloudError } from '../cloud/errors.ts'
import { rfc3339 } from '../loop/clock.ts'
import type { Verdict } from './conditions.ts'
import type { CallContext, Seen } from './kind.ts'
import { deniedEnding } from './denied.ts'
import {
  fresh,
  judge,
  patchDraft,
  readContext,
  requestToken,
  sessionOf,
  writeStatus,
  isPaused,
  type Ended,
  type Pass,
} from './pass.ts'
import { happened } from './look.ts'
import { needed } from './needed.ts'
import type { StepBase, StepFacts } from './plan.ts'
import { takeReport } from './report.ts'
import { StepRefused, StepWaits } from './refused.ts'
import { refusedVerdict, said } from './verdicts.ts'

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

/** Identifies an attempt: the same step for the same wish. Wishes and steps carry no secret. */
export function attemptOf(pass: Pass, step: StepBase, want: unknown): string {
  return JSON.stringify([pass.object.metadata.generation, requestToken(pass.object), step, want])
}

/** Performs a step of a nature other than create, and sees its effect before the intent is cleared. */
export async function perform(
  pass: Pass,
  step: StepBase,
  want: unknown,
  seen: Seen | undefined,
): Promise<Performed> {
  const { env, kind } = pass
  const facts = kind.facts(step, seen)
  const stopped = mayNotBegin(pass, step, facts, want)
  if (stopped !== undefined) return stopped
  if (facts.nature === 'set') return named(await send(pass, step, facts, want, seen, env.clock.randomHex(8)))
  const operation = await openIntent(pass, step, facts, seen, {})
  const sent = named(await send(pass, step, facts, want, seen, operation.id))
  if (sent.is === 'ended' || facts.nature === 'destroy') return sent
  return effectSeen(pass, operation, facts, sent.seen)
}

function named(sent: Sent): Performed {
  if (sent.is === 'accepted') throw new Error('only a create may be answered without an observation')
  return sent
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
  const fought = foughtOver(pass, attempt, facts)
  if (fought !== undefined) return fought
  for (const id of facts.locks ?? []) {
    const wake = () => env.wake(pass.kind.kind, pass.key)
    if (env.locks.take(`vm/${id}`, lockHolder(pass), wake)) continue
    return ended(working('WaitingForCloud', `another change of virtual machine ${id} is under way`))
  }
  if (!stillWished(pass)) return ended(working('Updating', `about to ${facts.words}`), 0)
  return undefined
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
  const message = `the service accepted twice to ${facts.words} and still shows the old state; nothing more is written until the spec changes`
  return ended({ is: 'drifted', message, usable: undefined })
}

/** The wish again: paused, deleted or edited meanwhile ends the sequence before the next call. */
export function stillWished(pass: Pass): boolean {
  const latest = pass.env.stores[pass.kind.kind].get(pass.key)
  if (latest === undefined || latest.metadata.uid !== pass.object.metadata.uid) return false
  const known = pass.object.metadata
  return (
    pass.env.leading() &&
    !isPaused(latest) &&
    latest.metadata.generation <= known.generation &&
    (latest.metadata.deletionTimestamp === undefined || known.deletionTimestamp !== undefined)
  )
}

/** Writes the intent with the conditions that go with it. Throws KubeError: then nothing was sent. */
export async function openIntent(
  pass: Pass,
  step: StepBase,
  facts: StepFacts,
  seen: Seen | undefined,
  extra: Partial<Operation>,
): Promise<Operation> {
  const { env, kind } = pass
  const operation: Operation = {
    id: env.clock.randomHex(8),
    verb: step.do,
    issuedAt: rfc3339(env.clock.now()),
    location: needed(pass.location),
    ...(facts.details !== undefined && { details: { ...facts.details } }),
    ...extra,
  }
  const memory = { status: pass.draft, appliedBefore: false }
  patchDraft(pass, { ...kind.remember?.(step, seen, memory), operation })
  const reason = facts.nature === 'create' ? 'Creating' : facts.nature === 'destroy' ? 'Deleting' : 'Updating'
  judge(
    pass,
    working(
      reason,
      `about to ${facts.words}`,
      facts.nature === 'create' || facts.stops === true ? 'no' : 'unknown',
    ),
  )
  await writeStatus(pass)
  pass.began = true
  return operation
}

/** The call itself. `seen`: what it answered. Clears the intent of a call that certainly changed nothing. */
export async function send(
  pass: Pass,
  step: StepBase,
  facts: StepFacts,
  want: unknown,
  seen: Seen | undefined,
  operationID: string,
): Promise<Sent> {
  const attempt = attemptOf(pass, step, want)
  try {
    const answer = await pass.kind.act(callContext(pass, facts, operationID), step, want, seen)
    if (answer === undefined) return { is: 'accepted' }
    if (facts.nature === 'set') pass.env.attempts.accept(pass.object.metadata.uid, attempt)
    return { is: 'seen', seen: answer }
  } catch (error) {
    return failed(pass, error, { step, facts, attempt, want })
  }
}

function callContext(pass: Pass, facts: StepFacts, operationID: string): CallContext<CommonStatus> {
  const { env } = pass
  const begun = env.clock.monotonic()
  return {
    session: sessionOf(pass),
    location: needed(pass.location),
    marker: pass.marker,
    status: pass.draft,
    secretValue: (field) => pass.secrets.get(field),
    send: {
      operationID,
      ...(facts.slow === true && { lane: 'slow' as const }),
      // In one stretch with the dispatch: nothing may come between this look at the lease and the bytes.
      beforeDispatch: () => {
        if (!env.leading()) throw new Error('this process no longer holds the lease')
        if (facts.nature !== 'set' && env.clock.monotonic() - begun > env.durations.intentMs) {
          throw new Error('the intent is too old: it waited too long for a free slot')
        }
        if (!stillWished(pass)) throw new Error('the object changed before the call could leave')
      },
    },
  }
}

/** Detail of an operation that the service accepted. Without it (no answer, or this process died) it may not have happened. */
export const ANSWERED = 'answered'

interface Try {
  readonly step: StepBase
  readonly facts: StepFacts
  readonly attempt: string
  readonly want: unknown
}

async function failed(pass: Pass, error: unknown, tried: Try): Promise<Performed> {
  const { env, object } = pass
  const { facts, attempt } = tried
  const { durations } = env
  if (error instanceof StepRefused) {
    patchDraft(pass, { operation: undefined })
    const verdict: Verdict = { is: 'stalled', reason: 'InvalidSpec', message: error.message }
    env.attempts.refused(object.metadata.uid, attempt, verdict, durations.refusedMs)
    return ended(verdict, durations.refusedMs)
  }
  if (error instanceof StepWaits) {
    patchDraft(pass, { operation: undefined })
    return ended(working('WaitingForDependency', error.message, 'no'), durations.secretWaitMs)
  }
  if (!(error instanceof CloudError)) throw error
  switch (error.class) {
    case 'notSent':
      patchDraft(pass, { operation: undefined })
      return ended(
        working('CloudUnreachable', `could not ${facts.words}: ${said(error)}; it is tried again by itself`),
        durations.notSentMs * (1 + env.clock.random()),
      )
    case 'unclear':
      return ended(unclear(facts, said(error)), durations.pollMs)
    case 'busy':
    case 'slowDown':
      return lookedFirst(pass, tried, () => {
        const reason = error.class === 'busy' ? 'WaitingForCloud' : 'RateLimited'
        return ended(
          working(reason, `the service cannot ${facts.words} yet: ${said(error)}`),
          error.retryAfterMs ?? durations.pollMs * 3,
        )
      })
    case 'denied':
      return lookedFirst(pass, tried, async () => {
        const ending = await deniedEnding(pass, error, facts.words)
        if (ending.verdict.is === 'stalled') {
          env.attempts.refused(object.metadata.uid, attempt, ending.verdict, durations.refusedMs)
        }
        return { is: 'ended', ended: ending }
      })
    case 'absent':
      patchDraft(pass, { operation: undefined })
      return ended(
        working('WaitingForCloud', `the object vanished while about to ${facts.words}: ${said(error)}`),
        durations.pollMs,
      )
    case 'refused':
      return lookedFirst(pass, tried, () => refused(pass, error, tried))
  }
}

function refused(pass: Pass, error: CloudError, { step, facts, attempt }: Try): Performed {
  const passing = pass.kind.refusedWait?.(step, error.text)
  if (passing !== undefined)
    return ended({ is: 'working', ...passing, usable: 'unknown' }, pass.env.durations.pollMaxMs)
  const withSecret = pass.kind.secrets(pass.object).length > 0
  const { verdict, retryMs } = refusedVerdict(error, facts.words, pass.env.durations, withSecret)
  pass.env.attempts.refused(pass.object.metadata.uid, attempt, verdict, retryMs)
  const patch = pass.kind.refused?.(step, error.text, { status: pass.draft, appliedBefore: false })
  if (patch === undefined) return ended(verdict, retryMs)
  // The kind has more to do (start the machine again): the next pass plans from what it now remembers.
  patchDraft(pass, patch)
  return ended(working('Updating', verdict.is === 'stalled' ? verdict.message : '', 'no'), 0)
}

/**
 * Some services answer an error and commit all the same: one look before the intent is cleared. What the look of a create
 * finds stays an open operation, to be resolved like an unclear one.
 */
async function lookedFirst(
  pass: Pass,
  { facts, want }: Try,
  otherwise: () => Performed | Promise<Performed>,
): Promise<Performed> {
  const operation = pass.draft.operation
  if (operation === undefined) return otherwise()
  if (await happened(pass, operation, want))
    return ended(unclear(facts, 'the service answered an error, and the change is there'), 0)
  patchDraft(pass, { operation: undefined })
  return otherwise()
}

function unclear(facts: StepFacts, text: string): Verdict {
  const reason = facts.nature === 'create' ? 'CreateOutcomeUnknown' : 'WaitingForCloud'
  const message = `whether it happened to ${facts.words} is not known yet (${text}); it is found out by reading, and never sent again blindly`
  return working(reason, message, facts.nature === 'create' ? 'no' : 'unknown')
}

/** The exact read that decides; without the effect the intent stays and later passes look again. */
async function effectSeen(
  pass: Pass,
  operation: Operation,
  facts: StepFacts,
  answer: Seen,
): Promise<Performed> {
  patchDraft(pass, { operation: { ...operation, details: { ...operation.details, [ANSWERED]: 'true' } } })
  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), answer.id)
  if (seen !== undefined && pass.kind.effect(operation, seen)) {
    takeReport(pass, seen, undefined)
    patchDraft(pass, { operation: undefined })
    return { is: 'seen', seen }
  }
  return ended(
    working(
      'WaitingForCloud',
      `waiting for the cloud to show it: ${facts.words}`,
      facts.stops === true ? 'no' : 'unknown',
    ),
    pass.env.durations.pollMs,
  )
}
