/** A floating IP as the cloud has it, in this kind's terms. Its number is its identity; the address is only its key in paths. */
import type { FloatingIpStatus } from '../../api/floatingip.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { getFloatingIp } from '../../cloud/floatingips.ts'
import type { FloatingIpRecord } from '../../cloud/records.ts'
import type { ReadContext, Reads, Seen } from '../../reconcile/kind.ts'

export interface SeenFloatingIp extends Seen {
  readonly address: string
  /** Undefined: to nothing, which the service also shows by leaving it out. */
  readonly assigned: Assignment | undefined
  readonly enabled?: boolean
}

export interface Assignment {
  /** Cloud id of the target. */
  readonly to: string
  /** The service's word for the kind of the target. */
  readonly type?: string
  /** Private address of the target. */
  readonly privateAddress?: string
}

export function seenFloatingIp(record: FloatingIpRecord): SeenFloatingIp {
  return {
    id: String(record.id),
    address: record.address,
    assigned: assignmentIn(record),
    ...(record.name !== undefined && { label: record.name }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.enabled !== undefined && { enabled: record.enabled }),
  }
}

function assignmentIn({
  assignedTo,
  assignedType,
  privateAddress,
}: FloatingIpRecord): Assignment | undefined {
  if (assignedTo === undefined) return undefined
  return {
    to: assignedTo,
    ...(assignedType !== undefined && { type: assignedType }),
    ...(privateAddress !== undefined && { privateAddress }),
  }
}

type Context = ReadContext<FloatingIpStatus>

export const floatingIpReads: Reads<SeenFloatingIp, FloatingIpStatus> = {
  hasExact: () => true,
  rows: async (context) => (await listed(context)).rows.map(seenFloatingIp),
  row: async (context, id) => {
    const record = (await listed(context)).byID.get(id)
    return record && seenFloatingIp(record)
  },
  exact: async (context, id) => {
    const known = context.status?.id === id ? context.status.address : undefined
    const address = known ?? (await listed(context)).byID.get(id)?.address
    if (address === undefined) return undefined
    const seen = await byAddress(context, address)
    // A freed address can be handed out again: under another number it is another floating IP.
    return seen?.id === id ? seen : undefined
  },
}

/** The floating IP at `address` now; undefined when there is none. */
export async function byAddress(context: Context, address: string): Promise<SeenFloatingIp | undefined> {
  const { client, inventory } = context.session
  const record = await orAbsent(getFloatingIp(client, context.location, address))
  if (record === undefined) return undefined
  inventory.note('floatingIP', context.location, record)
  return seenFloatingIp(record)
}

function listed(context: Context) {
  return context.session.inventory.list('floatingIP', context.location, context.freshness)
}
