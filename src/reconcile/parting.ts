/**
 * What is put right before an object goes and its cloud object stays: what was begun on the way to something else, and would stay
 * so for good, with nobody to tell. For the settle time at most.
 */
import { parseTime } from '../loop/clock.ts'
import { observesOnly } from './approval.ts'
import { working } from './ending.ts'
import { enter } from './enter.ts'
import { perform } from './operation.ts'
import { sameObject } from './ownership.ts'
import { fresh, isPaused, readContext, sessionOf, type Ended, type Pass } from './pass.ts'
import { memoryOf } from './report.ts'
import { resolveEffect } from './resolve.ts'

/** Why it must not go yet; undefined: it may. Throws CloudError. */
export async function partFrom(pass: Pass): Promise<Ended | undefined> {
  const { draft, kind, object } = pass
  const { parting } = kind
  const { id } = draft
  if (
    parting === undefined ||
    id === undefined ||
    !parting.unfinished(draft) ||
    isPaused(object) ||
    observesOnly(pass)
  )
    return undefined
  // Without an account there is nobody to ask.
  if (pass.session === undefined && enter(pass) !== undefined) return undefined
  const over = sinceDeleted(pass) >= sessionOf(pass).settleMs
  const held = await putRight(pass, id, parting)
  return over ? undefined : held
}

async function putRight(
  pass: Pass,
  id: string,
  parting: NonNullable<Pass['kind']['parting']>,
): Promise<Ended | undefined> {
  const { operation } = pass.draft
  if (operation !== undefined) {
    const resolved = await resolveEffect(pass, operation, id)
    if (resolved.is === 'ended') return resolved.ended
  }
  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)
  if (seen === undefined || !sameObject(pass, seen)) return undefined
  const next = parting.next(seen, memoryOf(pass))
  if (next === undefined) return undefined
  if (next === 'wait') {
    const verdict = working('Deleting', `waiting until the ${pass.kind.noun} can be left as it was`)
    return { verdict, afterMs: pass.env.durations.pollMs }
  }
  const performed = await perform(pass, next, undefined, seen)
  return performed.is === 'ended' ? performed.ended : undefined
}

/** Milliseconds by the wall clock since somebody asked for its deletion. */
export function sinceDeleted({ env, object }: Pass): number {
  const now = env.clock.now()
  return now - (parseTime(object.metadata.deletionTimestamp) ?? now)
}
