/** Private networks. */
import type { ApiCall, Reply, Route } from '../http/route.ts'
import { networkRecords } from '../records/network.ts'
import type { Network } from '../state/model.ts'
import {
  createNetwork,
  deleteNetwork,
  networkOf,
  networksOf,
  renameNetwork,
  setDefaultNetwork,
} from '../state/networks.ts'

const common = { family: 'network', slug: 'extended' } as const

export const networkRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/network/networks',
    reads: 'none',
    handle: (call) => ({ status: 200, body: networkRecords(call, networksOf(call)) }),
  },
  {
    ...common,
    method: 'POST',
    path: '/network/network',
    reads: 'none',
    handle: (call) => {
      const { query } = call
      const network = createNetwork(
        call,
        query.text('name') === undefined ? undefined : query.requiredText('name'),
      )
      return { ...one(call, network), status: call.world.profile === 'extended' ? 201 : 200 }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/network/network/:uuid',
    reads: 'none',
    handle: (call) => one(call, networkOf(call, uuidOf(call))),
  },
  {
    ...common,
    method: 'PUT',
    path: '/network/network/:uuid/default',
    reads: 'none',
    handle: (call) => one(call, setDefaultNetwork(call, uuidOf(call))),
  },
  {
    ...common,
    method: 'PATCH',
    path: '/network/network/:uuid',
    reads: 'json',
    handle: (call) => one(call, renameNetwork(call, uuidOf(call), call.body.requiredText('name'))),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/network/network/:uuid',
    reads: 'none',
    handle: (call) => {
      deleteNetwork(call, uuidOf(call))
      return { status: 200 }
    },
  },
]

function uuidOf(call: ApiCall): string {
  return call.params['uuid'] ?? ''
}

function one(call: ApiCall, network: Network): Reply {
  return { status: 200, body: networkRecords(call, [network])[0] }
}
