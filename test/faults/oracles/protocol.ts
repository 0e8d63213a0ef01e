/** What the protocol promises of single calls and writes, whatever comes of them. */
import { entriesOf, type CallEntry, type History, type WriteEntry } from '../history.ts'
import { KINDS, ANNOTATIONS } from '../../../src/api/group.ts'
import { SETTLE_MS } from '../durations.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'
import { MAIN } from './duplicate.ts'
import { factsOf, namedBy, thingsIn, wordFor, type Owner } from './facts.ts'

const OURS: readonly string[] = KINDS

function ownWrites(history: History): readonly WriteEntry[] {
  return factsOf(history).writes.filter(({ process }) => process > 0)
}

/** Each write of a status or of finalizers names the object and the version it was read at. */
export function guarded(history: History): string[] {
  return ownWrites(history)
    .filter(({ kind, label }) => OURS.includes(kind) && /^(?:update|patch) /.test(label))
    .filter(({ body }) => {
      const { metadata } = JSON.parse(body) as { readonly metadata?: Readonly<Record<string, unknown>> }
      return typeof metadata?.['uid'] !== 'string' || typeof metadata['resourceVersion'] !== 'string'
    })
    .map(({ label, at }) => `${label} at ${Math.round(at)} would land on whatever has the name`)
}

/** An id comes into a status only of what was made for that very object, or of what its spec adopts. */
export function taken(history: History): string[] {
  const { made } = factsOf(history)
  // The service speaks of an address by its address.
  const nameOf = ({ kind, status }: ModelObject): unknown =>
    kind === 'CloudFloatingIP' ? status?.['address'] : status?.['id']
  return ownWrites(history).flatMap(({ kind, label, before, after }) => {
    const id = after && nameOf(after)
    // Only these carry a status: what else came into it, a person wrote meanwhile.
    if (!label.includes('/status ')) return []
    if (MAIN[kind] === undefined || typeof id !== 'string' || (before && nameOf(before) === id)) return []
    const own = made.some((each) => each.id === id && each.owner?.uid === after?.metadata.uid)
    return own || isObject(after?.spec?.['adopt']) ? [] : [`${label} took ${id}, which was not made for it`]
  })
}

const BEGUN_BEFORE_MS = 1_000

/** Nothing is changed for an object that only observes, or has been paused for a while. */
export function held(history: History): string[] {
  const facts = factsOf(history)
  const { operations, recorded } = facts
  const ownersOf = (call: CallEntry): readonly Owner[] => {
    const owner = operations.get(call.operationID ?? '')
    return owner === undefined ? namedBy(call).flatMap((id) => recorded.get(id) ?? []) : [owner]
  }
  const rests = ({ uid }: Owner, { sentAt }: CallEntry): boolean =>
    [sentAt, sentAt - BEGUN_BEFORE_MS].every((at) => isHeld(facts.objectAt(uid, at)))
  return left(history).flatMap((call) => {
    const owners = ownersOf(call)
    const [first] = owners
    return first !== undefined && owners.every((each) => rests(each, call))
      ? [`${call.label} was sent for ${wordFor(first)}, which is paused or only observes`]
      : []
  })
}

function isHeld(object: ModelObject | undefined): boolean {
  const paused = object?.metadata.annotations?.[ANNOTATIONS.paused]
  const lifecycle = object?.spec?.['lifecycle']
  return paused === 'true' || (isObject(lifecycle) && lifecycle['management'] === 'ObserveOnly')
}

const LOOK_MS = 10_000

/** No create leaves but soon after its intent, and a look that followed it: by then somebody else may have made it. */
export function aged(history: History): string[] {
  const { calls, operations } = factsOf(history)
  return left(history).flatMap(({ label, operationID, process, sentAt }) => {
    const operation = operations.get(operationID ?? '')
    if (operation?.verb !== 'create') return []
    const look = calls.findLast((each) => !each.mutation && each.process === process && each.sentAt < sentAt)
    const since = look?.sentAt ?? 0
    if (since < operation.at) return [`${label} left without a look after its intent`]
    if (sentAt - operation.at > LOOK_MS) return [`${label} left long after its intent`]
    return sentAt - since > LOOK_MS ? [`${label} left long after the last look`] : []
  })
}

/** A delete that was not answered is not sent again before the settle time is over. */
export function resent(history: History): string[] {
  const deletes = left(history).filter(({ method, operationID }) => {
    return method === 'DELETE' && factsOf(history).operations.has(operationID ?? '')
  })
  const unanswered = ({ seen }: CallEntry): boolean => typeof seen !== 'number' || seen >= 500
  return deletes.flatMap((second, index) =>
    deletes
      .slice(0, index)
      .filter((first) => unanswered(first) && second.sentAt - first.sentAt < (history.settleMs ?? SETTLE_MS))
      .filter((first) => first.label === second.label && namedBy(first).join() === namedBy(second).join())
      .map(({ label }) => `${label} was sent again before it was known what became of the first`),
  )
}

function left(history: History): readonly CallEntry[] {
  return factsOf(history).mutations.filter(({ seen }) => seen !== 'stopped' && seen !== 'notSent')
}

/** A Secret is written only by the object that made it, and what it delivers stays valid as long as it is delivered. */
export function delivered(history: History): string[] {
  const secrets = ownWrites(history).filter(({ kind, status }) => kind === 'Secret' && status < 300)
  const foreign = secrets
    .filter(({ before }) => before !== undefined && (before.metadata.ownerReferences ?? []).length === 0)
    .map(({ name }) => `Secret ${name} was written, which somebody else made`)
  const revoked = entriesOf(history, 'call').flatMap(({ effect, sentAt, operationID }) =>
    thingsIn(effect, 'deleted').flatMap(({ what, id }) => {
      const last = secrets.findLast(({ at }) => at <= sentAt)
      const holds = what === 'key' && last !== undefined && last.body.includes(base64(id))
      const owner = factsOf(history).operations.get(operationID ?? '')
      const leaving = owner && factsOf(history).objectAt(owner.uid, sentAt)?.metadata.deletionTimestamp
      return holds && leaving === undefined ? [`the key ${id} went while Secret ${last.name} held it`] : []
    }),
  )
  return [...foreign, ...revoked]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
