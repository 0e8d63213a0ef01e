/** Carries out one step: one switch, one changing HTTP call each. */
import type { AccessKeyStatus } from '../../api/accesskey.ts'
import { createAccessKey, deleteAccessKey, listAccessKeys, makeStorageUser } from '../../cloud/accesskeys.ts'
import type { AccessKeyRecord } from '../../cloud/records.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { cameAfter } from '../../reconcile/look.ts'
import { needed } from '../../reconcile/needed.ts'
import type { AccessKeyStep } from './plan.ts'
import { seenAccessKey, type SeenAccessKey } from './seen.ts'

type Context = CallContext<AccessKeyStatus>

/** Undefined: one was made, and the answer does not show which one it is. */
export async function actAccessKey(
  context: Context,
  step: AccessKeyStep,
  before: SeenAccessKey | undefined,
): Promise<SeenAccessKey | undefined> {
  const { client, inventory } = context.session
  switch (step.do) {
    case 'create':
      return onlyNew(context, await made(context))
    case 'retire': {
      await deleteAccessKey(client, step.id, context.send)
      inventory.forget('accessKey', undefined, step.id)
      return needed(before)
    }
    case 'delete': {
      const seen = needed(before)
      await deleteAccessKey(client, seen.id, context.send)
      inventory.forget('accessKey', undefined, seen.id)
      return seen
    }
  }
}

/** Where the object storage has no user yet, the pair that is made with the user is the one wanted. */
async function made({ session: { client }, send }: Context): Promise<readonly AccessKeyRecord[]> {
  const existing = await listAccessKeys(client, { lane: 'change' })
  return existing === undefined ? makeStorageUser(client, send) : createAccessKey(client, send)
}

/** A new pair may stand anywhere in the answer: it is the one that was not there before and belongs to nobody. */
function onlyNew(
  { session, status, isOwned }: Context,
  rows: readonly AccessKeyRecord[],
): SeenAccessKey | undefined {
  for (const row of rows) session.inventory.note('accessKey', undefined, row)
  const operation = needed(needed(status).operation)
  const old = new Set(status?.retiring?.map((each) => each.id))
  const [only, ...others] = rows.filter(
    (row) => cameAfter(operation, row) && !isOwned(row.id) && !old.has(row.id),
  )
  if (only === undefined || others.length > 0) return undefined
  return seenAccessKey(
    only.id,
    rows.map((row) => row.id),
  )
}
