/** Records of virtual machines as several kinds read them: what an exact read showed stands in where a list row lacks it. */
import { orAbsent } from '../cloud/absent.ts'
import type { StorageRecord, VmRecord } from '../cloud/records.ts'
import { getVm } from '../cloud/vms.ts'
import type { ReadContext } from './kind.ts'
import type { Session } from './session.ts'

/** One VM, read exactly and kept; undefined when it is gone. Throws CloudError. */
export async function readVm(context: ReadContext<unknown>, id: string): Promise<VmRecord | undefined> {
  const { session, location, freshness } = context
  const record = await orAbsent(getVm(session.client, location, id))
  if (record === undefined) {
    session.inventory.forget('vm', location, id)
    session.memory.storage.delete(id)
    return undefined
  }
  session.inventory.note('vm', location, record)
  if (record.description !== undefined) session.memory.descriptions.set(id, record.description)
  if (record.storage !== undefined) {
    // The read began after this moment: the record is at least as new as that.
    const readAt = 'startedAfter' in freshness ? freshness.startedAfter : Number.NEGATIVE_INFINITY
    session.memory.storage.set(id, { items: record.storage, readAt })
  }
  return record
}

/** The disks of a list row, or as last read exactly and not before `since`; undefined: unknown. */
export function storageOf(
  session: Session,
  row: VmRecord,
  since: number = Number.NEGATIVE_INFINITY,
): readonly StorageRecord[] | undefined {
  if (row.storage !== undefined) return row.storage
  const known = session.memory.storage.get(row.uuid)
  return known !== undefined && known.readAt >= since ? known.items : undefined
}

/** The list row with what it lacks, where an exact read showed it. */
export function completed(session: Session, row: VmRecord): VmRecord {
  const description = row.description ?? session.memory.descriptions.get(row.uuid)
  const storage = storageOf(session, row)
  return {
    ...row,
    ...(description !== undefined && { description }),
    ...(storage !== undefined && { storage }),
  }
}

/** between: every word but running and stopped, whatever it is. */
export type Power = 'running' | 'stopped' | 'between'

/** The power state that the service's word means. */
export function powerOf(word: string): Power {
  const lower = word.toLowerCase()
  return lower === 'running' || lower === 'stopped' ? lower : 'between'
}
