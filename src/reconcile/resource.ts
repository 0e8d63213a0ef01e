import { GROUP, VERSION, type Kind } from '../api/group.ts'
import type { ResourceType } from '../kube/object.ts'

/** How the API server names a kind of ours. */
export function resourceType(kind: Kind): ResourceType {
  return { group: GROUP, version: VERSION, plural: `${kind.toLowerCase()}s`, kind }
}
