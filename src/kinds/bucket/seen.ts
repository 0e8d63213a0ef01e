/** A bucket as the cloud has it, in this kind's terms. Its name is its identity, together with its creation time. */
import type { BucketStatus } from '../../api/bucket.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { getBucket } from '../../cloud/buckets.ts'
import type { BucketRecord } from '../../cloud/records.ts'
import type { Reads, Seen } from '../../reconcile/kind.ts'
import type { Session } from '../../reconcile/session.ts'

export interface SeenBucket extends Seen {
  readonly objects?: number
  readonly sizeBytes?: number
  readonly suspended?: boolean
  /** Address of the object storage API. */
  readonly endpoint?: string
}

export function seenBucket(record: BucketRecord, session: Session): SeenBucket {
  return {
    id: record.name,
    showsLabel: false,
    ...(session.objectStorageURL !== undefined && { endpoint: session.objectStorageURL }),
    ...(record.createdAt !== undefined && { createdAt: record.createdAt }),
    ...(record.billingAccount !== undefined && { billingAccount: record.billingAccount }),
    ...(record.objects !== undefined && { objects: record.objects }),
    ...(record.sizeBytes !== undefined && { sizeBytes: record.sizeBytes }),
    ...(record.suspended !== undefined && { suspended: record.suspended }),
  }
}

/** Buckets belong to no location. */
export const bucketReads: Reads<SeenBucket, BucketStatus> = {
  hasExact: () => true,
  rows: async (context) => {
    const snapshot = await context.session.inventory.list('bucket', undefined, context.freshness)
    return snapshot.rows.map((record) => seenBucket(record, context.session))
  },
  row: async (context, id) => {
    const snapshot = await context.session.inventory.list('bucket', undefined, context.freshness)
    const record = snapshot.byID.get(id)
    return record && seenBucket(record, context.session)
  },
  exact: async (context, id) => {
    const { client, inventory } = context.session
    const record = await orAbsent(getBucket(client, id))
    if (record === undefined) return undefined
    inventory.note('bucket', undefined, record)
    return seenBucket(record, context.session)
  },
}
