/** A virtual machine as the cloud has it, in this kind's terms. */
import type { VmStatus } from '../../api/vm.ts'
import type { FloatingIpRecord, StorageRecord, VmRecord } from '../../cloud/records.ts'
import type { Freshness, ReadContext, Reads, Seen } from '../../reconcile/kind.ts'
import { completed, powerOf, readVm, type Power } from '../../reconcile/vmrecords.ts'

export interface SeenVm extends Seen {
  readonly name?: string
  readonly power?: Power
  /** The service's own word for the power state. */
  readonly powerWord?: string
  readonly vcpus?: number
  readonly memoryMiB?: number
  readonly backups?: boolean
  readonly os?: string
  readonly osVersion?: string
  readonly privateIP?: string
  readonly publicIPs?: readonly string[]
  readonly mac?: string
  readonly hostname?: string
  readonly username?: string
  readonly poolID?: string
  readonly poolName?: string
  /** Boot disk included. Absent: unknown, not none. */
  readonly storage?: readonly StorageRecord[]
  /** The Secret whose password this pass has set; the cloud never shows it. */
  readonly passwordSet?: NonNullable<VmStatus['passwordApplied']>
}

export function seenVm(record: VmRecord): SeenVm {
  return {
    id: record.uuid,
    ...(record.description !== undefined && { label: record.description }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.name !== undefined && { name: record.name }),
    ...(record.status !== undefined && { power: powerOf(record.status), powerWord: record.status }),
    ...(record.vcpus !== undefined && { vcpus: record.vcpus }),
    ...(record.memoryMiB !== undefined && { memoryMiB: record.memoryMiB }),
    ...(record.backups !== undefined && { backups: record.backups }),
    ...(record.osName !== undefined && { os: record.osName }),
    ...(record.osVersion !== undefined && { osVersion: record.osVersion }),
    ...(record.privateIP !== undefined && { privateIP: record.privateIP }),
    ...(record.mac !== undefined && { mac: record.mac }),
    ...(record.hostname !== undefined && { hostname: record.hostname }),
    ...(record.username !== undefined && { username: record.username }),
    ...(record.poolID !== undefined && { poolID: record.poolID }),
    ...(record.poolName !== undefined && { poolName: record.poolName }),
    ...(record.storage !== undefined && { storage: record.storage }),
  }
}

export const vmReads: Reads<SeenVm, VmStatus> = {
  hasExact: () => true,
  rows: async (context) => {
    const { session, location, freshness } = context
    const snapshot = await session.inventory.list('vm', location, freshness)
    return snapshot.rows.map((row) => seenVm(completed(session, row)))
  },
  row: async (context, id) => {
    const { session, location, freshness } = context
    const snapshot = await session.inventory.list('vm', location, freshness)
    const row = snapshot.byID.get(id)
    return row && addressed(context, seenVm(completed(session, row)))
  },
  exact: async (context, id) => {
    const record = await readVm(context, id)
    return record && addressed(context, seenVm(record))
  },
}

/** A VM's record never shows its public addresses: the list of floating IPs does. */
async function addressed(context: ReadContext<VmStatus>, seen: SeenVm): Promise<SeenVm> {
  const { session, location, status } = context
  // A new VM's address is newer than the list that serves everything else.
  const freshness: Freshness =
    status?.operation?.verb === 'create' ? context.freshness : { maxAgeMs: session.syncMs }
  const snapshot = await session.inventory.list('floatingIP', location, freshness)
  const own = snapshot.rows.filter((each) => !each.deleted && each.assignedTo === seen.id)
  return { ...seen, publicIPs: own.map((each) => each.address).sort() }
}

/** An address without a name of its own: made along with a VM, as far as names can tell. */
export function isNameless(record: FloatingIpRecord): boolean {
  return !record.deleted && (record.name === undefined || record.name === '')
}
