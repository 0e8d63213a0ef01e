/** Every operation of the interface, and those that only deployments have. */
import type { Route } from '../http/route.ts'
import { bucketRoutes } from './buckets.ts'
import { locationRoutes } from './locations.ts'
import { networkRoutes } from './networks.ts'
import { userRoutes } from './users.ts'

export const routes: readonly Route[] = [...userRoutes, ...locationRoutes, ...networkRoutes, ...bucketRoutes]
