/** The state of one pass over one object, and the only writes of its status and finalizers. */
import { isDeepStrictEqual } from 'node:util'
import { clipStatus } from '../api/clip.ts'
import { ANNOTATIONS, DONE_FINALIZER, FINALIZER, type ConditionType } from '../api/group.ts'
import { STATUS_BOUNDS, type CommonStatus } from '../api/shared.ts'
import { timestamp } from '../loop/clock.ts'
import { conditionsFor, type Verdict } from './conditions.ts'
import { keyOf, type Environment } from './environment.ts'
import type { CloudResource, Freshness, KindDefinition, Patch, ReadContext, Seen } from './kind.ts'
import { markerOf, type Marker } from './marker.ts'
import { needed } from './needed.ts'
import { isCopy } from './references.ts'
import type { StepBase } from './plan.ts'
import type { Session } from './session.ts'

export type AnyKind = KindDefinition<CloudResource, unknown, Seen, StepBase, CommonStatus>

export interface Pass {
  readonly env: Environment
  readonly kind: AnyKind
  readonly key: string
  readonly marker: Marker
  /** As the server last answered, or the watch last showed. */
  object: CloudResource
  /** What the pass works for: a later wish ends it, also where it has met the object as it is by then. */
  wished: Wished
  /** The status being worked on; written by `writeStatus` and at the end of the pass. */
  draft: CommonStatus
  session: Session | undefined
  location: string | undefined
  /** Values of secrets by field; never leaves the pass but in the body of a call. */
  readonly secrets: Map<string, string>
  /** Verb of an operation that outlived its time-out. */
  overdue: string | undefined
  /** Verb of a set step that was accepted twice without effect: the planner goes on without it. */
  fought: string | undefined
  /** The last intent, and when it was begun to be written, by both clocks. */
  intent: { readonly id: string; readonly wall: number; readonly monotonic: number } | undefined
  /** Its last write met an object that had changed meanwhile. */
  overtaken: boolean
  /** An intent was written in this pass: its outcome is recorded even without the lease. */
  began: boolean
  /** Why the next call must not leave any more, besides what holds for every kind; asked right before it does. */
  barred: (() => string | undefined) | undefined
}

export interface Wished {
  readonly generation: number
  readonly deleted: boolean
}

export function wishedBy({ metadata }: CloudResource): Wished {
  return { generation: metadata.generation, deleted: metadata.deletionTimestamp !== undefined }
}

/** How a pass ends: what to say, and when to look again. */
export interface Ended {
  readonly verdict: Verdict
  /** Milliseconds; absent: at the next sync. */
  readonly afterMs?: number
}

export function beginPass(env: Environment, kind: AnyKind, object: CloudResource): Pass {
  return {
    env,
    kind,
    key: keyOf(object),
    marker: markerOf(env.clusterID, object.metadata.uid),
    object,
    wished: wishedBy(object),
    draft: { ...object.status },
    session: undefined,
    location: object.status?.location,
    secrets: new Map(),
    overdue: undefined,
    fought: undefined,
    began: false,
    intent: undefined,
    overtaken: false,
    barred: undefined,
  }
}

export function sessionOf(pass: Pass): Session {
  return needed(pass.session)
}

export function readContext(pass: Pass, freshness: Freshness): ReadContext<CommonStatus> {
  return { session: sessionOf(pass), location: needed(pass.location), freshness, status: pass.draft }
}

/** A list begun from now on. */
export function fresh(pass: Pass): Freshness {
  return { startedAfter: pass.env.clock.monotonic() }
}

/** Sets fields of the draft; undefined clears one. */
export function patchDraft(pass: Pass, patch: Patch<CommonStatus>): void {
  const next: Record<string, unknown> = { ...pass.draft }
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined) Reflect.deleteProperty(next, field)
    else next[field] = value
  }
  pass.draft = next
}

/** Notes whose the cloud object is or will be, under which identity and where: no call goes out under another one. */
export function pinIdentity(pass: Pass): void {
  const { endpoint, userID, account } = sessionOf(pass)
  const name = pass.kind.follows === undefined ? {} : { name: account.slice(account.indexOf('/') + 1) }
  patchDraft(pass, {
    uid: pass.object.metadata.uid,
    account: { endpoint, userID, ...name },
    ...(pass.location !== undefined && { location: pass.location }),
  })
}

/** The token a person or tool set to ask for a look now, as far as a status can echo it. */
export function requestToken(object: CloudResource): string | undefined {
  const annotations = object.metadata.annotations
  const token = annotations?.[ANNOTATIONS.reconcileRequestedAt] ?? annotations?.[ANNOTATIONS.fluxRequestedAt]
  return token?.slice(0, STATUS_BOUNDS.text).toWellFormed()
}

/** Somebody asks for a look that has not been taken yet. */
export function isAsked({ object, draft }: Pass): boolean {
  const token = requestToken(object)
  return token !== undefined && token !== draft.lastHandledReconcileAt
}

/** Whoever writes "yes" means it too: anything but "false" and nothing pauses. */
export function isPaused(object: CloudResource): boolean {
  const paused = object.metadata.annotations?.[ANNOTATIONS.paused]
  return paused !== undefined && paused !== '' && paused !== 'false'
}

export function hasFinalizer(object: CloudResource): boolean {
  return object.metadata.finalizers?.includes(FINALIZER) ?? false
}

/**
 * Our finalizer is on, and no account is noted, as it is before anything is sent, or another object's status is there: the one
 * that said more was lost.
 */
export function wasLost({ env, object }: Pass): boolean {
  if (!hasFinalizer(object)) return false
  return isCopy(object) || (object.status?.account === undefined && !env.unbegun.has(object.metadata.uid))
}

/** Puts a verdict into the draft, without any secret. Generation and conditions always change together. */
export function judge(pass: Pass, verdict: Verdict): void {
  const generation = pass.wished.generation
  const conditions = conditionsFor(
    pass.object.status?.conditions,
    cleaned(pass, verdict),
    generation,
    timestamp(pass.env.clock),
  )
  patchDraft(pass, { conditions, observedGeneration: generation })
}

/** The service may say in one answer what was sent with another call. */
function cleaned({ env }: Pass, verdict: Verdict): Verdict {
  return { ...verdict, message: env.redact(verdict.message) }
}

/**
 * PUTs the draft if it differs from what is stored; throws KubeError, `conflict` when the object changed meanwhile.
 * Fields a kind calls slow are left as they were while nothing else differs.
 */
export async function writeStatus(pass: Pass): Promise<void> {
  const clipped: CommonStatus = clipStatus(pass.kind.kind, pass.draft)
  if (sameStatus(pass, clipped)) return
  announceTransition(pass, clipped)
  const fields = changedFields(pass.object.status, clipped)
  pass.env.log.debug({ kind: pass.kind.kind, key: pass.key, fields }, 'writing status')
  pass.object = await pass.env.kube.putStatus(pass.kind.type, pass.object, clipped)
  pass.env.wrote(pass.kind.kind, pass.object)
  if (clipped.account !== undefined) pass.env.unbegun.delete(pass.object.metadata.uid)
}

function sameStatus(pass: Pass, next: CommonStatus): boolean {
  const slow = new Set<string>(slowFieldsDue(pass) ? [] : pass.kind.slowFields)
  const comparable = (status: CommonStatus | undefined) =>
    Object.fromEntries(
      Object.entries((status ?? {}) as Record<string, unknown>).filter(
        ([field, value]) => value !== undefined && !slow.has(field),
      ),
    )
  return isDeepStrictEqual(comparable(pass.object.status), comparable(next))
}

function changedFields(before: CommonStatus | undefined, next: CommonStatus): readonly string[] {
  const old = (before ?? {}) as Record<string, unknown>
  const now = next as unknown as Record<string, unknown>
  const all = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...all].filter((field) => !isDeepStrictEqual(old[field], now[field]))
}

/** Once per hour they are a reason to write by themselves; the first time counts from when this process saw the object. */
function slowFieldsDue(pass: Pass): boolean {
  if (pass.kind.slowFields === undefined) return false
  const { clock, durations, slowFieldsAt } = pass.env
  const now = clock.monotonic()
  const at = slowFieldsAt.get(pass.object.metadata.uid) ?? now
  const due = now - at >= durations.exactMs
  slowFieldsAt.set(pass.object.metadata.uid, due ? now : at)
  return due
}

function announceTransition(pass: Pass, next: CommonStatus): void {
  const changed = (type: ConditionType) => {
    const now = next.conditions?.find((each) => each.type === type)
    const before = pass.object.status?.conditions?.find((each) => each.type === type)
    return before?.reason === now?.reason && before?.status === now?.status ? undefined : now
  }
  // An object that stays usable while something waits (an approval, drift) says so only in Synced.
  const told = changed('Ready') ?? [changed('Synced')].find((each) => each?.status === 'False')
  if (told === undefined) return
  const stalled = next.conditions?.some((each) => each.type === 'Stalled') ?? false
  pass.env.announce(pass.object, stalled ? 'Warning' : 'Normal', told.reason, told.message)
}

/** Puts our finalizer on and takes the server's answer as the object. Throws KubeError. */
export async function holdObject(pass: Pass): Promise<void> {
  if (hasFinalizer(pass.object)) return
  const finalizers = [...(pass.object.metadata.finalizers ?? []), FINALIZER]
  pass.object = await pass.env.kube.setFinalizers(pass.kind.type, pass.object, finalizers)
  pass.env.wrote(pass.kind.kind, pass.object)
  if (pass.object.status?.account === undefined) pass.env.unbegun.add(pass.object.metadata.uid)
}

/** Whether it is on record outside the status that everything was done. */
export function isDone(object: CloudResource): boolean {
  return object.metadata.finalizers?.includes(DONE_FINALIZER) ?? false
}

/** Takes our finalizer off: the API server may now forget the object. */
export async function releaseObject(pass: Pass): Promise<void> {
  await swapFinalizers(pass, [])
}

/** Puts the finalizer of what is over in the place of ours: the object holds nothing, and what was done stays known. */
export async function keepAsDone(pass: Pass): Promise<void> {
  if (!isDone(pass.object)) await swapFinalizers(pass, [DONE_FINALIZER])
}

async function swapFinalizers(pass: Pass, own: readonly string[]): Promise<void> {
  const { env, kind, key, object } = pass
  const before = object.metadata.finalizers ?? []
  const finalizers = [...before.filter((each) => each !== FINALIZER && each !== DONE_FINALIZER), ...own]
  if (finalizers.length === before.length && own.length === 0) return
  pass.object = await env.kube.setFinalizers(kind.type, object, finalizers)
  forget(pass)
  // A server that is restored at this moment brings the object back as it was, which no watch tells of.
  env.wake(kind.kind, key, pass.session?.syncMs ?? env.durations.pollMaxMs)
}

/** What this process remembered of an object that is gone. */
function forget({ env, kind, object }: Pass): void {
  env.attempts.forget(object.metadata.uid)
  env.slowFieldsAt.delete(object.metadata.uid)
  env.unbegun.delete(object.metadata.uid)
  env.released(kind.kind, object)
}
