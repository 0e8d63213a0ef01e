/** Names of calls, the same in every run: what plans count. */
const SCOPES = new Set(['user-resource', 'storage', 'network', 'config'])
const ID = /^(?:[0-9a-f]{8}-[0-9a-f-]{27,}|\d+(?:\.\d+)*)$/

/** The path without version, slug and query. */
export function servicePath(target: string): string {
  const [path = ''] = target.split('?')
  const parts = path.split('/').slice(2)
  return `/${(SCOPES.has(parts[0] ?? '') ? parts : parts.slice(1)).join('/')}`
}

/** `DELETE /storage/disks/:id` */
export function callLabel(method: string, target: string): string {
  const parts = servicePath(target).split('/')
  return `${method} ${parts.map((part) => (ID.test(part) ? ':id' : part)).join('/')}`
}

/** `update clouddisks/status data`; requests about no single object, and those with drawn names, go without a name. */
export function kubeLabel(verb: string, resource: string, name: string | undefined): string {
  return name === undefined || resource === 'events' ? `${verb} ${resource}` : `${verb} ${resource} ${name}`
}
