/**
 * A snapshot as the cloud has it, in this kind's terms. The service has no read of a single one: the list of its machine
 * stands for it. At rest not even that is read: the list of machines may show snapshots, and what was recorded of one
 * never changes.
 */
import type { SnapshotStatus } from '../../api/snapshot.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { CloudError } from '../../cloud/errors.ts'
import type { ReplicaRecord } from '../../cloud/records.ts'
import { listReplicas } from '../../cloud/replicas.ts'
import type { ReadContext, Reads, Seen } from '../../reconcile/kind.ts'
import { readVm } from '../../reconcile/vmrecords.ts'

/** What the service calls one that is taken by hand. */
export const SNAPSHOT = 'snapshot'
/** Types that it lists by name; of others only the record of their machine tells. */
export const LISTED: readonly string[] = [SNAPSHOT, 'backup']

export interface SeenSnapshot extends Seen {
  readonly vmID: string
  /** The service's own word. */
  readonly type?: string
  readonly sizeGiB?: number
  /** The disk it is a copy of. */
  readonly diskID?: string
}

type Context = ReadContext<SnapshotStatus>

/** `type`: what was asked for, where the record does not say. */
export function seenSnapshot(record: ReplicaRecord, vmID: string, type: string | undefined): SeenSnapshot {
  const shown = record.type ?? type
  return {
    id: record.uuid,
    vmID,
    showsLabel: false,
    ...(shown !== undefined && { type: shown }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.sizeGiB !== undefined && { sizeGiB: record.sizeGiB }),
    ...(record.masterUUID !== undefined && { diskID: record.masterUUID }),
  }
}

export const snapshotReads: Reads<SeenSnapshot, SnapshotStatus> = {
  hasExact: () => false,
  rowsRemember: true,
  rows: (context) => {
    const vmID = context.status?.vm?.id
    return vmID === undefined ? Promise.resolve([]) : listed(context, vmID, SNAPSHOT)
  },
  row: (context, id) => ('maxAgeMs' in context.freshness ? atRest(context, id) : found(context, id)),
  exact: found,
}

/** All of one type that its machine has; a machine that is gone has none. Throws CloudError. */
export async function listed(
  { session, location }: Context,
  vmID: string,
  type: string,
): Promise<readonly SeenSnapshot[]> {
  const { client } = session
  const records = await orAbsent(listReplicas(client, location, vmID, type, { lane: 'change' }))
  return (records ?? []).map((record) => seenSnapshot(record, vmID, type))
}

async function found(context: Context, id: string): Promise<SeenSnapshot | undefined> {
  const vmID = machineOf(context, id)
  const type = context.status?.type ?? SNAPSHOT
  const rows = LISTED.includes(type) ? await listed(context, vmID, type) : await shown(context, vmID)
  if (rows !== undefined) return rows.find((row) => row.id === id)
  throw new CloudError({
    class: 'unclear',
    method: 'GET',
    path: 'user-resource/vm',
    text: `the record of virtual machine ${vmID} does not show the copies of its boot disk`,
    sent: true,
  })
}

/** Copies of whatever type, as the exact record of their machine shows them; undefined: it shows none of any. Throws CloudError. */
export async function shown(context: Context, vmID: string): Promise<readonly SeenSnapshot[] | undefined> {
  const machine = await readVm(context, vmID)
  if (machine === undefined) return []
  const bootDisk = machine.storage?.find((disk) => disk.primary === true)
  return bootDisk?.replicas?.map((record) => seenSnapshot(record, vmID, undefined))
}

/** Without it nothing could be read, and nothing may be concluded. */
function machineOf({ status }: Context, id: string): string {
  if (status?.vm !== undefined) return status.vm.id
  throw new Error(`the status does not say which virtual machine snapshot ${id} is of`)
}

/** Without a call of its own. Undefined: it may be gone, and its machine's list decides. */
async function atRest(context: Context, id: string): Promise<SeenSnapshot | undefined> {
  const { session, location, freshness, status } = context
  const vmID = machineOf(context, id)
  const machine = (await session.inventory.list('vm', location, freshness)).byID.get(vmID)
  if (machine === undefined) return undefined
  const replicas = machine.storage?.flatMap((disk) => disk.replicas ?? [UNKNOWN])
  const own = replicas?.find((each) => each.uuid === id)
  if (own !== undefined) return seenSnapshot(own, vmID, status?.type)
  // A record of a machine may leave out its backups, or all of them.
  const complete = replicas !== undefined && !replicas.includes(UNKNOWN) && status?.type === SNAPSHOT
  return complete || !wasWell(status) ? undefined : recorded(id, vmID, status)
}

/** Once it was missed, what was recorded before tells nothing. */
function wasWell(status: SnapshotStatus | undefined): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false
}

/** Stands for those that a disk does not show. */
const UNKNOWN: ReplicaRecord = { uuid: '' }

function recorded(id: string, vmID: string, status: SnapshotStatus | undefined): SeenSnapshot {
  return {
    id,
    vmID,
    showsLabel: false,
    ...(status?.type !== undefined && { type: status.type }),
    ...(status?.takenAt !== undefined && { createdAt: status.takenAt }),
    ...(status?.sizeGiB !== undefined && { sizeGiB: status.sizeGiB }),
    ...(status?.diskID !== undefined && { diskID: status.diskID }),
  }
}
