/**
 * Replacing what is delivered into a Secret: a new one is made as if there were none, the Secret is switched to it, and the old
 * one goes after its time. The old id is kept in status.retiring from before the new one is made.
 */
import { ANNOTATIONS } from '../api/group.ts'
import { STATUS_BOUNDS } from '../api/shared.ts'
import { parseTime, timestamp } from '../loop/clock.ts'
import { isPaused, patchDraft, sessionOf, type Pass } from './pass.ts'
import { retiringOf, type Retiring } from './retiring.ts'

const MOST = 16
const GRACE_SECONDS = 3_600

/** The token by which somebody asks for a rotation that has not begun. */
export function rotationAsked(pass: Pass): string | undefined {
  if (pass.kind.delivery === undefined) return undefined
  const annotation = pass.object.metadata.annotations?.[ANNOTATIONS.rotate]
  const token = annotation?.slice(0, STATUS_BOUNDS.text).toWellFormed()
  const handled = (pass.draft as { readonly lastHandledRotateAt?: string }).lastHandledRotateAt
  return token === undefined || token === '' || token === handled ? undefined : token
}

/** Begins one where it is asked for. Without anything to replace it counts as done by what is made now. */
export function beginRotation(pass: Pass): void {
  const token = rotationAsked(pass)
  if (token === undefined || isPaused(pass.object) || pass.draft.operation !== undefined) return
  const { id } = pass.draft
  const retiring = retiringOf(pass.draft)
  if (retiring.length >= MOST) return
  patch(pass, {
    lastHandledRotateAt: token,
    ...(id !== undefined && { id: undefined, retiring: [...retiring, { id }], appliedGeneration: undefined }),
  })
}

/** A deletion in the middle of a rotation: the newest old one stands for the object again. */
export function abandonRotation(pass: Pass): void {
  const retiring = retiringOf(pass.draft)
  const last = retiring.at(-1)
  if (pass.draft.id !== undefined || pass.draft.operation !== undefined || last === undefined) return
  patch(pass, { id: last.id, retiring: retiring.slice(0, -1) })
}

/** The Secret holds the new one: from now on the time of the old ones runs. Milliseconds until the next is over. */
export function startGrace(pass: Pass): number | undefined {
  const { clock } = pass.env
  const retiring = retiringOf(pass.draft)
  if (retiring.length === 0) return undefined
  const since = timestamp(clock)
  const started = retiring.map((each): Retiring => ({ since, ...each }))
  patch(pass, { retiring: started })
  const settleMs = sessionOf(pass).settleMs
  const moments = started.flatMap((each) => [overAt(pass, each), overAt(pass, each) + settleMs])
  const coming = moments.map((at) => at - clock.now()).filter((ms) => ms > 0)
  return coming.length === 0 ? undefined : Math.min(...coming) + 1
}

/** Ids of the old ones whose time has been over for `agoMs`. */
export function outlived(pass: Pass, agoMs: number): readonly string[] {
  return retiringOf(pass.draft)
    .filter((each) => overAt(pass, each) + agoMs <= pass.env.clock.now())
    .map((each) => each.id)
}

function overAt({ env, object }: Pass, { since }: Retiring): number {
  const { rotation } = object.spec as { readonly rotation?: { readonly graceSeconds?: number } }
  const begun = parseTime(since)
  if (begun === undefined) return Number.POSITIVE_INFINITY
  return begun + (rotation?.graceSeconds ?? GRACE_SECONDS) * 1_000 * env.durations.accountScale
}

/** Fields of the status of kinds that are delivered. */
function patch(pass: Pass, fields: Readonly<Record<string, unknown>>): void {
  patchDraft(pass, fields)
}
