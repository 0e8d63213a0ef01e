/** What several oracles ask a history: whose an operation was, what was made and by whom, what an object was at a time. */
import { isObject, type ModelObject } from '../kube/objects.ts'
import { SETTLE_MS } from '../durations.ts'
import { entriesOf, type CallEntry, type History, type WriteEntry } from '../history.ts'

export interface Owner {
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export interface Made {
  /** vm, disk, floating ip … as the service says it. */
  readonly what: string
  readonly id: string
  readonly call: CallEntry
  readonly owner: Owner | undefined
}

export interface Facts {
  readonly calls: readonly CallEntry[]
  readonly mutations: readonly CallEntry[]
  readonly writes: readonly WriteEntry[]
  /** By the id of an operation that stood in a status. */
  readonly operations: ReadonlyMap<string, Owner & { readonly verb: string; readonly at: number }>
  /** What our calls made in the cloud. */
  readonly made: readonly Made[]
  /** Cloud ids that stood in a status, with whose it was. */
  readonly recorded: ReadonlyMap<string, Owner>
  /** Ids that people touched in the cloud. */
  readonly touched: ReadonlySet<string>
  /** Every write of the object of this uid that was not refused. */
  readonly statesOf: (uid: string) => readonly WriteEntry[]
  /** The object of this uid as it was at a time; undefined: not there. */
  readonly objectAt: (uid: string, at: number) => ModelObject | undefined
}

const known = new WeakMap<History, Facts>()

/** Worked out once for each history. */
export function factsOf(history: History): Facts {
  const before = known.get(history)
  if (before !== undefined) return before
  const facts = gather(history)
  known.set(history, facts)
  return facts
}

function gather(history: History): Facts {
  const calls = entriesOf(history, 'call')
  const writes = entriesOf(history, 'write')
  const mutations = calls.filter((call) => call.mutation)
  const operations = new Map<string, Owner & { verb: string; at: number }>()
  const recorded = new Map<string, Owner>()
  const states = new Map<string, WriteEntry[]>()
  for (const write of writes) {
    const object = write.after ?? write.before
    if (object === undefined) continue
    const { uid } = object.metadata
    if (write.status < 300) states.set(uid, [...(states.get(uid) ?? []), write])
    const owner = { kind: object.kind, name: object.metadata.name, uid }
    const { operation, id, address } = (write.after?.status ?? {}) as Record<string, unknown>
    if (isObject(operation) && !operations.has(String(operation['id'])))
      operations.set(String(operation['id']), { ...owner, verb: String(operation['verb']), at: write.at })
    for (const each of [id, address]) if (typeof each === 'string') recorded.set(each, owner)
  }
  const made = mutations.flatMap((call) => {
    const owner = operations.get(call.operationID ?? '')
    return thingsIn(call.effect, 'created').map(({ what, id }) => ({ what, id, call, owner }))
  })
  return {
    calls,
    mutations,
    writes,
    operations,
    made,
    recorded,
    touched: new Set(entriesOf(history, 'person').flatMap((each) => each.ids)),
    statesOf: (uid) => states.get(uid) ?? [],
    objectAt: (uid, at) => states.get(uid)?.findLast((write) => write.at <= at)?.after,
  }
}

/** Whether a call came so late that the settle time was over: beyond what the protocol promises anything of. */
export function isTooLate({ arrivedAt, sentAt }: CallEntry, { settleMs = SETTLE_MS }: History): boolean {
  return arrivedAt !== undefined && arrivedAt - sentAt > settleMs
}

const EFFECT = /^(\S+(?: power of)?) (.+) (\S+)$/

/** What an effect says was done so, as the service names it. */
export function thingsIn(
  effect: string | undefined,
  ...done: readonly string[]
): readonly { readonly what: string; readonly id: string }[] {
  return (effect ?? '').split('; ').flatMap((part) => {
    const [, verb = '', what = '', id = ''] = EFFECT.exec(part) ?? []
    return done.includes(verb) ? [{ what, id }] : []
  })
}

const NAMING = [
  'uuid',
  'storage_uuid',
  'disk_uuid',
  'vm_uuid',
  'target_uuid',
  'assigned_to',
  'token_id',
  'access_key',
  'replica_uuid',
]

/** Ids that a call names: in its path, its query and its body. */
export function namedBy({ path, query, body, label }: CallEntry): readonly string[] {
  const inPath = path.split('/').filter((_, index) => label.split('/')[index] === ':id')
  const fields = [query, body].flatMap((source) => NAMING.map((field) => source[field]))
  const bucket = label.endsWith('/storage/bucket') ? [query['name'], body['name']] : []
  const values = [...inPath, ...fields, ...bucket]
  return [...new Set(values.filter((each): each is string => typeof each === 'string' && each !== ''))]
}

interface ShownCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

export function conditionOf(object: ModelObject, type: string): ShownCondition | undefined {
  const conditions = (object.status?.['conditions'] ?? []) as readonly ShownCondition[]
  return conditions.find((each) => each.type === type)
}

/** What one object made became another one's by the word of a person alone: in its spec, or in answer to a question. */
export function wasGiven(object: ModelObject | undefined, id: string): boolean {
  const answered = object?.status?.['answered']
  const adopts = object?.spec?.['adopt'] !== undefined
  return adopts || (Array.isArray(answered) && answered.some((each) => String(each).endsWith(`=${id}`)))
}

/** A name for a violation. */
export function wordFor(owner: Pick<Owner, 'kind' | 'name'>): string {
  return `${owner.kind} ${owner.name}`
}

/** Whether the spec of an object (or what the rig's account says) lets its deletion delete in the cloud. */
export function mayDelete(object: ModelObject): boolean {
  const { lifecycle, adopt } = object.spec ?? {}
  const wish = isObject(lifecycle) ? lifecycle : {}
  if (wish['management'] === 'ObserveOnly') return false
  return (wish['onDelete'] ?? (adopt === undefined ? 'Delete' : 'Retain')) === 'Delete'
}
