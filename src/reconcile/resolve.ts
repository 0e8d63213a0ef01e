/** What became of an open operation. Only reads, so any process and any later leader may do it. */
import type { Operation } from '../api/shared.ts'
import { NONE, accept, answerTo, answersAnother, howToAnswer } from './answers.ts'
import type { Seen } from './kind.ts'
import { candidates, isBare, look, oneOfOurs, standsForLost, type Looked } from './look.ts'
import { ACCEPTED, ANSWERED, ended, working, type Performed } from './ending.ts'
import { leaveAlone } from './lost.ts'
import { sameObject } from './ownership.ts'
import { takeReport } from './report.ts'
import { fresh, patchDraft, pinIdentity, readContext, sessionOf, writeStatus, type Pass } from './pass.ts'

/** `clear`: nothing is open any more, or what is open may be replaced; `seen` if it was read. */
export type Resolved = { readonly is: 'clear'; readonly seen?: Seen } | Extract<Performed, { is: 'ended' }>

/** Resolves a move, toggle or one-shot of an object with an id. */
export async function resolveEffect(pass: Pass, operation: Operation, id: string): Promise<Resolved> {
  const { env, kind, object } = pass
  const seen = await kind.reads.exact(readContext(pass, fresh(pass)), id)
  if (seen === undefined || kind.effect(operation, seen)) {
    // Before the intent goes: what it was about is recorded as ours.
    if (seen !== undefined) takeReport(pass, seen, undefined)
    patchDraft(pass, { operation: undefined })
    return { is: 'clear', ...(seen !== undefined && { seen }) }
  }
  const ageMs = ageOf(pass, operation)
  // Without an answer it may not have happened: then the settle time counts, and the step is planned again.
  const unclear = operation.details?.[ANSWERED] === undefined
  const settleMs = sessionOf(pass).settleMs
  const limitMs = unclear ? settleMs : (kind.overdueAfterMs?.(operation, object) ?? settleMs)
  if (ageMs < limitMs) {
    const message = `waiting for the cloud to show the result of: ${operation.verb}`
    return ended(working('WaitingForCloud', message), pollAfter(pass, ageMs))
  }
  if (unclear) {
    patchDraft(pass, { operation: undefined })
    return { is: 'clear', seen }
  }
  // It stays open until another step takes its place: the planner decides knowing that it is overdue.
  pass.overdue = operation.verb
  env.log.info(
    { kind: kind.kind, key: pass.key, verb: operation.verb },
    'an operation has shown no effect in its time',
  )
  return { is: 'clear', seen }
}

/** Resolves an open create. `clear` with `seen`: it exists and its id is stored; without: certainly nothing was made. */
export async function resolveCreate(pass: Pass, operation: Operation, want: unknown): Promise<Resolved> {
  const { env, kind } = pass
  const session = sessionOf(pass)
  const lost = standsForLost(operation)
  const found = await findCreated(pass, operation, want)
  if (found.is === 'one') {
    env.proofs.reset(operation.id)
    if (pass.draft.id !== found.seen.id) {
      if (lost) leaveAlone(pass, found.seen.id)
      pinIdentity(pass)
      patchDraft(pass, { id: found.seen.id })
      // With what tells it from another one of the same name, by then or before.
      takeReport(pass, found.seen, undefined)
      await writeStatus(pass)
    }
    return { is: 'clear', seen: found.seen }
  }
  const issuedMs = env.clock.now() - ageOf(pass, operation)
  const proof = env.proofs.absent(operation.id, session.settleMs, issuedMs)
  if (found.is === 'none') {
    if (proof === 'proven') {
      // What the service named and its lists alone do not show is not made again by itself: a list may leave a row out.
      const named = !lost && !kind.reads.hasExact(session)
      patchDraft(pass, { operation: undefined, ...(!named && { id: undefined }) })
      return { is: 'clear' }
    }
    const message = `${lost ? 'the status was lost, and ' : ''}whether a ${kind.noun} was made is not known yet; it is looked for until the settle time has passed, and nothing is made twice`
    return ended(working('CreateOutcomeUnknown', message, 'no'), proof.afterMs)
  }
  return amongCandidates(pass, operation, found, proof, want)
}

/** What nothing but a person, or an account that nobody else uses, can tell. */
async function amongCandidates(
  pass: Pass,
  operation: Operation,
  { ids, placeOf }: Extract<Found, { is: 'unclear' }>,
  proof: 'proven' | { readonly afterMs: number },
  want: unknown,
): Promise<Resolved> {
  const { kind, object } = pass
  const session = sessionOf(pass)
  const lost = standsForLost(operation)
  const only = ids.length === 1 ? ids[0] : undefined
  // A lost status may stand for less than the candidate: for nothing, or for one that was retained by another object.
  const dedicated = session.dedicated === true && !lost
  const accepted = operation.details?.[ACCEPTED] !== undefined
  const certain = accepted || dedicated
  const take = (id: string) => taken(pass, id, placeOf(id))
  const settled = proof === 'proven' || object.status?.operation?.candidates !== undefined
  // Until then a list may leave ours out, and show a stranger's that was made at the same time.
  if (only !== undefined && certain && settled) {
    if (await staysCandidate(pass, operation, only, want)) return take(only)
    const message = `${only} is no candidate any more; looking again`
    return ended(working('CreateOutcomeUnknown', message, 'no'), pass.env.durations.pollMaxMs)
  }
  const answered = followAnswer(pass, operation, ids, settled, take)
  if (answered !== undefined) return answered
  const names = ids.join(', ')
  const unanswered = accepted
    ? 'a create was accepted, with no id of its own'
    : 'a create was sent and never answered'
  const why = lost ? 'the status was lost' : unanswered
  const unsure = isBare(pass, operation)
    ? 'this service shows no names'
    : 'a clone in the cloud has a copy of the marker'
  if (settled) {
    patchDraft(pass, { operation: { ...operation, candidates: [...ids] } })
    const how = howToAnswer(pass, operation.id, ids[0] ?? NONE)
    const wrong = wrongAnswer(pass, operation, ids)
    const message = `${why}; ${unsure}, and the ${kind.noun} it may have made is ${names}: look at it in the console, and answer with the id of the one that belongs to this object, or with ${NONE} to have one made: ${how}${wrong}`
    return ended({ is: 'stalled', reason: 'CreateOutcomeUnknown', message }, session.syncMs)
  }
  const message = `${why}; candidates so far: ${names}`
  return ended(working('CreateOutcomeUnknown', message, 'no'), proof.afterMs)
}

/** The row may be older than what another create has made of it: a disk, the boot disk of a machine. */
async function staysCandidate(pass: Pass, operation: Operation, id: string, want: unknown): Promise<boolean> {
  if (!pass.kind.reads.hasExact(sessionOf(pass))) return true
  const exact = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)
  return exact !== undefined && candidates(pass, operation, [exact], want).length > 0
}

/**
 * A person says which candidate is ours, or that none is. None is believed only once the settle time is over: until then the
 * create may still take effect.
 */
function followAnswer(
  pass: Pass,
  operation: Operation,
  ids: readonly string[],
  settled: boolean,
  take: (id: string) => Promise<Resolved>,
): Resolved | Promise<Resolved> | undefined {
  const answer = answerTo(pass, operation.id)
  if (answer === undefined) return undefined
  if (ids.includes(answer)) {
    accept(pass, operation.id, answer)
    return take(answer)
  }
  if (answer !== NONE || !settled) return undefined
  // What carries the marker all the same is not taken later.
  if (!isBare(pass, operation)) for (const id of ids) accept(pass, id, NONE)
  accept(pass, operation.id, answer)
  patchDraft(pass, { operation: undefined, id: undefined })
  return { is: 'clear' }
}

function wrongAnswer(pass: Pass, operation: Operation, ids: readonly string[]): string {
  const answer = answerTo(pass, operation.id)
  const other = answer === undefined ? answersAnother(pass, operation.id) : undefined
  if (other !== undefined) return ` (${other})`
  return answer === undefined || ids.includes(answer) ? '' : ` (the answer ${answer} is none of these)`
}

async function taken(pass: Pass, id: string, place: string | undefined): Promise<Resolved> {
  pass.location = place ?? pass.location
  pinIdentity(pass)
  patchDraft(pass, { id })
  await writeStatus(pass)
  return ended(working('Creating', `the new ${pass.kind.noun} is ${id}`, 'no'), 0)
}

type Found =
  | { readonly is: 'one'; readonly seen: Seen }
  | { readonly is: 'none' }
  | { readonly is: 'unclear'; readonly ids: readonly string[]; readonly placeOf: Looked['placeOf'] }

async function findCreated(pass: Pass, operation: Operation, want: unknown): Promise<Found> {
  const { kind, draft } = pass
  const session = sessionOf(pass)
  if (draft.id !== undefined && kind.reads.hasExact(session)) {
    const seen = await kind.reads.exact(readContext(pass, fresh(pass)), draft.id)
    // Its answer was recorded: under the same key may be another one since.
    return seen !== undefined && sameObject(pass, seen) ? { is: 'one', seen } : { is: 'none' }
  }
  if (kind.creation.identity(session) === 'name') {
    const id = kind.creation.idFor?.(pass.object) ?? ''
    const seen = await kind.reads.exact(readContext(pass, fresh(pass)), id)
    return seen === undefined ? { is: 'none' } : { is: 'one', seen }
  }
  const looked = await look(pass)
  const recorded = looked.rows.find((row) => row.id === draft.id) ?? oneOfOurs(pass, looked)
  if (recorded !== undefined) return { is: 'one', seen: recorded }
  if (draft.id !== undefined) return { is: 'none' }
  const { unsure, placeOf } = looked
  if (unsure.length > 0) return { is: 'unclear', ids: unsure, placeOf }
  if (!isBare(pass, operation)) return { is: 'none' }
  const ids = candidates(pass, operation, looked.rows, want).map((row) => row.id)
  return ids.length === 0 ? { is: 'none' } : { is: 'unclear', ids, placeOf }
}

/** Milliseconds since the request left, or can have left at the latest. */
export function ageOf(pass: Pass, operation: Operation): number {
  return pass.env.ages.of(operation)
}

/** Quick at first, slower with age. */
export function pollAfter(pass: Pass, ageMs: number): number {
  const { pollMs, pollMaxMs } = pass.env.durations
  return Math.min(Math.max(pollMs, ageMs / 5), pollMaxMs)
}
