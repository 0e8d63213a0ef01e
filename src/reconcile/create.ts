/**
 * Making a cloud object exactly once, without idempotency keys: finalizer, look, intent, wish and look again, one POST, the
 * id in a write of its own, an exact read. Every stage can be the last one of this process.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../api/shared.ts'
import { isKubeError } from '../kube/errors.ts'
import { observesOnly } from './approval.ts'
import type { CloudResource, Seen } from './kind.ts'
import { asksOnceLost, baselineOf, candidates, isBare, look, oneOfOurs, type Looked } from './look.ts'
import { leaveAlone, standIn, standsIn } from './lost.ts'
import { ACCEPTED, ended, working, type Performed } from './ending.ts'
import { lockHolder, mayNotBegin, stillWished } from './gate.ts'
import { namesakeConflict } from './namesakes.ts'
import { openIntent } from './operation.ts'
import { isCopied } from './ownership.ts'
import { send } from './send.ts'
import { readWish } from './wish.ts'
import {
  fresh,
  hasFinalizer,
  holdObject,
  isPaused,
  judge,
  patchDraft,
  pinIdentity,
  readContext,
  sessionOf,
  wasLost,
  writeStatus,
  type Ended,
  type Pass,
} from './pass.ts'
import type { StepBase, StepFacts } from './plan.ts'

/** Performs the create step. `seen`: the object exists and its id is stored; the intent is still open until it is confirmed. */
export async function create(pass: Pass, step: StepBase, want: unknown): Promise<Performed> {
  const { kind } = pass
  const facts = kind.facts(step, undefined)
  if (wasLost(pass) && standsIn(pass)) return makeUp(pass, facts)
  const stopped = mayNotBegin(pass, step, facts, want) ?? (await oneAtATime(pass))
  if (stopped !== undefined) return stopped
  if (asksOnceLost(pass)) await pinFirst(pass, facts)
  await holdObject(pass)
  // Whatever is written from here on says that nothing was lost.
  pinIdentity(pass)
  const first = await lookBefore(pass)
  if ('is' in first) return first
  const namesake = await namesakeConflict(pass, first.rows)
  if (namesake !== undefined) return namesake
  const companions = await kind.creation.companionsBefore?.(readContext(pass, fresh(pass)), want)
  // The looks took their time: no intent is begun without the lease, or for a wish that is none any more.
  if (!stillWished(pass)) return ended(working('Creating', `about to ${facts.words}`, 'no'), 0)
  const operation = await openIntent(pass, step, facts, undefined, baseline(pass, first, companions))
  const overtaken = await wishOvertaken(pass, want)
  if (overtaken !== undefined) {
    patchDraft(pass, { operation: undefined })
    return overtaken
  }
  const second = await lookBefore(pass).catch((error: unknown) => {
    // Nothing was sent: there is nothing to find out about.
    patchDraft(pass, { operation: undefined })
    throw error
  })
  if ('is' in second) return second
  if (isBare(pass, operation) && candidates(pass, operation, second.rows, want).length > 0) {
    patchDraft(pass, { operation: undefined })
    return ended(
      working('Creating', `another ${kind.noun} came about meanwhile; looking again`, 'no'),
      pass.env.durations.pollMs,
    )
  }
  const sent = await send(pass, step, facts, want, undefined, operation.id)
  if (sent.is === 'ended') return sent
  if (sent.is === 'accepted') {
    const accepted = { ...operation, details: { ...operation.details, [ACCEPTED]: 'true' } }
    patchDraft(pass, { operation: accepted })
    return ended(working('Creating', `accepted; looking for the new ${kind.noun}`, 'no'), 0)
  }
  await recordID(pass, operation, sent.seen)
  return sent
}

/**
 * With the intent on record others count on what the wish refers to being in use: what went before that, or is going, is not
 * used any more.
 */
async function wishOvertaken(pass: Pass, want: unknown): Promise<Performed | undefined> {
  const wish = await readWish(pass)
  if (wish.is === 'ready' && isDeepStrictEqual(wish.want, want)) return undefined
  const message = 'what the spec refers to has changed meanwhile; looking again'
  return ended(working('Creating', message, 'no'), pass.env.durations.pollMs)
}

/** The status was lost: what carries our marker is taken, and else what it may have known of is found out. Nothing is sent. */
async function makeUp(pass: Pass, facts: StepFacts): Promise<Performed> {
  const found = await lookBefore(pass)
  if ('is' in found) return found
  // The look took its time.
  if (!stillWished(pass)) return ended(working('Creating', `about to ${facts.words}`, 'no'), 0)
  return (await namesakeConflict(pass, found.rows)) ?? ended(standIn(pass, facts), 0)
}

/**
 * Where results carry no name of ours, only one create of a kind may be open for an account and location; and only one of a
 * name that is the identity: two that look and find nothing would both take what one of them made.
 */
async function oneAtATime(pass: Pass): Promise<Performed | undefined> {
  const { env, kind } = pass
  const session = sessionOf(pass)
  const identity = kind.creation.identity(session)
  if (identity === 'marker') return undefined
  const place = `${kind.kind}/${session.endpoint}/${session.userID}/${pass.location ?? ''}/${nameOf(pass, pass.object) ?? ''}`
  const wake = () => env.wake(kind.kind, pass.key)
  const free = env.locks.take(`create/${place}`, lockHolder(pass), wake)
  const other = [...env.stores[kind.kind].list()].find((each) => opensCreate(pass, each))
  if (free && other === undefined) return undefined
  if (identity === 'name' && other === undefined) {
    // Two that are in conflict over a name may look at the same moment: each is told what is, and not to wait for the other.
    const looked = await lookBefore(pass)
    if ('is' in looked) return looked
  }
  const why =
    identity === 'name'
      ? 'it asks for the same name'
      : 'this service shows no names, so creates go one at a time'
  const message = `waiting for ${other === undefined ? 'another create' : `the create of ${kind.kind} ${other.metadata.name}`}: ${why}`
  return ended(working('Creating', message, 'no'), env.durations.pollMs)
}

/** The name that tells the cloud object, where that is its identity. */
function nameOf({ kind, session }: Pass, object: CloudResource): string | undefined {
  if (session === undefined || kind.creation.identity(session) !== 'name') return undefined
  return kind.creation.idFor?.(object)
}

function opensCreate(pass: Pass, other: CloudResource): boolean {
  if (other.metadata.uid === pass.object.metadata.uid) return false
  const status = other.status
  return (
    status?.operation?.verb === 'create' &&
    nameOf(pass, other) === nameOf(pass, pass.object) &&
    status.location === pass.location &&
    status.account?.userID === sessionOf(pass).userID &&
    status.account.endpoint === sessionOf(pass).endpoint
  )
}

/** Something of ours found: taken instead of making another. A name that is taken by a stranger: a conflict. */
async function lookBefore(pass: Pass): Promise<Looked | Performed> {
  const { kind, object } = pass
  if (kind.creation.identity(sessionOf(pass)) === 'name') {
    const id = kind.creation.idFor?.(object) ?? ''
    const stranger = await kind.reads.exact(readContext(pass, fresh(pass)), id)
    if (stranger === undefined) return { ours: [], unsure: [], rows: [], placeOf: () => pass.location }
    patchDraft(pass, { operation: undefined })
    const message = `a ${kind.noun} named ${id} exists in the account and was not made by this object; to take it over set spec.adopt.id: ${id}, or choose another name`
    return ended({ is: 'stalled', reason: 'AdoptionConflict', message }, pass.env.durations.refusedMs)
  }
  const looked = await look(pass)
  const mine = oneOfOurs(pass, looked)
  if (mine === undefined) return looked
  if (wasLost(pass)) leaveAlone(pass, mine.id)
  pinIdentity(pass)
  // An intent of this pass stays until what came with the object was looked for.
  patchDraft(pass, { id: mine.id })
  await writeStatus(pass)
  return { is: 'seen', seen: mine }
}

/** What a lost status knew of: the id is stored again, and the next pass goes on from it. Undefined: nothing carries our marker. */
export async function takeUp(pass: Pass): Promise<Ended | undefined> {
  const copied = isCopied(pass)
  const begun = pass.draft.id !== undefined || pass.draft.operation !== undefined
  if (
    (begun && !copied) ||
    pass.object.spec.adopt !== undefined ||
    isPaused(pass.object) ||
    observesOnly(pass)
  )
    return undefined
  if (pass.kind.creation.identity(sessionOf(pass)) !== 'marker') return undefined
  if ((await look(pass)).ours.length === 0) return undefined
  await holdObject(pass)
  if (copied) pass.draft = {}
  const found = await lookBefore(pass)
  if (!('is' in found) || found.is !== 'seen') return undefined
  return {
    verdict: working('Creating', `the ${pass.kind.noun} ${found.seen.id} is there already`, 'no'),
    afterMs: 0,
  }
}

/** Where a lost status means that a person is asked: the account is noted before the finalizer, so that none seems lost. */
async function pinFirst(pass: Pass, facts: StepFacts): Promise<void> {
  if (pass.object.status?.account !== undefined && hasFinalizer(pass.object)) return
  pinIdentity(pass)
  judge(pass, working('Creating', `about to ${facts.words}`, 'no'))
  await writeStatus(pass)
}

function baseline(pass: Pass, looked: Looked, companions: readonly string[] | undefined): Partial<Operation> {
  const bare = pass.kind.creation.identity(sessionOf(pass)) === 'baseline'
  const own = bare ? baselineOf(looked.rows) : {}
  if (companions === undefined) return own
  return { ...own, companions: [...companions] }
}

const RETRY_MS = 200
const RETRY_MAX_MS = 5_000

/**
 * Stores the id at once, in a write of its own, until it is stored: this process began the create, so it records it even
 * without the lease. Gives up only when the object is another one, or has begun something else.
 */
export async function recordID(pass: Pass, operation: Operation, seen: Seen): Promise<void> {
  const { env, kind } = pass
  patchDraft(pass, {
    id: seen.id,
    ...kind.report(seen, { status: pass.draft, appliedBefore: false }, undefined),
  })
  for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    try {
      await writeStatus(pass)
      return
    } catch (error) {
      if (!isKubeError(error) || isKubeError(error, 'invalid', 'forbidden')) throw error
      env.log.warn(
        { kind: kind.kind, key: pass.key, id: seen.id, error },
        'the id of a new object could not be stored yet; trying again',
      )
    }
    await env.clock.sleep(waitMs)
    if (!(await stillOpen(pass, operation, seen))) return
  }
}

/** Takes the object as it is now; false when there is nothing left to record. */
async function stillOpen(pass: Pass, operation: Operation, seen: Seen): Promise<boolean> {
  const { env, kind, object } = pass
  try {
    const { namespace, name } = object.metadata
    const latest = await env.kube.get<CloudResource>(kind.type, namespace, name)
    // Emptied meanwhile, it knows of nothing else.
    const open = latest?.status?.account === undefined || latest.status.operation?.id === operation.id
    if (latest?.metadata.uid !== object.metadata.uid || !open) {
      env.log.error(
        { kind: kind.kind, key: pass.key, id: seen.id },
        'the object of a create is gone, or was changed, before its id was stored',
      )
      return false
    }
    pass.object = latest
    return latest.status?.id !== seen.id
  } catch (error) {
    if (!isKubeError(error)) throw error
    return true
  }
}
