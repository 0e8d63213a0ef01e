/**
 * An API server in memory: what the operator relies on, with the rules of a real one (checked against one by
 * test/cluster/kubemodel.test.ts). Synchronous; knows no time but the one it is given, and no delay.
 */
import { rfc3339 } from '../../../src/loop/clock.ts'
import { isObject, isSame, mergePatch, type ModelMeta, type ModelObject } from './objects.ts'
import { alreadyExists, invalid, modified, notFound, otherUID } from './refusal.ts'
import { type ModelResource } from './resources.ts'
import { checkSpec } from './rules.ts'

export interface ModelChange {
  readonly resource: ModelResource
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: ModelObject
  readonly before?: ModelObject
  readonly version: number
}

export interface KubeModel {
  get(resource: ModelResource, namespace: string, name: string): ModelObject | undefined
  /** Empty namespace: all of them. In the order of their keys. */
  list(resource: ModelResource, namespace: string): readonly ModelObject[]
  create(resource: ModelResource, namespace: string, body: unknown): ModelObject
  /** Merge patch of everything but the status. */
  patch(resource: ModelResource, namespace: string, name: string, patch: unknown): ModelObject
  putStatus(resource: ModelResource, namespace: string, name: string, body: unknown): ModelObject
  /** Replaces a resource without a status of its own. */
  put(resource: ModelResource, namespace: string, name: string, body: unknown): ModelObject
  /** The object if something still holds it; undefined: gone. */
  delete(resource: ModelResource, namespace: string, name: string): ModelObject | undefined
  /** Version of the latest write of all. */
  version(): number
  /** Changes of the resource after a version; undefined: too old. */
  since(resource: ModelResource, version: number): readonly ModelChange[] | undefined
  subscribe(listener: (change: ModelChange) => void): void
  /** Forgets the changes up to now: positions before are too old. */
  compact(): void
  /** Everything as it is now, for `restore`: an etcd backup. */
  backup(): Backup
  restore(backup: Backup): void
}

export interface Backup {
  readonly objects: ReadonlyMap<string, ModelObject>
  readonly version: number
}

export interface ModelOptions {
  /** Wall time in milliseconds. */
  readonly now: () => number
  readonly newUID: () => string
}

export function createKubeModel({ now, newUID }: ModelOptions): KubeModel {
  let objects = new Map<string, ModelObject>()
  let version = 100
  let changes: ModelChange[] = []
  let oldest = version
  const listeners: ((change: ModelChange) => void)[] = []

  const keyOf = (resource: ModelResource, namespace: string, name: string): string =>
    `${resource.group}/${resource.plural}/${resource.namespaced ? namespace : ''}/${name}`

  function stored(resource: ModelResource, namespace: string, name: string): ModelObject {
    const object = objects.get(keyOf(resource, namespace, name))
    if (object === undefined) throw notFound(resource, name)
    return object
  }

  function commit(
    resource: ModelResource,
    type: ModelChange['type'],
    object: ModelObject,
    before: ModelObject | undefined,
  ): ModelObject {
    version += 1
    const written = versioned(object, version)
    const key = keyOf(resource, object.metadata.namespace ?? '', object.metadata.name)
    if (type === 'DELETED') objects.delete(key)
    else objects.set(key, written)
    // The last words of an object are of the state it was in before the write that ended it.
    const told = type === 'DELETED' && before !== undefined ? versioned(before, version) : written
    const change: ModelChange = { resource, type, object: told, version, ...(before && { before }) }
    changes.push(change)
    for (const listener of listeners) listener(change)
    return written
  }

  /** Stores the next state of an object; what changes nothing keeps its version, and the last finalizer gone ends it. */
  function replace(resource: ModelResource, before: ModelObject, next: ModelObject): ModelObject {
    const leaving = next.metadata.deletionTimestamp !== undefined
    if (leaving && (next.metadata.finalizers ?? []).length === 0) {
      return commit(resource, 'DELETED', next, before)
    }
    return isSame(before, next) ? before : commit(resource, 'MODIFIED', next, before)
  }

  function update(
    resource: ModelResource,
    before: ModelObject,
    merged: Readonly<Record<string, unknown>>,
  ): ModelObject {
    const metadata = nextMeta(resource, before.metadata, merged['metadata'])
    if (resource.ours === undefined) return replace(resource, before, { ...before, ...merged, metadata })
    const spec = checkSpec(resource, before, merged['spec'])
    const generation = isSame(spec, before.spec) ? before.metadata.generation : nextGeneration(before)
    return replace(resource, before, {
      ...before,
      metadata: { ...metadata, ...(generation !== undefined && { generation }) },
      spec,
    })
  }

  return {
    get: (resource, namespace, name) => objects.get(keyOf(resource, namespace, name)),
    list: (resource, namespace) => {
      const prefix = `${resource.group}/${resource.plural}/${namespace === '' ? '' : `${namespace}/`}`
      const found: string[] = []
      for (const key of objects.keys()) if (key.startsWith(prefix)) found.push(key)
      return found.sort().flatMap((key) => objects.get(key) ?? [])
    },
    create: (resource, namespace, body) => {
      const given = isObject(body) ? body : {}
      const metadata = isObject(given['metadata']) ? given['metadata'] : {}
      const name = String(metadata['name'])
      if (objects.has(keyOf(resource, namespace, name))) throw alreadyExists(resource, name)
      const { ours } = resource
      const object: ModelObject = {
        ...without(given, 'status'),
        apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
        kind: resource.kind,
        metadata: {
          ...pick(metadata, WORDS),
          name,
          ...(resource.namespaced && { namespace }),
          uid: newUID(),
          resourceVersion: '',
          creationTimestamp: rfc3339(now()),
          ...(ours !== undefined && { generation: 1 }),
        },
        ...(ours !== undefined && {
          spec: checkSpec(resource, undefined, given['spec'], name),
          status: { observedGeneration: -1 },
        }),
        ...(resource.kind === 'Secret' && { type: given['type'] ?? 'Opaque' }),
      }
      return commit(resource, 'ADDED', object, undefined)
    },
    patch: (resource, namespace, name, patch) => {
      const before = stored(resource, namespace, name)
      const given = isObject(patch) ? patch : {}
      precondition(resource, before, given['metadata'], 'patch')
      const merged = mergePatch(before, resource.ours === undefined ? given : without(given, 'status'))
      return update(resource, before, merged as Record<string, unknown>)
    },
    put: (resource, namespace, name, body) => {
      const before = stored(resource, namespace, name)
      const given = isObject(body) ? body : {}
      precondition(resource, before, given['metadata'], 'put')
      return update(resource, before, { ...given, metadata: mergePatch(before.metadata, given['metadata']) })
    },
    putStatus: (resource, namespace, name, body) => {
      const before = stored(resource, namespace, name)
      const given = isObject(body) ? body : {}
      precondition(resource, before, given['metadata'], 'put')
      const status = isObject(given['status']) ? given['status'] : { observedGeneration: -1 }
      return replace(resource, before, { ...before, status })
    },
    delete: (resource, namespace, name) => {
      const before = stored(resource, namespace, name)
      if (before.metadata.deletionTimestamp !== undefined) return before
      if ((before.metadata.finalizers ?? []).length === 0) {
        commit(resource, 'DELETED', before, before)
        return undefined
      }
      const generation = nextGeneration(before)
      const metadata: ModelMeta = {
        ...before.metadata,
        ...(generation !== undefined && { generation }),
        deletionTimestamp: rfc3339(now()),
        deletionGracePeriodSeconds: 0,
      }
      return commit(resource, 'MODIFIED', { ...before, metadata }, before)
    },
    version: () => version,
    since: (resource, from) => {
      if (from < oldest) return undefined
      return changes.filter((each) => each.resource === resource && each.version > from)
    },
    subscribe: (listener) => void listeners.push(listener),
    compact: () => {
      changes = []
      oldest = version
    },
    backup: () => ({ objects: new Map(objects), version }),
    restore: (backup) => {
      objects = new Map(backup.objects)
      version = backup.version
      changes = changes.filter((each) => each.version <= version)
    },
  }
}

function versioned(object: ModelObject, version: number): ModelObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
}

function nextGeneration(object: ModelObject): number | undefined {
  return object.metadata.generation === undefined ? undefined : object.metadata.generation + 1
}

/** The uid and resourceVersion that a write builds on. */
function precondition(
  resource: ModelResource,
  stored: ModelObject,
  metadata: unknown,
  how: 'patch' | 'put',
): void {
  const { name, uid, resourceVersion } = stored.metadata
  const asked = isObject(metadata) ? metadata : {}
  if (typeof asked['uid'] === 'string' && asked['uid'] !== uid) {
    if (how === 'put') throw otherUID(resource, name, asked['uid'], uid)
    throw invalid(resource, name, 'metadata.uid', `Invalid value: "${asked['uid']}": field is immutable`)
  }
  if (asked['resourceVersion'] === undefined || asked['resourceVersion'] === '') {
    if (how === 'patch') return
    const message = 'Invalid value: 0: must be specified for an update'
    throw invalid(resource, name, 'metadata.resourceVersion', message)
  }
  if (asked['resourceVersion'] !== resourceVersion) throw modified(resource, name)
}

/** Only lists of words change by a write; what the server keeps itself stays. */
function nextMeta(resource: ModelResource, before: ModelMeta, wanted: unknown): ModelMeta {
  const next = isObject(wanted) ? wanted : {}
  const own = without({ ...before }, ...WORDS) as unknown as ModelMeta
  const changed = pick(next, WORDS)
  const added = ((changed['finalizers'] ?? []) as readonly string[]).filter(
    (each) => before.finalizers?.includes(each) !== true,
  )
  if (before.deletionTimestamp !== undefined && added.length > 0) {
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((each) => `"${each}"`).join(', ')}}`
    throw invalid(resource, before.name, 'metadata.finalizers', message, 'FieldValueForbidden')
  }
  return { ...own, ...changed }
}

/** What a write may change of an object's metadata. */
const WORDS = ['finalizers', 'ownerReferences', 'annotations', 'labels'] as const

function without(
  record: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** Fields that are there and not empty. */
function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name]
      const empty =
        value === undefined ||
        (Array.isArray(value) ? value.length === 0 : Object.keys(value as object).length === 0)
      return empty ? [] : [[name, value]]
    }),
  )
}
