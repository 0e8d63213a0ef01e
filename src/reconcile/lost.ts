/** A status that was lost: emptied by somebody, or gone with an older state of the cluster. What it may have known of is looked for. */
import type { Operation } from '../api/shared.ts'
import { parseTime, rfc3339 } from '../loop/clock.ts'
import { observesOnly } from './approval.ts'
import type { Verdict } from './conditions.ts'
import { working } from './ending.ts'
import { waitForWish } from './enter.ts'
import { lockOf } from './locks.ts'
import { asksOnceLost, LOST, standsForLost } from './look.ts'
import { hasFinalizer, isPaused, patchDraft, pinIdentity, sessionOf, type Ended, type Pass } from './pass.ts'
import type { StepFacts } from './plan.ts'
import { memoryOf } from './report.ts'
import { machinesDetail } from './turn.ts'
import { askForAdopted, askWhose } from './whose.ts'
import { readWish } from './wish.ts'

/** Whether a create stands in for a lost status. A name is looked up by itself, and the service gives it to one only. */
export function standsIn(pass: Pass): boolean {
  return pass.kind.creation.identity(sessionOf(pass)) !== 'name'
}

/** The service's clock, and the zone of its times, may not be ours. More candidates than needed only ask a person more. */
const CLOCKS_DIFFER_MS = 86_400_000

/**
 * What was sent before the status was lost may still take effect: until it has had its time nothing is sent to what was found. This
 * process alone knows of it.
 */
export function leaveAlone(pass: Pass, id: string): void {
  const { uid } = pass.object.metadata
  pass.env.unanswered.note(
    [uid, lockOf(id)],
    { uid: `lost/${uid}`, generation: 0 },
    LOST,
    sessionOf(pass).settleMs,
  )
}

/**
 * Opens a create that stands for what was lost: one since the object was made, of what the spec asks for now. It is resolved
 * as one that was sent this moment, since its request may have been the last thing before the loss.
 */
export function standIn(pass: Pass, facts?: StepFacts): Verdict {
  const { env, object } = pass
  const madeMs = parseTime(object.metadata.creationTimestamp) ?? 0
  const operation: Operation = {
    id: env.clock.randomHex(8),
    verb: 'create',
    issuedAt: rfc3339(env.clock.now()),
    baseline: [],
    baselineNewest: rfc3339(madeMs - CLOCKS_DIFFER_MS),
    details: { ...facts?.details, ...(facts && machinesDetail(facts)), [LOST]: 'true' },
  }
  pinIdentity(pass)
  patchDraft(pass, { operation })
  const message = 'the status was lost; what this object may have made is looked for'
  return working('CreateOutcomeUnknown', message, 'no')
}

/**
 * The same while the wish waits for something, which may go on for long, and for what waits for this object in turn. Undefined: it is
 * looked for by what the wish will say.
 */
export function lostBeforeWish(pass: Pass): Verdict | undefined {
  const { draft, kind, object } = pass
  if (draft.id !== undefined || draft.operation !== undefined) return undefined
  if (isPaused(object) || observesOnly(pass) || !standsIn(pass)) return undefined
  if (!asksOnceLost(pass)) return standIn(pass)
  return object.spec.adopt === undefined && kind.pins === undefined ? standIn(pass) : undefined
}

/**
 * The same for an object that is being deleted and lost its status. Undefined: what has its own record by now, or would be looked
 * for by what is gone itself.
 */
export async function lostBeforeDeletion(pass: Pass): Promise<Ended | undefined> {
  const { draft, kind, object } = pass
  if (draft.id !== undefined || draft.operation !== undefined) return undefined
  if (!standsIn(pass)) return askWhose(pass, kind.creation.idFor?.(object) ?? '')
  if (!asksOnceLost(pass)) return { verdict: standIn(pass), afterMs: 0 }
  // Nothing is made for what is to be adopted, and nothing tells it.
  if (object.spec.adopt !== undefined) return askForAdopted(pass)
  const wish = await readWish(pass)
  if (wish.is !== 'ready') {
    if (kind.pins === undefined) return { verdict: standIn(pass), afterMs: 0 }
    return wish.is === 'waiting' && leaderIsLost(pass) ? waitForWish(pass, wish.wait) : undefined
  }
  const pinned = kind.pins?.(wish.want)
  if (pinned !== undefined) patchDraft(pass, pinned)
  const step = kind.plan(wish.want, undefined, memoryOf(pass)).steps[0]
  return { verdict: standIn(pass, step && kind.facts(step, undefined)), afterMs: 0 }
}

/** What tells where to look is another object's, which lost its status as well and may find its own again. */
function leaderIsLost({ env, kind, object }: Pass): boolean {
  const name = kind.follows?.name(object)
  if (kind.follows === undefined || name === undefined) return false
  const leader = env.stores[kind.follows.kind].get(`${object.metadata.namespace}/${name}`)
  if (leader?.status?.id !== undefined || leader === undefined || !hasFinalizer(leader)) return false
  return leader.status?.account === undefined || standsForLost(leader.status.operation)
}

/** The same with another object's status over its own: from here on it has one of its own. Undefined: nothing would tell it. */
export function lostUnderAnother(pass: Pass): Verdict | undefined {
  return standsIn(pass) && !asksOnceLost(pass) ? standIn(pass) : undefined
}
