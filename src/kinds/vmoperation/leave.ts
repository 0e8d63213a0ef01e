/**
 * The deletion of an operation: what was sent is found out about first, for the settle time at most, and nothing is undone.
 * A machine that was stopped here is started, as far as one call does it.
 */
import type { Outcome } from '../../loop/outcome.ts'
import { pausedVerdict } from '../../reconcile/converge.ts'
import { confirmDeletion } from '../../reconcile/deletion.ts'
import { working } from '../../reconcile/ending.ts'
import { enter, tooEarly } from '../../reconcile/enter.ts'
import { accountNameOf } from '../../reconcile/follow.ts'
import { cloudErrors, finish } from '../../reconcile/frame.ts'
import { lockOf } from '../../reconcile/locks.ts'
import { sinceDeleted } from '../../reconcile/parting.ts'
import {
  hasFinalizer,
  isDone,
  isPaused,
  releaseObject,
  sessionOf,
  type Ended,
  type Pass,
} from '../../reconcile/pass.ts'
import { isCopy } from '../../reconcile/references.ts'
import { carryOut, statusOf } from './carry.ts'
import { partingOf } from './plan.ts'
import { assumeSent, progressOf, statusLost, waitsFor } from './progress.ts'
import { findVm, lookAt } from './seen.ts'

export async function leave(pass: Pass): Promise<Outcome> {
  // It has ended, and asks for nothing any more; or what its status tells of is another one's.
  if (isDone(pass.object) || isCopy(pass.object)) await releaseObject(pass)
  if (!hasFinalizer(pass.object)) return {}
  const early = tooEarly(pass)
  if (early !== undefined) return early
  if (!(await confirmDeletion(pass))) return { afterMs: pass.env.durations.pollMs }
  const held = await cloudErrors<Ended | undefined>(pass, () => holding(pass))
  if (held !== undefined) return finish(pass, held)
  await releaseObject(pass)
  return {}
}

/** Why it must not go yet; undefined: it may. */
async function holding(pass: Pass): Promise<Ended | undefined> {
  const { env, kind, object } = pass
  if (statusLost(pass)) assumeSent(pass)
  const { finishedAt, id, sent } = statusOf(pass)
  if (sent === undefined || finishedAt !== undefined) return undefined
  // Nothing says where it was.
  if (accountNameOf(env.stores, kind.follows, object) === undefined) return undefined
  const blocked = enter(pass)
  // A definition that leaves waits for no account.
  if (blocked !== undefined) return (await env.uninstalling(kind.kind)) ? undefined : blocked
  const found = findVm(pass, id)
  // A machine that lost its status is looked for as long, and then left alone as long.
  const lastMs = 2 * sessionOf(pass).settleMs
  const ageMs = sinceDeleted(pass)
  if (found.is === 'waiting') return ageMs >= lastMs ? undefined : settling(pass, found.message)
  const machineID = id ?? (found.is === 'there' ? found.id : undefined)
  if (machineID === undefined) return undefined
  const barred = env.unanswered.leftMs([lockOf(machineID)]) !== undefined && ageMs < lastMs
  const over = ageMs >= sessionOf(pass).settleMs && !barred
  const { machine, seen } = await lookAt(pass, found, machineID)
  const vm = found.is === 'there' ? found.vm : undefined
  const parting = partingOf(progressOf(pass, machine, vm))
  if (parting === undefined) return undefined
  if (parting.is === 'wait') return over ? undefined : settling(pass, parting.message)
  if (isPaused(pass.object)) return { verdict: pausedVerdict(pass) }
  // Tried at least once, however long nobody was there to do it.
  const held = seen && (await carryOut(pass, parting.step, seen, vm))
  return over ? undefined : held
}

function settling(pass: Pass, message: string): Ended {
  const { afterMs } = waitsFor(pass, message)
  return { verdict: working('Deleting', message), ...(afterMs !== undefined && { afterMs }) }
}
