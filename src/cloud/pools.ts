/** Resource pools (server classes) that host virtual machines. */
import { rows } from './answers.ts'
import type { CloudClient } from './client.ts'
import type { PoolRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { poolSchema } from './schemas.ts'

/** The resource pools of a location. */
export function listPools(
  client: CloudClient,
  location: string,
  options?: ReadOptions,
): Promise<readonly PoolRecord[]> {
  return client.read(
    {
      family: 'pool',
      method: 'GET',
      location,
      route: 'user-resource/host_pool/list',
      answer: rows(poolSchema),
    },
    options,
  )
}
