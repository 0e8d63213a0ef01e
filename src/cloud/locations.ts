/** Data centres of the service. */
import { rows } from './answers.ts'
import type { CloudClient } from './client.ts'
import type { LocationRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { locationSchema } from './schemas.ts'

/** The locations of the service; one of them is the default. */
export function listLocations(
  client: CloudClient,
  options?: ReadOptions,
): Promise<readonly LocationRecord[]> {
  return client.read(
    {
      family: 'config',
      method: 'GET',
      route: 'config/locations',
      answer: rows(locationSchema),
    },
    options,
  )
}
