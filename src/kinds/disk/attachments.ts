/**
 * Which virtual machines have a disk. The service does not say it of a disk: the machines of its location are looked
 * through. A machine that does not show its disks may have any.
 */
import type { DiskStatus } from '../../api/disk.ts'
import type { StorageRecord, VmRecord } from '../../cloud/records.ts'
import type { Freshness, ReadContext } from '../../reconcile/kind.ts'
import type { Session } from '../../reconcile/session.ts'
import { readVm, storageOf } from '../../reconcile/vmrecords.ts'

export interface Attachment {
  readonly vmID: string
  /** The machine boots from it. Absent: the service does not tell. */
  readonly primary?: boolean
}

/** By disk id; and the machines whose rows do not show their disks. */
interface Index {
  readonly held: ReadonlyMap<string, readonly Attachment[]>
  readonly silent: readonly VmRecord[]
}

const indices = new WeakMap<readonly VmRecord[], Index>()

/** Made once for each snapshot of the list, however many disks are looked up in it. */
function indexOf(rows: readonly VmRecord[]): Index {
  const known = indices.get(rows)
  if (known !== undefined) return known
  const held = new Map<string, Attachment[]>()
  for (const { uuid, storage } of rows) {
    for (const item of storage ?? []) {
      const others = held.get(item.uuid)
      const attachment = attachmentTo(uuid, storage ?? [], item)
      if (others === undefined) held.set(item.uuid, [attachment])
      else others.push(attachment)
    }
  }
  const index = { held, silent: rows.filter((row) => row.storage === undefined) }
  indices.set(rows, index)
  return index
}

/** A machine boots from one disk: where another one is primary, this one is not. */
function attachmentTo(vmID: string, storage: readonly StorageRecord[], item: StorageRecord): Attachment {
  const primary = item.primary ?? (storage.some((each) => each.primary === true) ? false : undefined)
  return { vmID, ...(primary !== undefined && { primary }) }
}

function within(vmID: string, storage: readonly StorageRecord[], diskID: string): readonly Attachment[] {
  const item = storage.find((each) => each.uuid === diskID)
  return item === undefined ? [] : [attachmentTo(vmID, storage, item)]
}

/** Milliseconds for which the disks of a machine that its list row leaves out count as known. */
const STORAGE_AGE_MS = 3_600_000

/** As the list shows it, without any read; undefined: unknown. */
export function listedAttachments(
  session: Session,
  vms: { readonly rows: readonly VmRecord[]; readonly startedAt: number },
  diskID: string,
): readonly Attachment[] | undefined {
  const { held, silent } = indexOf(vms.rows)
  const found = held.get(diskID)
  if (found !== undefined) return found
  let unknown = false
  for (const row of silent) {
    const storage = storageOf(session, row, vms.startedAt - STORAGE_AGE_MS)
    if (storage === undefined) unknown = true
    const attachments = within(row.uuid, storage ?? [], diskID)
    if (attachments.length > 0) return attachments
  }
  return unknown ? undefined : []
}

/** The list proposes machines and exact reads decide, so that the list may be this much older, in milliseconds. */
const LIST_LAG_MS = 5_000

/** As exact reads of every machine show it that has the disk in the list, in our status or in the open operation. */
export async function provenAttachments(
  context: ReadContext<DiskStatus>,
  diskID: string,
): Promise<readonly Attachment[] | undefined> {
  const { session, location, freshness, status } = context
  const vms = await session.inventory.list('vm', location, older(freshness, LIST_LAG_MS))
  const named = [status?.attachedTo?.id, status?.operation?.details?.['vm']]
  const listed = (listedAttachments(session, vms, diskID) ?? []).map((each) => each.vmID)
  const suspects = new Set([...listed, ...named.filter((id) => id !== undefined)])
  const exact = await Promise.all([...suspects].map((vmID) => exactly(context, vmID, diskID)))
  const found = exact.flatMap((each) => each ?? [])
  if (found.length > 0) return found
  const silent = indexOf(vms.rows).silent.filter((row) => !suspects.has(row.uuid))
  const rest = await Promise.all(silent.map((row) => recently(context, row, diskID)))
  if (exact.includes(undefined) || rest.includes(undefined)) {
    const elsewhere = rest.flatMap((each) => each ?? [])
    return elsewhere.length > 0 ? elsewhere : undefined
  }
  return rest.flatMap((each) => each ?? [])
}

/** Undefined: the machine does not show its disks. A machine that is gone has none. */
async function exactly(
  context: ReadContext<DiskStatus>,
  vmID: string,
  diskID: string,
): Promise<readonly Attachment[] | undefined> {
  const vm = await readVm(context, vmID)
  if (vm === undefined) return []
  return vm.storage && within(vmID, vm.storage, diskID)
}

async function recently(
  context: ReadContext<DiskStatus>,
  row: VmRecord,
  diskID: string,
): Promise<readonly Attachment[] | undefined> {
  const { freshness } = context
  const since = 'startedAfter' in freshness ? freshness.startedAfter - STORAGE_AGE_MS : undefined
  const storage = storageOf(context.session, row, since)
  return storage === undefined ? exactly(context, row.uuid, diskID) : within(row.uuid, storage, diskID)
}

function older(freshness: Freshness, byMs: number): Freshness {
  return 'startedAfter' in freshness ? { startedAfter: freshness.startedAfter - byMs } : freshness
}
