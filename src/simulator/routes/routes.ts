/** Every operation of the interface, those that only deployments have, and the two that are named without a shape. */
import type { Route } from '../http/route.ts'
import { bucketRoutes } from './buckets.ts'
import { diskRoutes } from './disks.ts'
import { floatingIpRoutes } from './floatingips.ts'
import { loadBalancerRoutes } from './loadbalancers.ts'
import { gapRoutes } from './gaps.ts'
import { locationRoutes } from './locations.ts'
import { networkRoutes } from './networks.ts'
import { powerRoutes } from './power.ts'
import { storageRoutes } from './storage.ts'
import { tokenRoutes } from './tokens.ts'
import { userRoutes } from './users.ts'
import { vmRoutes } from './vms.ts'

export const routes: readonly Route[] = [
  ...userRoutes,
  ...tokenRoutes,
  ...locationRoutes,
  ...vmRoutes,
  ...powerRoutes,
  ...storageRoutes,
  ...diskRoutes,
  ...bucketRoutes,
  ...networkRoutes,
  ...floatingIpRoutes,
  ...loadBalancerRoutes,
  ...gapRoutes,
]
