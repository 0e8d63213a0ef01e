/** From what the server sent to what is kept: checked where code relies on it, without ballast, frozen. */
import { KubeError } from './errors.ts'
import { apiVersion, resourceName, type KubeObject, type ResourceType } from './object.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Whether `raw` has what every object has. */
export function isReadable(
  raw: unknown,
): raw is Record<string, unknown> & { metadata: Record<string, unknown> } {
  if (!isRecord(raw) || !isRecord(raw['metadata'])) return false
  const { name, uid, resourceVersion } = raw['metadata']
  return typeof name === 'string' && typeof uid === 'string' && typeof resourceVersion === 'string'
}

/**
 * `raw` without managedFields and the last-applied annotation, deep-frozen. It is changed in place: it must come
 * straight from the parser. Throws a KubeError `unclear` when it is not readable.
 */
export function project(type: ResourceType, raw: unknown): KubeObject {
  if (!isReadable(raw)) {
    throw new KubeError('unclear', `${resourceName(type)}: an object without name, uid or resourceVersion`)
  }
  const metadata = without(raw.metadata, 'managedFields')
  raw.metadata = metadata
  metadata['namespace'] ??= ''
  if (isRecord(metadata['annotations']))
    metadata['annotations'] = without(metadata['annotations'], LAST_APPLIED)
  // The items of a list of a built-in resource lack these.
  raw['apiVersion'] ??= apiVersion(type)
  raw['kind'] ??= type.kind
  deepFreeze(raw)
  return raw as unknown as KubeObject
}

/** A copy: `delete` would turn the object into a hash table of twice the size. */
function without(record: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}

function deepFreeze(value: object): void {
  Object.freeze(value)
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'object' && part !== null) deepFreeze(part)
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
