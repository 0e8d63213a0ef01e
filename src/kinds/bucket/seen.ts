/** A bucket as the cloud has it, in this kind's terms. Its name is its identity, together with its creation time. */
import type { BucketStatus } from '../../api/bucket.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { getBucket, getS3 } from '../../cloud/buckets.ts'
import type { BucketRecord } from '../../cloud/records.ts'
import type { Reads, Seen } from '../../reconcile/kind.ts'

export interface SeenBucket extends Seen {
  readonly objects?: number
  readonly sizeBytes?: number
  readonly suspended?: boolean
  /** Address of the object storage API; read only while the status has none. */
  readonly endpoint?: string
}

export function seenBucket(record: BucketRecord): SeenBucket {
  return {
    id: record.name,
    showsLabel: false,
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
    return snapshot.rows.map(seenBucket)
  },
  row: async (context, id) => {
    const snapshot = await context.session.inventory.list('bucket', undefined, context.freshness)
    const record = snapshot.byID.get(id)
    return record && seenBucket(record)
  },
  exact: async (context, id) => {
    const { client, inventory } = context.session
    const record = await orAbsent(getBucket(client, id))
    if (record === undefined) return undefined
    inventory.note('bucket', undefined, record)
    if (context.status?.endpoint !== undefined) return seenBucket(record)
    return { ...seenBucket(record), endpoint: (await getS3(client)).url }
  },
}
