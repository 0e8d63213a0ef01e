/** Observe, plan, one step, again, for an object that has an id. A list proposes; an exact read decides. */
import { pollAfter, ageOf } from './resolve.ts'
import { appliedBefore, heldBack, observesOnly } from './approval.ts'
import type { Usable, Verdict } from './conditions.ts'
import type { Seen, Usability } from './kind.ts'
import { working, type Performed } from './ending.ts'
import { senderOf } from './gate.ts'
import { perform } from './operation.ts'
import {
  fresh,
  isPaused,
  patchDraft,
  readContext,
  isAsked,
  sessionOf,
  type Ended,
  type Pass,
} from './pass.ts'
import type { Plan, StepBase } from './plan.ts'
import { memoryOf, takeReport } from './report.ts'

/** More steps than any plan has: a plan that never ends is a bug, and stops here. */
const STEPS_MAX = 64
/** Rows of a list are good enough for this share of the sync interval. */
const LIST_SHARE = 0.8

export interface Observed {
  /** Undefined: the exact read says that it is gone. */
  readonly seen: Seen | undefined
  readonly exact: boolean
}

/** What the cloud has: the list's row where that is enough, else an exact read. */
export async function observe(pass: Pass, id: string, want: unknown): Promise<Observed> {
  const row = await fromList(pass, id)
  if (row !== undefined && quiet(pass.kind.plan(want, row, memoryOf(pass)), pass, row, want))
    return { seen: row, exact: false }
  return { seen: await readExactly(pass, id), exact: true }
}

function quiet(plan: Plan<StepBase>, pass: Pass, row: Seen, want: unknown): boolean {
  const done =
    plan.steps.length === 0 &&
    plan.wait === undefined &&
    plan.block === undefined &&
    plan.pending === undefined
  return done && pass.kind.usability(row, want).usable
}

async function fromList(pass: Pass, id: string): Promise<Seen | undefined> {
  const session = sessionOf(pass)
  if (isAsked(pass) || pass.draft.operation !== undefined || exactDue(pass, id)) return undefined
  return pass.kind.reads.row(readContext(pass, { maxAgeMs: session.syncMs * LIST_SHARE }), id)
}

/** Fields that rows lack are read once per interval, at a moment of its own for each object. */
function exactDue(pass: Pass, id: string): boolean {
  const { env } = pass
  const { exactReadAt } = sessionOf(pass).memory
  const now = env.clock.monotonic()
  const at = exactReadAt.get(id) ?? now - env.clock.random() * env.durations.exactMs * LIST_SHARE
  exactReadAt.set(id, at)
  const { hasExact, rowsRemember } = pass.kind.reads
  return (hasExact(sessionOf(pass)) || rowsRemember === true) && now - at > env.durations.exactMs
}

export async function readExactly(pass: Pass, id: string): Promise<Seen | undefined> {
  const session = sessionOf(pass)
  session.memory.exactReadAt.set(id, pass.env.clock.monotonic())
  return pass.kind.reads.exact(readContext(pass, fresh(pass)), id)
}

/** Steps until nothing is left or something must be waited for. */
export async function converge(pass: Pass, want: unknown, first: Observed): Promise<Ended> {
  let { seen, exact } = first as { seen: Seen; exact: boolean }
  for (let count = 0; count < STEPS_MAX; count++) {
    takeReport(pass, seen, want)
    const plan = pass.kind.plan(want, seen, memoryOf(pass))
    if (exact) pass.env.unanswered.seen(senderOf(pass), verbsOf(plan))
    const step = plan.steps[0]
    if (step === undefined || plan.wait !== undefined) return conclude(pass, plan, seen, want)
    const verdict = heldBack(pass, plan.steps, seen, usableOf(pass.kind.usability(seen, want)))
    if (verdict !== undefined) return { verdict }
    if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
    if (!exact) {
      const again = await readExactly(pass, seen.id)
      if (again === undefined)
        return {
          verdict: working('WaitingForCloud', `the ${pass.kind.noun} vanished while it was worked on`),
          afterMs: 0,
        }
      seen = again
      exact = true
      continue
    }
    const performed: Performed = await perform(pass, step, want, seen)
    if (performed.is === 'ended') {
      // The planner may have an answer to a step without effect (start the machine all the same): it is asked once.
      if (performed.ended.verdict.is !== 'drifted' || pass.fought === step.do) return performed.ended
      pass.fought = step.do
      continue
    }
    seen = performed.seen
  }
  throw new Error(`the plan of ${pass.kind.kind} ${pass.key} did not end after ${STEPS_MAX} steps`)
}

function verbsOf({ steps }: Plan<StepBase>): readonly string[] {
  return steps.map((each) => each.do)
}

/** Nothing (more) can be done now: what the plan and the observation mean. */
function conclude(pass: Pass, plan: Plan<StepBase>, seen: Seen, want: unknown): Ended {
  const usability = pass.kind.usability(seen, want)
  if (plan.wait !== undefined) {
    return {
      verdict: { is: 'working', ...plan.wait, usable: usability.usable ? 'unknown' : 'no' },
      // Another object wakes this one when it changes; asking the cloud meanwhile tells nothing.
      afterMs: plan.wait.reason === 'WaitingForDependency' ? sessionOf(pass).syncMs : waitAfter(pass),
    }
  }
  if (plan.block !== undefined) return { verdict: { is: 'stalled', ...plan.block } }
  if (plan.pending !== undefined)
    return { verdict: { is: 'pending', ...plan.pending, usable: usableOf(usability) } }
  patchDraft(pass, {
    operation: undefined,
    plan: undefined,
    approvedPlan: undefined,
    appliedGeneration: pass.wished.generation,
  })
  pass.env.attempts.forget(pass.object.metadata.uid)
  if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
  if (!usability.usable)
    return { verdict: working('WaitingForCloud', usability.message, 'no'), afterMs: waitAfter(pass) }
  const reason = observesOnly(pass) ? 'Observed' : usability.reason
  return { verdict: { is: 'good', reason, message: usability.message } }
}

function waitAfter(pass: Pass): number {
  const operation = pass.draft.operation
  return operation === undefined ? pass.env.durations.pollMs * 3 : pollAfter(pass, ageOf(pass, operation))
}

export function usableOf(usability: Usability): Usable {
  return usability.usable ? { reason: usability.reason, message: usability.message } : undefined
}

export function pausedVerdict(pass: Pass): Verdict {
  const message = `paused by the annotation: nothing is written to the cloud until it is removed`
  return { is: 'paused', message, applied: appliedBefore(pass) }
}
