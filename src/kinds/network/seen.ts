/** A network as the cloud has it, in this kind's terms. */
import { getNetwork } from '../../cloud/networks.ts'
import type { NetworkRecord } from '../../cloud/records.ts'
import { orAbsent } from '../../cloud/absent.ts'
import type { NetworkStatus } from '../../api/network.ts'
import type { Reads, Seen } from '../../reconcile/kind.ts'

export interface SeenNetwork extends Seen {
  readonly subnet?: string
  readonly subnetIPv6?: string
  readonly isDefault?: boolean
  readonly vmIDs?: readonly string[]
  readonly resources?: number
}

export function seenNetwork(record: NetworkRecord): SeenNetwork {
  return {
    id: record.uuid,
    ...(record.name !== undefined && { label: record.name }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.subnet !== undefined && { subnet: record.subnet }),
    ...(record.subnetIPv6 !== undefined && { subnetIPv6: record.subnetIPv6 }),
    ...(record.isDefault !== undefined && { isDefault: record.isDefault }),
    ...(record.vmUUIDs !== undefined && { vmIDs: record.vmUUIDs }),
    ...(record.resourcesCount !== undefined && { resources: record.resourcesCount }),
  }
}

export const networkReads: Reads<SeenNetwork, NetworkStatus> = {
  hasExact: () => true,
  rows: async (context) => {
    const scope = await context.session.networkScope(context.location)
    const snapshot = await context.session.inventory.list('network', scope, context.freshness)
    return snapshot.rows.map(seenNetwork)
  },
  row: async (context, id) => {
    const scope = await context.session.networkScope(context.location)
    const snapshot = await context.session.inventory.list('network', scope, context.freshness)
    const record = snapshot.byID.get(id)
    return record && seenNetwork(record)
  },
  exact: async (context, id) => {
    const scope = await context.session.networkScope(context.location)
    const record = await orAbsent(getNetwork(context.session.client, scope, id))
    if (record === undefined) return undefined
    context.session.inventory.note('network', scope, record)
    return seenNetwork(record)
  },
}
