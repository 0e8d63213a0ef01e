/** Carries out one step: one switch, one changing HTTP call each. */
import type { ApiTokenStatus } from '../../api/apitoken.ts'
import type { TokenRecord } from '../../cloud/records.ts'
import { createToken, deleteToken, updateToken, type TokenWish } from '../../cloud/tokens.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { markerIn } from '../../reconcile/marker.ts'
import { needed } from '../../reconcile/needed.ts'
import type { ApiTokenStep } from './plan.ts'
import { seenApiToken, type SeenApiToken } from './seen.ts'

type Context = CallContext<ApiTokenStatus>

/** Undefined: one was made, and the answer does not show which one it is. */
export async function actApiToken(
  context: Context,
  step: ApiTokenStep,
  before: SeenApiToken | undefined,
): Promise<SeenApiToken | undefined> {
  const { session, send } = context
  const { client, inventory } = session
  switch (step.do) {
    case 'create': {
      const rows = await createToken(client, step.token, send)
      for (const row of rows) inventory.note('token', undefined, row)
      return onlyNew(context, rows)
    }
    case 'update': {
      const seen = needed(before)
      await updateToken(client, Number(seen.id), step.token, send)
      return afterUpdate(seen, step.token)
    }
    case 'retire':
      await deleteToken(client, Number(step.id), send)
      inventory.forget('token', undefined, step.id)
      return needed(before)
    case 'delete': {
      const seen = needed(before)
      await deleteToken(client, Number(seen.id), send)
      inventory.forget('token', undefined, seen.id)
      return seen
    }
  }
}

/** The answer shows every token of the caller: the new one is the only one with our marker that is not an old one. */
function onlyNew(
  { marker, session, status, isOwned }: Context,
  rows: readonly TokenRecord[],
): SeenApiToken | undefined {
  const old = new Set(status?.retiring?.map((each) => each.id))
  const [only, ...others] = rows.filter(
    (row) => markerIn(row.description) === marker && !old.has(String(row.id)) && !isOwned(String(row.id)),
  )
  return only === undefined || others.length > 0 ? undefined : seenApiToken(only, rows, session)
}

function afterUpdate(
  seen: SeenApiToken,
  { description, billingAccount, restricted }: TokenWish,
): SeenApiToken {
  return { ...seen, label: description, billingAccount, restricted: restricted || seen.restricted === true }
}
