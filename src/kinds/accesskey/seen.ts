/** A key pair of the object storage as the cloud has it; its secret half stays in the shared list. */
import type { AccessKeyStatus } from '../../api/accesskey.ts'
import type { ReadContext, Reads } from '../../reconcile/kind.ts'
import type { SeenAmong } from '../../reconcile/retiring.ts'

export type SeenAccessKey = SeenAmong

/** One of the keys the account has; they carry no name and no time. */
export function seenAccessKey(id: string, all: readonly string[]): SeenAccessKey {
  return { id, showsLabel: false, others: all.filter((each) => each !== id) }
}

async function idsOf({ session, freshness }: ReadContext<AccessKeyStatus>): Promise<readonly string[]> {
  const { rows } = await session.inventory.list('accessKey', undefined, freshness)
  return rows.map((row) => row.id)
}

async function find(context: ReadContext<AccessKeyStatus>, id: string): Promise<SeenAccessKey | undefined> {
  const ids = await idsOf(context)
  return ids.includes(id) ? seenAccessKey(id, ids) : undefined
}

/** Keys belong to no location, and are listed only all together. */
export const accessKeyReads: Reads<SeenAccessKey, AccessKeyStatus> = {
  hasExact: () => false,
  rows: async (context) => {
    const ids = await idsOf(context)
    return ids.map((id) => seenAccessKey(id, ids))
  },
  row: find,
  exact: find,
}
