/** The URL paths of resources. */
import type { ResourceType } from './object.ts'

/** The path of one object, or of the collection when `name` is absent. Empty namespace: all of them, or cluster-scoped. */
export function objectPath(type: ResourceType, namespace: string, name?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  const collection = `${root}${within}/${type.plural}`
  return name === undefined ? collection : `${collection}/${encodeURIComponent(name)}`
}
