/** The one call of a step, and what its failure means. One of the places that catch: here an error becomes a verdict. */
import type { CommonStatus } from '../api/shared.ts'
import { CloudError } from '../cloud/errors.ts'
import type { Clock } from '../loop/clock.ts'
import type { Verdict } from './conditions.ts'
import { deniedEnding } from './denied.ts'
import { ended, working, type Performed, type Sent } from './ending.ts'
import { attemptOf, senderOf, stillWished, subjectsOf } from './gate.ts'
import type { CallContext, Seen } from './kind.ts'
import { happened, isOwned } from './look.ts'
import { needed } from './needed.ts'
import { patchDraft, sessionOf, type Pass } from './pass.ts'
import type { StepBase, StepFacts } from './plan.ts'
import { StepRefused, StepWaits } from './refused.ts'
import { refusedVerdict, said } from './verdicts.ts'

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
  // From when the intent was begun to be written: what stood still since, others no longer count on.
  const begun = pass.intent?.id === operationID ? pass.intent : { id: operationID, ...moment(env.clock) }
  return {
    session: sessionOf(pass),
    location: needed(pass.location),
    marker: pass.marker,
    status: pass.draft,
    secretValue: (field) => pass.secrets.get(field),
    isOwned: (id) => isOwned(pass, id),
    send: {
      operationID,
      ...(facts.slow === true && { lane: 'slow' as const }),
      // In one stretch with the dispatch: nothing may come between this look at the lease and the bytes.
      beforeDispatch: () => {
        if (!env.leading()) throw new Error('this process no longer holds the lease')
        if (facts.nature !== 'set' && elapsedMs(env.clock, begun) > env.durations.intentMs) {
          throw new Error(
            'the intent is too old: storing it, looking again or waiting for a free slot took too long',
          )
        }
        if (!stillWished(pass)) throw new Error('the object changed before the call could leave')
        const barred = pass.barred?.()
        if (barred !== undefined) throw new Error(barred)
        if (facts.nature !== 'set') env.ages.begin({ id: operationID })
      },
    },
  }
}

/** Now, by both clocks. */
export function moment(clock: Clock): { readonly wall: number; readonly monotonic: number } {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/** By the larger of the two clocks: a suspended machine stops the monotonic one, and others count on the intent's age. */
function elapsedMs(clock: Clock, since: { readonly wall: number; readonly monotonic: number }): number {
  return Math.max(clock.now() - since.wall, clock.monotonic() - since.monotonic)
}

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
      if (facts.nature === 'set') noteUnanswered(pass, tried)
      return ended(unclear(facts, said(error)), durations.pollMs)
    case 'busy':
      if (facts.onlyOnce === true) return lookedFirst(pass, tried, () => refused(pass, error, tried))
      return later(pass, error, tried)
    case 'slowDown':
      return later(pass, error, tried)
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
      return postponed(
        pass,
        tried,
        working('WaitingForCloud', `the object vanished while about to ${facts.words}: ${said(error)}`),
      )
    case 'refused':
      // A bucket's name that is taken is looked up under that name: whose the bucket is, it would not tell.
      if (error.nameTaken) {
        patchDraft(pass, { operation: undefined })
        return refused(pass, error, tried)
      }
      return lookedFirst(pass, tried, () => refused(pass, error, tried))
  }
}

function later(pass: Pass, error: CloudError, tried: Try): Promise<Performed> {
  return lookedFirst(pass, tried, () => {
    const reason = error.class === 'busy' ? 'WaitingForCloud' : 'RateLimited'
    const verdict = working(reason, `the service cannot ${tried.facts.words} yet: ${said(error)}`)
    return postponed(pass, tried, verdict, error.retryAfterMs)
  })
}

function noteUnanswered(pass: Pass, { step, facts }: Try): void {
  const { env } = pass
  const forMs = Math.min(env.durations.unansweredMs, sessionOf(pass).settleMs)
  env.unanswered.note(subjectsOf(pass, facts), senderOf(pass), step.do, forMs)
}

/** Soon at first, then more and more seldom: what is never possible must not be asked for without end. */
function postponed(pass: Pass, { attempt }: Try, verdict: Verdict, retryAfterMs?: number): Performed {
  const { attempts, durations } = pass.env
  const firstMs = retryAfterMs ?? durations.pollMs * 3
  const { uid } = pass.object.metadata
  return ended(verdict, attempts.postponed(uid, attempt, verdict, firstMs, durations.pollMaxMs * 2))
}

function refused(pass: Pass, error: CloudError, { step, facts, attempt }: Try): Performed {
  const passing = pass.kind.refusedWait?.(step, error.text)
  if (passing !== undefined)
    return ended({ is: 'working', ...passing, usable: usableAfter(facts) }, pass.env.durations.pollMaxMs)
  const { verdict, retryMs } = refusedVerdict(error, facts.words, pass.env.durations, {
    withSecret: pass.kind.secrets(pass.object).length > 0,
    field: pass.kind.refusedField?.(step, error.text, error.field),
    remedy: pass.kind.refusedRemedy,
    destroys: facts.nature === 'destroy',
  })
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
  return working(reason, message, usableAfter(facts))
}

function usableAfter({ nature }: StepFacts): 'no' | 'unknown' {
  return nature === 'create' ? 'no' : 'unknown'
}
