/** An account as the service has it: the user of the key, and what the service offers. Reads only. */
import type { CloudClient } from '../../cloud/client.ts'
import { getS3, readMaxBuckets } from '../../cloud/buckets.ts'
import { isCloudError } from '../../cloud/errors.ts'
import { listLocations } from '../../cloud/locations.ts'
import type { LocationRecord, PoolRecord, UserRecord } from '../../cloud/records.ts'
import { getUser } from '../../cloud/user.ts'
import { listPools } from '../../cloud/pools.ts'

export interface SeenAccount {
  readonly user: UserRecord
  readonly locations: readonly LocationRecord[]
  readonly pools: ReadonlyMap<string, readonly PoolRecord[]>
  /** Absent where object storage is not offered or not enabled. */
  readonly objectStorage?: { readonly url: string; readonly maxBuckets?: number }
}

/** Everything about the account, in a handful of reads. Throws CloudError. */
export async function readAccount(client: CloudClient): Promise<SeenAccount> {
  const user = await getUser(client)
  const locations = await listLocations(client)
  const pools = new Map<string, readonly PoolRecord[]>()
  for (const { slug } of locations) pools.set(slug, await listPools(client, slug))
  const objectStorage = await readObjectStorage(client)
  return { user, locations, pools, ...(objectStorage && { objectStorage }) }
}

/** Without it only buckets are affected, and they say so themselves. */
async function readObjectStorage(client: CloudClient): Promise<SeenAccount['objectStorage']> {
  const s3 = await offered(() => getS3(client))
  if (s3 === undefined) return undefined
  const maxBuckets = await offered(() => readMaxBuckets(client))
  return { url: s3.url, ...(maxBuckets !== undefined && { maxBuckets }) }
}

async function offered<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isCloudError(error, 'refused') || isCloudError(error, 'absent')) return undefined
    throw error
  }
}
