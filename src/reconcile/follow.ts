/** Objects that name neither account nor location: they are where the object they belong to is. Pure. */
import type { Kind as KindName } from '../api/group.ts'
import type { ObjectStore } from './environment.ts'
import type { CloudResource } from './kind.ts'

/** The reference that lends account and location: what a snapshot is taken of, what an operation is done to. */
export interface Follows {
  readonly kind: KindName
  readonly field: string
  name(object: CloudResource): string
}

type Stores = Readonly<Record<KindName, Pick<ObjectStore, 'get'>>>

/** The object that lends, while it is there. */
export function lenderOf(
  stores: Stores,
  follows: Follows | undefined,
  object: CloudResource,
): CloudResource | undefined {
  return follows && stores[follows.kind].get(`${object.metadata.namespace}/${follows.name(object)}`)
}

/** Whether the object's CloudAccount is being deleted: what has nothing in the cloud yet does not begin with it. */
export function accountLeaves(stores: Stores, follows: Follows | undefined, object: CloudResource): boolean {
  const name = accountNameOf(stores, follows, object)
  const account = stores.CloudAccount.get(`${object.metadata.namespace}/${name ?? ''}`)
  return account?.metadata.deletionTimestamp !== undefined
}

/** Name of the CloudAccount an object uses; undefined while what it follows is not there and never was. */
export function accountNameOf(
  stores: Stores,
  follows: Follows | undefined,
  object: CloudResource,
): string | undefined {
  if (follows === undefined) return object.spec.accountRef?.name ?? 'default'
  const recorded = object.status?.account?.name
  if (recorded !== undefined) return recorded
  const lender = lenderOf(stores, follows, object)
  return lender && (lender.spec.accountRef?.name ?? 'default')
}
