/** What surrounds every pass: its locks, what is said of failures, and its last write. One of the places that catch. */
import { CloudError } from '../cloud/errors.ts'
import { isKubeError, KubeError } from '../kube/errors.ts'
import { createBackoff } from '../loop/backoff.ts'
import type { Outcome } from '../loop/outcome.ts'
import { pausedVerdict } from './converge.ts'
import type { Verdict } from './conditions.ts'
import { deniedEnding } from './denied.ts'
import type { Environment } from './environment.ts'
import { lockHolder } from './gate.ts'
import {
  beginPass,
  isPaused,
  judge,
  patchDraft,
  requestToken,
  writeStatus,
  type AnyKind,
  type Ended,
  type Pass,
} from './pass.ts'
import { recordOutcome } from './record.ts'
import { readFailed } from './verdicts.ts'

/** The reconcile function of a kind whose passes `run` carries out. Throws only KubeErrors and bugs. */
export function passOver(
  env: Environment,
  kind: AnyKind,
  run: (pass: Pass) => Promise<Outcome>,
): (key: string) => Promise<Outcome> {
  const conflicts = createBackoff({
    clock: env.clock,
    firstMs: env.durations.notSentMs / 20,
    maxMs: env.durations.pollMaxMs,
  })
  return async (key) => {
    const object = env.stores[kind.kind].get(key)
    if (object === undefined) return {}
    if (!env.leading()) return untilLeading(env)
    const pass = beginPass(env, kind, object)
    try {
      const outcome = await run(pass)
      if (!pass.overtaken) conflicts.forget(key)
      if (!env.leading()) return untilLeading(env)
      // The watch shows what changed; if it does not, asking ever more often helps nobody.
      if (pass.overtaken) env.conflicted(kind.kind, pass.object)
      return pass.overtaken ? { afterMs: conflicts.next(key), priority: 'retry' } : outcome
    } catch (error) {
      if (isKubeError(error, 'conflict')) env.conflicted(kind.kind, pass.object)
      if (!(error instanceof KubeError || error instanceof CloudError)) await tellFault(pass)
      throw error
    } finally {
      env.locks.releaseAll(lockHolder(pass))
    }
  }
}

/**
 * A lease can be held again without having been lost to anybody (the process stood still, or an answer was late): nobody else
 * looks at the object then.
 */
export function untilLeading({ clock, durations }: Environment): Outcome {
  return { afterMs: durations.notSentMs * (1 + clock.random()), priority: 'requeue' }
}

/** A fault of ours: what a half-way pass believed is dropped, and only that it failed is said. */
async function tellFault(pass: Pass): Promise<void> {
  if (!pass.env.leading()) return
  pass.draft = { ...pass.object.status }
  const message =
    'a fault in the operator: its log tells more under the name of this object; it is tried again by itself, nothing was concluded, and the fault should be reported'
  judge(pass, { is: 'stalled', reason: 'InternalError', message })
  try {
    await writeStatus(pass)
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
  }
}

/** Writes what the pass found. Without the lease only the outcome of what this process began. */
export async function finish(pass: Pass, { verdict, afterMs }: Ended): Promise<Outcome> {
  const { env, object } = pass
  judge(pass, isPaused(object) && verdict.is !== 'paused' && !isEnd(verdict) ? pausedVerdict(pass) : verdict)
  const token = requestToken(object)
  if (token !== undefined && verdict.is !== 'unread') patchDraft(pass, { lastHandledReconcileAt: token })
  if ((env.leading() || pass.began) && !(await recordOutcome(pass))) {
    pass.overtaken = true
    return {}
  }
  const syncMs = pass.session?.syncMs ?? env.durations.pollMaxMs
  if (afterMs === undefined) return { afterMs: syncMs * (0.9 + 0.2 * env.clock.random()), priority: 'resync' }
  // No watch tells of a corrected Secret: who refers to one looks again within an interval, however slow its retry is.
  const refersToSecret = pass.kind.secrets(object).length > 0
  return { afterMs: refersToSecret ? Math.min(afterMs, syncMs) : afterMs, priority: 'requeue' }
}

/** An operation that has ended stays so, paused or not. */
function isEnd(verdict: Verdict): boolean {
  return verdict.is === 'complete' || (verdict.is === 'stalled' && verdict.ended !== undefined)
}

/** Errors of reads end the pass; what was known stays. */
export async function cloudErrors<Result>(pass: Pass, work: () => Promise<Result>): Promise<Result | Ended> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    for (const subject of ['gone', 'deleted']) pass.env.proofs.reset(`${subject}/${pass.object.metadata.uid}`)
    if (pass.draft.operation !== undefined) pass.env.proofs.reset(pass.draft.operation.id)
    if (error.class === 'denied') return deniedEnding(pass, error, `read the ${pass.kind.noun}`)
    return readFailed(error, pass.env.durations)
  }
}
