/** Locations and host pools. */
import type { Route } from '../http/route.ts'
import { locationRecord, poolRecord } from '../records/location.ts'
import { findLocation, locations } from '../state/locations.ts'

export const locationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/config/locations',
    family: 'location',
    slug: 'extended',
    reads: 'none',
    handle: ({ world }) => ({
      status: 200,
      body: locations.map((location, index) => locationRecord(location, index + 1, world.profile)),
    }),
  },
  {
    method: 'GET',
    path: '/user-resource/host_pool/list',
    family: 'vm',
    slug: 'both',
    reads: 'none',
    handle: ({ world, location }) => ({
      status: 200,
      body: (findLocation(location)?.pools ?? []).map((pool) => poolRecord(pool, world)),
    }),
  },
]
