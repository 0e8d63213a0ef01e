/** Stores of every kind, and which keys a change wakes. Part of the assembly: knows kinds, kube and the loop. */
import type { Kind as KindName } from './api/group.ts'
import { KINDS } from './api/group.ts'
import type { Change, Indices } from './kube/store.ts'
import { Store } from './kube/store.ts'
import type { Queue } from './loop/queue.ts'
import { keyOf } from './reconcile/environment.ts'
import { bootDiskID } from './reconcile/bootdisk.ts'
import type { CloudResource } from './reconcile/kind.ts'
import { LiveStore } from './reconcile/live.ts'
import type { AnyKind } from './reconcile/pass.ts'
import { INDEX, referenceKey, type References } from './reconcile/references.ts'
import { machinesOf } from './reconcile/turn.ts'

export interface Watched {
  readonly stores: Readonly<Record<KindName, Store<CloudResource>>>
  readonly live: Readonly<Record<KindName, LiveStore>>
}

/** Empty stores with the indices that references need. */
export function createStores(kinds: readonly AnyKind[]): Watched {
  const entries = KINDS.map((name) => {
    const indices = indicesFor(kinds.find((kind) => kind.kind === name))
    const store = new Store<CloudResource>(indices)
    return { name, store, live: new LiveStore(store, indices) }
  })
  return {
    stores: Object.fromEntries(entries.map((each) => [each.name, each.store])) as Watched['stores'],
    live: Object.fromEntries(entries.map((each) => [each.name, each.live])) as Watched['live'],
  }
}

function indicesFor(kind: AnyKind | undefined): Indices<CloudResource> {
  return {
    [INDEX.refersTo]: (object) =>
      kind?.links(object).map((link) => referenceKey(link.kind, object.metadata.namespace, link.name)) ?? [],
    [INDEX.cloudID]: (object) => idsOf(object),
    [INDEX.account]: (object) => accountKeysOf(kind, object),
    [INDEX.machine]: ({ status }) => machinesOf(status?.operation),
    [INDEX.adopts]: ({ spec }) => (spec.adopt === undefined ? [] : [spec.adopt.id]),
    [INDEX.boots]: (object) => {
      const id = object.kind === 'CloudVM' ? bootDiskID(object) : undefined
      return id === undefined ? [] : [id]
    },
  }
}

/** What belongs to the object in the cloud, the old ones of a rotation included. */
function idsOf({ status }: CloudResource): string[] {
  const { retiring } = (status ?? {}) as { readonly retiring?: readonly { readonly id: string }[] }
  const old = retiring?.map((each) => each.id) ?? []
  return status?.id === undefined ? old : [status.id, ...old]
}

/** At most one: an object that follows another has none before that one was there. */
function accountKeysOf(kind: AnyKind | undefined, object: CloudResource): string[] {
  if (kind === undefined) return []
  const { namespace } = object.metadata
  const recorded = object.status?.account?.name
  if (kind.follows !== undefined) return recorded === undefined ? [] : [`${namespace}/${recorded}`]
  return [`${namespace}/${object.spec.accountRef?.name ?? 'default'}`]
}

export interface WakeOptions {
  readonly watched: Watched
  readonly kinds: readonly AnyKind[]
  readonly queues: Readonly<Record<KindName, Queue>>
  readonly references: References
}

/** Subscribes to every store: a change wakes the object, who refers to it, what it refers to, and its account. */
export function wakeOnChange(options: WakeOptions): void {
  for (const name of KINDS) {
    options.watched.stores[name].subscribe((change) => wake(options, name, change))
  }
}

function wake(options: WakeOptions, name: KindName, change: Change<CloudResource>): void {
  const { queues, references, watched } = options
  const { object, previous } = change
  const own = change.kind === 'changed' && onlyStatus(object, previous) && watched.live[name].isOwn(object)
  if (!own) queues[name].add(change.key, 'change')
  if (matters(change)) {
    for (const referrer of references.referrers(object)) {
      queues[referrer.kind as KindName].add(keyOf(referrer), 'change')
    }
    wakeTargets(options, name, object)
  }
  if (
    change.kind !== 'changed' ||
    object.metadata.deletionTimestamp !== previous?.metadata.deletionTimestamp
  ) {
    wakeNeighbours(options, name, object)
  }
}

/** What a deletion or a new object may free or hold: its account, what it refers to, and its peers. */
function wakeNeighbours(
  { queues, kinds, watched }: WakeOptions,
  name: KindName,
  object: CloudResource,
): void {
  const kind = kinds.find((each) => each.kind === name)
  if (kind === undefined) return
  for (const account of accountKeysOf(kind, object)) {
    queues.CloudAccount.add(account, 'requeue')
    if (object.metadata.deletionTimestamp === undefined) continue
    for (const peer of watched.live[name].byIndex(INDEX.account, account)) {
      const stalled = peer.status?.conditions?.some((each) => each.type === 'Stalled') ?? false
      if (stalled) queues[name].add(keyOf(peer), 'requeue')
    }
  }
}

/** A machine shows the addresses and disks that refer to it; a deletion may have waited for the one that referred. */
function wakeTargets({ queues, kinds }: WakeOptions, name: KindName, object: CloudResource): void {
  for (const link of kinds.find((each) => each.kind === name)?.links(object) ?? []) {
    queues[link.kind].add(`${object.metadata.namespace}/${link.name}`, 'requeue')
  }
}

function onlyStatus(object: CloudResource, previous: CloudResource | undefined): boolean {
  return (
    previous !== undefined &&
    object.metadata.uid === previous.metadata.uid &&
    object.metadata.generation === previous.metadata.generation &&
    object.metadata.deletionTimestamp === previous.metadata.deletionTimestamp &&
    JSON.stringify(object.metadata.annotations) === JSON.stringify(previous.metadata.annotations)
  )
}

/** Whether those who refer to the object may now act differently. */
function matters({ kind, object, previous }: Change<CloudResource>): boolean {
  if (kind !== 'changed' || previous === undefined) return true
  const facts = (each: CloudResource) => [
    each.metadata.uid,
    each.metadata.deletionTimestamp,
    each.status?.id,
    each.status?.operation?.verb,
    each.status?.conditions?.find((condition) => condition.type === 'Ready')?.status,
    each.status?.conditions?.find((condition) => condition.type === 'Stalled')?.reason,
  ]
  return JSON.stringify(facts(object)) !== JSON.stringify(facts(previous))
}
