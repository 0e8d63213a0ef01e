/**
 * A load balancer as the cloud has it, in this kind's terms, and the address that may come with one. Reading also learns
 * what this service can do: only the list is documented.
 */
import type { CloudLoadBalancer, LoadBalancerStatus } from '../../api/loadbalancer.ts'
import type { Operation } from '../../api/shared.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { CloudError } from '../../cloud/errors.ts'
import { getFloatingIp } from '../../cloud/floatingips.ts'
import { getLoadBalancer } from '../../cloud/loadbalancers.ts'
import type { FloatingIpRecord, LoadBalancerRecord, RuleRecord, TargetRecord } from '../../cloud/records.ts'
import type { Patch, ReadContext, Reads, Seen } from '../../reconcile/kind.ts'
import type { Session } from '../../reconcile/session.ts'

export interface SeenLoadBalancer extends Seen {
  /** False: the service was found to change and delete no load balancers. */
  readonly changeable: boolean
  readonly networkID?: string
  readonly privateAddress?: string
  readonly rules?: readonly RuleRecord[]
  /** As listed: one VM can stand in it twice. */
  readonly targets?: readonly TargetRecord[]
}

export function seenLoadBalancer(record: LoadBalancerRecord, { capabilities }: Session): SeenLoadBalancer {
  if (record.showsName) capabilities.loadBalancerNames = true
  const changeable = capabilities.loadBalancerOperations !== false
  // Where there is an exact read, it may show the name that a row leaves out.
  const nameless = !record.showsName && !changeable
  return {
    id: record.uuid,
    changeable,
    ...(record.showsName && { showsLabel: true }),
    ...(nameless && { showsLabel: false }),
    ...(record.displayName !== undefined && { label: record.displayName }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.networkUUID !== undefined && { networkID: record.networkUUID }),
    ...(record.privateAddress !== undefined && { privateAddress: record.privateAddress }),
    ...(record.rules !== undefined && { rules: record.rules }),
    ...(record.targets !== undefined && { targets: record.targets }),
  }
}

type Context = ReadContext<LoadBalancerStatus>

export const loadBalancerReads: Reads<SeenLoadBalancer, LoadBalancerStatus> = {
  hasExact: ({ capabilities }) => capabilities.loadBalancerOperations !== false,
  rows: async (context) =>
    (await listed(context)).rows.map((record) => seenLoadBalancer(record, context.session)),
  row: async (context, id) => {
    const record = (await listed(context)).byID.get(id)
    return record && seenLoadBalancer(record, context.session)
  },
  exact: async (context, id) => {
    const { session } = context
    const { capabilities } = session
    if (capabilities.loadBalancerOperations !== false) {
      const record = await tried(context, id)
      if (record !== undefined) return seenLoadBalancer(record, session)
      if (capabilities.loadBalancerOperations === true) return undefined
    }
    // The list stands for an exact read that the service does not have, or is not known to have.
    return loadBalancerReads.row(context, id)
  },
}

/** The exact read. A missing route, on an id that the list still shows, says once and for all that there is none. */
async function tried(context: Context, id: string): Promise<LoadBalancerRecord | undefined> {
  const { client, inventory, capabilities } = context.session
  const scope = await context.session.loadBalancerScope(context.location)
  try {
    const record = await orAbsent(getLoadBalancer(client, scope, id))
    if (record === undefined) return undefined
    inventory.note('loadBalancer', scope, record)
    capabilities.loadBalancerOperations = true
    return record
  } catch (error) {
    const missing = error instanceof CloudError && error.missingRoute
    if (!missing || capabilities.loadBalancerOperations === true) throw error
    if ((await listed(context)).byID.has(id)) capabilities.loadBalancerOperations = false
    return undefined
  }
}

async function listed(context: Context) {
  const scope = await context.session.loadBalancerScope(context.location)
  return context.session.inventory.list('loadBalancer', scope, context.freshness)
}

/** Ids of the addresses without a name: the one that comes with a new load balancer is none of these. */
export async function namelessAddresses(context: ReadContext<unknown>): Promise<readonly string[]> {
  return (await addresses(context)).filter(isNameless).map(({ id }) => String(id))
}

/** The address that came with a new load balancer: nameless, assigned to it, not there before, and the only such one. */
export async function reservedAddress(
  context: Context,
  operation: Operation,
  seen: SeenLoadBalancer,
): Promise<{ readonly patch: Patch<LoadBalancerStatus>; readonly wait?: string }> {
  const before = new Set(operation.companions ?? [])
  const found = (await addresses(context)).filter(
    (ip) => isNameless(ip) && ip.assignedTo === seen.id && !before.has(String(ip.id)),
  )
  const [only, another] = found
  if (only === undefined)
    return { patch: {}, wait: 'waiting for the cloud to show the address reserved with the load balancer' }
  // Which of several is ours cannot be told: none is recorded, and so none is ever deleted.
  if (another !== undefined) return { patch: {} }
  return { patch: { reservedIP: { id: String(only.id), address: only.address } } }
}

/** The recorded address of a deleted load balancer: only while it is that very one, nameless, and nobody else uses it. */
export async function addressLeft(
  context: Context,
  object: CloudLoadBalancer,
): Promise<{ readonly address: string; readonly id: string; readonly assigned: boolean } | undefined> {
  const { reservedIP, id } = object.status ?? {}
  if (reservedIP === undefined) return undefined
  const { address } = reservedIP
  const ip = await orAbsent(getFloatingIp(context.session.client, context.location, address))
  if (ip === undefined || String(ip.id) !== reservedIP.id || !isNameless(ip)) return undefined
  if (ip.assignedTo !== undefined && ip.assignedTo !== id) return undefined
  return { address, id: reservedIP.id, assigned: ip.assignedTo !== undefined }
}

async function addresses(context: ReadContext<unknown>): Promise<readonly FloatingIpRecord[]> {
  const { session, location, freshness } = context
  return (await session.inventory.list('floatingIP', location, freshness)).rows
}

function isNameless(ip: FloatingIpRecord): boolean {
  return ip.name === undefined || ip.name === ''
}
