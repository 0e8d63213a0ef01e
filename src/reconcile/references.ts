/** References between our objects, both ways. A reference is never an error: what is not there yet is waited for. */
import { FINALIZER, type Kind as KindName } from '../api/group.ts'
import { keyOf, type ObjectStore } from './environment.ts'
import type { CloudResource, Dependant, Keeps, Link, LinkState } from './kind.ts'

export interface References {
  /** The state of what `object` refers to by `link`. */
  resolve(object: CloudResource, link: Link): LinkState
  /** Living or leaving objects that refer to `object`. */
  referrers(object: CloudResource): readonly CloudResource[]
  /** Who holds the deletion of `target`, up to five of them, and how it ends; undefined: nobody. */
  held(target: CloudResource, dependants: readonly Dependant[], keeps: Keeps): string | undefined
  /** Objects other than `object` whose status, no copied one, has this cloud id; `endpoint`: at this service, since numbers and names are no identity across services. */
  holdersOf(kind: KindName, id: string, object?: CloudResource, endpoint?: string): readonly CloudResource[]
  /** Whether any status names it, a copied one too: somebody may still say that it is this one's. */
  isNamed(kind: KindName, id: string, endpoint: string): boolean
}

/** Index names every store must have. */
export const INDEX = {
  refersTo: 'refersTo',
  cloudID: 'cloudID',
  account: 'account',
  machine: 'machine',
  /** Cloud id that spec.adopt names. */
  adopts: 'adopts',
  /** Cloud id of the disk that a machine was last seen to boot from. */
  boots: 'boots',
} as const

const SHOWN = 5

/** The value of the `refersTo` index for a reference to this object. */
export function referenceKey(kind: KindName, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`
}

export function createReferences(stores: Readonly<Record<KindName, ObjectStore>>): References {
  const kinds = Object.keys(stores) as KindName[]
  const referring = (kind: KindName, target: CloudResource): readonly CloudResource[] => {
    const { namespace, name } = target.metadata
    return stores[kind].byIndex(INDEX.refersTo, referenceKey(target.kind as KindName, namespace, name))
  }
  /** Who may hold it: what refers to it, what it refers to itself, and what has to do with it by a cloud id. */
  const asked = (dependant: Dependant, target: CloudResource): readonly CloudResource[] => {
    const { namespace } = target.metadata
    const store = stores[dependant.kind]
    const name = dependant.named?.(target)
    const object = name === undefined ? undefined : store.get(`${namespace}/${name}`)
    const related = (dependant.related?.(target) ?? []).flatMap(([index, id]) =>
      store.byIndex(INDEX[index], id),
    )
    const all = new Set([...referring(dependant.kind, target), ...(object ? [object] : []), ...related])
    return [...all].filter(
      (each) =>
        mayBeAt(each, target.status?.account?.endpoint) &&
        (inUse(each, stores) || (each.metadata.namespace === namespace && dependant.claims?.(each) === true)),
    )
  }
  return {
    resolve(object, link) {
      const target = stores[link.kind].get(`${object.metadata.namespace}/${link.name}`)
      if (target === undefined) {
        return { state: 'waiting', message: `${link.field}: ${link.kind} ${link.name} does not exist yet` }
      }
      if (target.metadata.deletionTimestamp !== undefined) return { state: 'leaving', object: target }
      if (wasDeleted(target)) {
        return {
          state: 'waiting',
          message: `${link.field}: ${link.kind} ${link.name} was deleted in the cloud`,
        }
      }
      if (isCopy(target)) {
        return {
          state: 'waiting',
          message: `${link.field}: ${link.kind} ${link.name} is a copy with the status of another object`,
        }
      }
      const id = target.status?.id
      if (id === undefined || target.status?.operation?.verb === 'create') {
        return { state: 'waiting', message: `${link.field}: ${link.kind} ${link.name} is not created yet` }
      }
      return { state: 'ready', id, object: target }
    },
    referrers: (object) => kinds.flatMap((kind) => referring(kind, object)),
    held(target, dependants, keeps) {
      const names: string[] = []
      let until: string | undefined
      const all = dependants.map((dependant) => ({ dependant, objects: asked(dependant, target) }))
      for (const { dependant, objects } of all) {
        for (const object of objects) {
          if (!dependant.holds(object, target, keeps)) continue
          const { name, namespace } = object.metadata
          names.push(`${dependant.kind} ${namespace === target.metadata.namespace ? name : keyOf(object)}`)
          until ??= dependant.until
        }
      }
      if (until === undefined) {
        const missing = all.map(({ dependant, objects }) => dependant.missing?.(target, objects))
        return missing.find((each) => each !== undefined)
      }
      return `still used by ${names.sort().slice(0, SHOWN).join(', ')}; ${until}`
    },
    isNamed: (kind, id, endpoint) =>
      stores[kind].byIndex(INDEX.cloudID, id).some((each) => mayBeAt(each, endpoint)),
    holdersOf(kind, id, object, endpoint) {
      const holders = stores[kind].byIndex(INDEX.cloudID, id)
      return holders.filter(
        (each) =>
          (each.metadata.uid !== object?.metadata.uid || keyOf(each) !== keyOf(object)) &&
          !isCopy(each) &&
          mayBeAt(each, endpoint),
      )
    },
  }
}

/** Its status was written for another object, by whoever copied that one; of an earlier version it does not say for which. */
export function isCopy({ metadata, status }: CloudResource): boolean {
  return status?.uid !== undefined && status.uid !== metadata.uid
}

/** Deleted behind our back, and held for a person: its id leads nowhere. */
function wasDeleted(object: CloudResource): boolean {
  const conditions = object.status?.conditions ?? []
  return conditions.some((each) => each.type === 'Stalled' && each.reason === 'ExternallyDeleted')
}

function mayBeAt(object: CloudResource, endpoint: string | undefined): boolean {
  const at = object.status?.account?.endpoint
  return endpoint === undefined || at === undefined || at === endpoint
}

/** Something of it may exist in the cloud. What a copied status names is nobody else's to destroy until it is known whose it is. */
function inUse(object: CloudResource, stores: Readonly<Record<KindName, ObjectStore>>): boolean {
  const { status, kind } = object
  const copied = isCopy(object)
  if (!copied && (status?.id !== undefined || status?.operation !== undefined)) return true
  if ((copied || status?.account === undefined) && mayHaveLost(object)) return true
  return (
    copied &&
    status?.id !== undefined &&
    stores[kind as KindName].byIndex(INDEX.cloudID, status.id).every(isCopy)
  )
}

/** Held by us, and nothing says what for. A snapshot is looked for by its machine, and would wait for that in turn. */
function mayHaveLost({ metadata, kind }: CloudResource): boolean {
  return metadata.finalizers?.includes(FINALIZER) === true && kind !== 'CloudSnapshot'
}
