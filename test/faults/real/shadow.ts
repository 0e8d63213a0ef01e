/**
 * What the API server holds of a case, from its own answers: every write passes the rig, so that nothing is missed and
 * nothing is late. Each version that an object ever had is kept, for what a write found.
 */
import { isObject, type ModelObject } from '../kube/objects.ts'
import type { Target } from '../kube/resources.ts'

export interface Shadow {
  /** The server answered this to a write at the target; the object as it is now, undefined: it is gone or unknown. */
  wrote(target: Target, answer: unknown): ModelObject | undefined
  /** A version of an object, if it was ever seen. */
  version(uid: unknown, resourceVersion: unknown): ModelObject | undefined
  get(kind: string, name: string): ModelObject | undefined
  /** Of our kinds. */
  objects(): readonly ModelObject[]
  /** Writes of our kinds so far. */
  changes(): number
}

export function createShadow(): Shadow {
  const now = new Map<string, ModelObject>()
  const versions = new Map<string, ModelObject>()
  const ended = new Set<string>()
  let changes = 0

  function keep(key: string, object: ModelObject): ModelObject | undefined {
    const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = object.metadata
    const known = now.get(key)
    versions.set(`${uid}@${resourceVersion}`, object)
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      ended.add(uid)
      if (known?.metadata.uid === uid) now.delete(key)
      return undefined
    }
    // Two answers may pass each other on their way; the versions of the server say which came later.
    const older = Number(known?.metadata.resourceVersion ?? 0) > Number(resourceVersion)
    if (!older && !ended.has(uid)) now.set(key, object)
    return object
  }

  return {
    wrote: ({ resource, name }, answer) => {
      if (resource.ours !== undefined) changes += 1
      if (!isObject(answer) || !isObject(answer['metadata'])) return undefined
      if (typeof answer['metadata']['uid'] === 'string') {
        const object = withoutManagers(answer as unknown as ModelObject)
        return keep(`${resource.kind} ${object.metadata.name}`, object)
      }
      // The answer to a deletion that was carried out at once.
      const details = answer['details']
      if (answer['kind'] === 'Status' && isObject(details)) {
        ended.add(String(details['uid']))
        if (now.get(`${resource.kind} ${name ?? ''}`)?.metadata.uid === details['uid'])
          now.delete(`${resource.kind} ${name ?? ''}`)
      }
      return undefined
    },
    version: (uid, resourceVersion) => versions.get(`${String(uid)}@${String(resourceVersion)}`),
    get: (kind, name) => now.get(`${kind} ${name}`),
    objects: () => [...now.values()].filter(({ apiVersion }) => apiVersion.startsWith('cloud-operator.dev/')),
    changes: () => changes,
  }
}

function withoutManagers(object: ModelObject): ModelObject {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => field !== 'managedFields'),
  )
  return { ...object, metadata: metadata as unknown as ModelObject['metadata'] }
}
