/** References between our objects, both ways. A reference is never an error: what is not there yet is waited for. */
import type { Kind as KindName } from '../api/group.ts'
import { keyOf, type ObjectStore } from './environment.ts'
import type { CloudResource, Dependant, Keeps, Link, LinkState } from './kind.ts'

export interface References {
  /** The state of what `object` refers to by `link`. */
  resolve(object: CloudResource, link: Link): LinkState
  /** Living or leaving objects that refer to `object`. */
  referrers(object: CloudResource): readonly CloudResource[]
  /** Who holds the deletion of `target`, up to five of them, and how it ends; undefined: nobody. */
  held(target: CloudResource, dependants: readonly Dependant[], keeps: Keeps): string | undefined
  /** The object, other than `object`, whose status has this cloud id; `endpoint`: at this service, since numbers and names are no identity across services. */
  ownerOf(kind: KindName, id: string, object?: CloudResource, endpoint?: string): CloudResource | undefined
}

/** Index names every store must have. */
export const INDEX = { refersTo: 'refersTo', cloudID: 'cloudID', account: 'account' } as const

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
  const namedBy = (dependant: Dependant, target: CloudResource): readonly CloudResource[] => {
    const name = dependant.named?.(target)
    const object =
      name === undefined ? undefined : stores[dependant.kind].get(`${target.metadata.namespace}/${name}`)
    return object === undefined ? [] : [object]
  }
  return {
    resolve(object, link) {
      const target = stores[link.kind].get(`${object.metadata.namespace}/${link.name}`)
      if (target === undefined) {
        return { state: 'waiting', message: `${link.field}: ${link.kind} ${link.name} does not exist yet` }
      }
      if (target.metadata.deletionTimestamp !== undefined) return { state: 'leaving' }
      if (wasDeleted(target)) {
        return {
          state: 'waiting',
          message: `${link.field}: ${link.kind} ${link.name} was deleted in the cloud`,
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
      for (const dependant of dependants) {
        for (const object of [...referring(dependant.kind, target), ...namedBy(dependant, target)]) {
          if (!inUse(object) || !dependant.holds(object, target, keeps)) continue
          names.push(`${dependant.kind} ${object.metadata.name}`)
          until ??= dependant.until
        }
      }
      if (until === undefined) return undefined
      return `still used by ${names.sort().slice(0, SHOWN).join(', ')}; ${until}`
    },
    ownerOf(kind, id, object, endpoint) {
      const owners = stores[kind].byIndex(INDEX.cloudID, id)
      return owners.find(
        (each) =>
          (each.metadata.uid !== object?.metadata.uid || keyOf(each) !== keyOf(object)) &&
          mayBeAt(each, endpoint),
      )
    },
  }
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

/** Something of it may exist in the cloud. */
function inUse(object: CloudResource): boolean {
  return object.status?.id !== undefined || object.status?.operation !== undefined
}
