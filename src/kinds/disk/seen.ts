/** A disk as the cloud has it, in this kind's terms. */
import type { DiskStatus } from '../../api/disk.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { getDisk } from '../../cloud/disks.ts'
import type { DiskRecord, DiskSnapshotRecord } from '../../cloud/records.ts'
import type { ReadContext, Reads, Seen } from '../../reconcile/kind.ts'
import type { Session } from '../../reconcile/session.ts'
import { listedAttachments, provenAttachments, type Attachment } from './attachments.ts'

export interface SeenDisk extends Seen {
  /** The service's own word. */
  readonly status?: string
  readonly sizeGiB?: number
  /** OS_BASE, DISK, SNAPSHOT or EMPTY. */
  readonly sourceType?: string
  readonly source?: string
  readonly snapshots?: readonly DiskSnapshotRecord[]
  /** Machines that have it: one at most, but for the moment of a move. Absent: unknown, not none. */
  readonly attachments?: readonly Attachment[]
}

/** `showsLabel`: false when this record certainly carries no name. */
export function seenDisk(record: DiskRecord): SeenDisk {
  return {
    id: record.uuid,
    ...(record.showsName && { label: record.displayName ?? '', showsLabel: true }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.status !== undefined && { status: record.status }),
    ...(record.sizeGiB !== undefined && { sizeGiB: record.sizeGiB }),
    ...(record.sourceType !== undefined && { sourceType: record.sourceType }),
    ...(record.source !== undefined && { source: record.source }),
    ...(record.snapshots !== undefined && { snapshots: record.snapshots }),
  }
}

export const diskReads: Reads<SeenDisk, DiskStatus> = {
  hasExact: () => true,
  rows: async (context) => {
    const { session, location, freshness } = context
    const disks = await session.inventory.list('disk', location, freshness)
    const vms = await session.inventory.list('vm', location, { maxAgeMs: session.syncMs })
    const named = disks.rows.some((row) => row.showsName)
    if (named) session.capabilities.diskNames = true
    return disks.rows.map((row) => {
      const seen = withAttachments(listedDisk(session, row), listedAttachments(session, vms, row.uuid))
      return bare(seen, named || session.capabilities.diskNames === false)
    })
  },
  row: async (context, id) => {
    const { session, location, freshness } = context
    const disks = await session.inventory.list('disk', location, freshness)
    const row = disks.byID.get(id)
    if (row === undefined) return undefined
    const vms = await session.inventory.list('vm', location, freshness)
    return withAttachments(listedDisk(session, row), listedAttachments(session, vms, id))
  },
  exact: exactDisk,
}

async function exactDisk(context: ReadContext<DiskStatus>, id: string): Promise<SeenDisk | undefined> {
  const { session, location } = context
  const record = await orAbsent(getDisk(session.client, location, id))
  if (record === undefined) {
    session.inventory.forget('disk', location, id)
    session.memory.diskDetails.delete(id)
    return undefined
  }
  session.inventory.note('disk', location, record)
  session.memory.diskDetails.set(id, record)
  learnNames(session, record)
  const seen = seenDisk(record)
  return withAttachments(
    record.showsName ? seen : { ...seen, showsLabel: false },
    await provenAttachments(context, id),
  )
}

/** A disk that came into being with a machine may have no name where others have one. */
function learnNames(session: Session, record: DiskRecord): void {
  const { capabilities } = session
  if (record.showsName) capabilities.diskNames = true
  else if (record.sourceType !== undefined && record.sourceType !== 'OS_BASE')
    capabilities.diskNames ??= false
}

/** The row over what the last exact read showed. */
function listedDisk(session: Session, row: DiskRecord): SeenDisk {
  const known = session.memory.diskDetails.get(row.uuid)
  if (known === undefined) return seenDisk(row)
  const seen = { ...seenDisk(known), ...seenDisk(row) }
  return row.showsName || known.showsName ? seen : { ...seen, showsLabel: false }
}

/**
 * Saves an exact read of every disk that is nobody's: a list that shows names shows them on each row that has one, and a
 * machine's own boot disk has none.
 */
function bare(seen: SeenDisk, rowsTell: boolean): SeenDisk {
  if (seen.label !== undefined) return seen
  const boots =
    seen.sourceType === 'OS_BASE' && seen.attachments?.some((each) => each.primary === true) === true
  return rowsTell || boots ? { ...seen, showsLabel: false } : seen
}

function withAttachments(seen: SeenDisk, attachments: readonly Attachment[] | undefined): SeenDisk {
  return attachments === undefined ? seen : { ...seen, attachments }
}
