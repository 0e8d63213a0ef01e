/**
 * One step, carried out: what cannot be repeated gets an intent in status first, written with the object's UID and
 * version, so that neither a stale cache nor a second leader sends it too. The call leaves at most once.
 */
import type { Operation } from '../api/shared.ts'
import { rfc3339 } from '../loop/clock.ts'
import { AGAIN, ANSWERED, ended, working, type Performed, type Sent } from './ending.ts'
import { mayNotBegin } from './gate.ts'
import type { Seen } from './kind.ts'
import { needed } from './needed.ts'
import { fresh, judge, patchDraft, readContext, writeStatus, type Pass } from './pass.ts'
import { sameObject } from './ownership.ts'
import type { StepBase, StepFacts } from './plan.ts'
import { takeReport } from './report.ts'
import { moment, send } from './send.ts'
import { machinesDetail } from './turn.ts'

/**
 * Performs a step of a nature other than create, and sees its effect before the intent is cleared. `lastLook`, after the
 * intent is written: whether the step is still the right one; if not it is not sent.
 */
export async function perform(
  pass: Pass,
  step: StepBase,
  want: unknown,
  seen: Seen | undefined,
  lastLook?: () => Promise<boolean>,
): Promise<Performed> {
  const { env, kind } = pass
  const facts = kind.facts(step, seen)
  const stopped = mayNotBegin(pass, step, facts, want)
  if (stopped !== undefined) return stopped
  if (facts.nature === 'set')
    return named(pass, await send(pass, step, facts, want, seen, env.clock.randomHex(8)))
  const before = pass.draft.operation
  const operation = await openIntent(pass, step, facts, seen, {})
  const look = lastLook ?? (kind.keyIsReused === true ? () => stillThere(pass) : undefined)
  if (look !== undefined && !(await looked(pass, look, before))) {
    const reason = facts.nature === 'destroy' ? 'Deleting' : 'Updating'
    return ended(working(reason, 'the cloud has changed meanwhile; looking again'), env.durations.pollMs)
  }
  const sent = named(pass, await send(pass, step, facts, want, seen, operation.id))
  if (sent.is === 'ended') return sent
  patchDraft(pass, { operation: answeredOf(operation) })
  return facts.nature === 'destroy' ? sent : effectSeen(pass, operation, facts, sent.seen)
}

/** Whether its key still leads to it. */
async function stillThere(pass: Pass): Promise<boolean> {
  const { draft, kind } = pass
  if (draft.id === undefined) return false
  const seen = await kind.reads.exact(readContext(pass, fresh(pass)), draft.id)
  return seen !== undefined && sameObject(pass, seen)
}

/** Nothing was sent yet: where it is not to be, or the last look failed, what was open `before` is open again. */
async function looked(
  pass: Pass,
  lastLook: () => Promise<boolean>,
  before: Operation | undefined,
): Promise<boolean> {
  let good = false
  try {
    good = await lastLook()
  } finally {
    if (!good) patchDraft(pass, { operation: before })
  }
  return good
}

/** The answer, where it is about this object: under the same key may be another one since the look before the call. */
function named(pass: Pass, sent: Sent): Performed {
  if (sent.is === 'accepted') throw new Error('only a create may be answered without an observation')
  if (sent.is === 'ended') return sent
  if (sent.seen.id === pass.draft.id && sameObject(pass, sent.seen)) return sent
  const message = `the service answered about another ${pass.kind.noun} under the same key; looking again`
  return ended(working('WaitingForCloud', message), pass.env.durations.pollMs)
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
    ...detailsOf(pass, step, facts),
    ...extra,
  }
  pass.intent = { id: operation.id, ...moment(env.clock) }
  const memory = { status: pass.draft, appliedBefore: false }
  patchDraft(pass, { ...kind.remember?.(step, seen, memory), operation })
  env.ages.begin(operation)
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

function detailsOf({ overdue, wished }: Pass, step: StepBase, facts: StepFacts): Partial<Operation> {
  const again = overdue === step.do && { [AGAIN]: String(wished.generation) }
  const details = { ...facts.details, ...machinesDetail(facts), ...again }
  return Object.keys(details).length === 0 ? {} : { details }
}

function answeredOf(operation: Operation): Operation {
  return { ...operation, details: { ...operation.details, [ANSWERED]: 'true' } }
}

/** The exact read that decides; without the effect the intent stays and later passes look again. */
async function effectSeen(
  pass: Pass,
  operation: Operation,
  facts: StepFacts,
  answer: Seen,
): Promise<Performed> {
  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), answer.id)
  if (seen !== undefined && sameObject(pass, seen) && pass.kind.effect(operation, seen)) {
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
