/** What the API server's own audit log says somebody wrote: independent of what the operator says of itself. */
import { readFile } from 'node:fs/promises'

export interface AuditEntry {
  readonly verb: string
  readonly user: string
  readonly namespace: string
  readonly resource: string
  readonly name: string
  readonly code: number
  readonly at: string
}

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection']
const OPERATOR = 'system:serviceaccount:cloud-operator-system:cloud-operator'

/** The operator's writes in a namespace since a moment (milliseconds since the epoch), the lease's own left out. */
export async function operatorWrites(
  path: string,
  namespace: string,
  sinceMs: number,
): Promise<readonly AuditEntry[]> {
  const entries = await readAudit(path)
  return entries.filter(
    (each) =>
      each.user === OPERATOR &&
      each.namespace === namespace &&
      WRITES.includes(each.verb) &&
      each.resource !== 'leases' &&
      Date.parse(each.at) >= sinceMs,
  )
}

/** Everything the operator asked of a resource in a namespace, in order. */
export async function operatorCalls(
  path: string,
  namespace: string,
  resource: string,
): Promise<readonly AuditEntry[]> {
  const entries = await readAudit(path)
  return entries.filter(
    (each) => each.user === OPERATOR && each.namespace === namespace && each.resource === resource,
  )
}

interface RawEntry {
  readonly verb: string
  readonly user: { readonly username: string }
  readonly objectRef?: {
    readonly namespace?: string
    readonly resource?: string
    readonly name?: string
    readonly subresource?: string
  }
  readonly responseStatus?: { readonly code?: number }
  readonly requestReceivedTimestamp: string
}

async function readAudit(path: string): Promise<readonly AuditEntry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  // The last line may be half written.
  return lines.slice(0, -1).map((line) => {
    const raw = JSON.parse(line) as RawEntry
    const { namespace = '', resource = '', name = '', subresource } = raw.objectRef ?? {}
    return {
      verb: raw.verb,
      user: raw.user.username,
      namespace,
      resource: subresource === undefined ? resource : `${resource}/${subresource}`,
      name,
      code: raw.responseStatus?.code ?? 0,
      at: raw.requestReceivedTimestamp,
    }
  })
}
