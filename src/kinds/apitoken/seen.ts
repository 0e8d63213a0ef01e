/** An API token as the cloud has it; the token itself stays in the shared list. */
import type { ApiTokenStatus } from '../../api/apitoken.ts'
import type { TokenRecord } from '../../cloud/records.ts'
import type { ReadContext, Reads } from '../../reconcile/kind.ts'
import type { SeenAmong } from '../../reconcile/retiring.ts'
import type { Session } from '../../reconcile/session.ts'

export interface SeenApiToken extends SeenAmong {
  readonly restricted?: boolean
  readonly consumerID?: string
  /** Tokens, this one or another, that the operator itself uses as the account's key. */
  readonly inUseHere: readonly string[]
}

export function seenApiToken(
  record: TokenRecord,
  all: readonly TokenRecord[],
  { client }: Session,
): SeenApiToken {
  const id = String(record.id)
  return {
    id,
    showsLabel: record.description !== undefined,
    others: all.map((each) => String(each.id)).filter((each) => each !== id),
    inUseHere: all.filter((each) => client.isOwnKey(each.reveal())).map((each) => String(each.id)),
    ...(record.description !== undefined && { label: record.description }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.restricted !== undefined && { restricted: record.restricted }),
    ...(record.consumerID !== undefined && { consumerID: record.consumerID }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
  }
}

async function find(context: ReadContext<ApiTokenStatus>, id: string): Promise<SeenApiToken | undefined> {
  const { session, freshness } = context
  const { rows, byID } = await session.inventory.list('token', undefined, freshness)
  const record = byID.get(id)
  return record && seenApiToken(record, rows, session)
}

/** Tokens belong to no location, and are listed only all together. */
export const apiTokenReads: Reads<SeenApiToken, ApiTokenStatus> = {
  hasExact: () => false,
  rows: async ({ session, freshness }) => {
    const { rows } = await session.inventory.list('token', undefined, freshness)
    return rows.map((record) => seenApiToken(record, rows, session))
  },
  row: find,
  exact: find,
}
