/** Private networks. */
import { z } from 'zod'
import { bodiless, many, one, shape, uuid, vmTime, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const networkOperations = [
  'GET /network/networks',
  'GET /network/network/{network_uuid}',
  'POST /network/network',
  'PUT /network/network/{network_uuid}/default',
  'PATCH /network/network/{network_uuid}',
  'DELETE /network/network/{network_uuid}',
] as const

const network = shape({
  uuid,
  name: z.string(),
  type: z.literal('private'),
  vlan_id: whole,
  subnet: z.cidrv4(),
  subnet_ipv6: z.cidrv6(),
  is_default: z.boolean(),
  vm_uuids: z.array(uuid),
  resources_count: whole,
  created_at: vmTime,
  updated_at: vmTime,
})

export function networksClient({ send, dialect }: Wire) {
  const path = (id: string) => ({ path: { network_uuid: id } })
  return {
    list: async () => many(await send('GET /network/networks'), dialect, network),
    get: async (id: string) =>
      one(await send('GET /network/network/{network_uuid}', path(id)), dialect, network),
    /** The name is a query parameter; without one the answer is the default network. */
    create: async (name?: string) =>
      one(await send('POST /network/network', { query: { name } }), dialect, network),
    makeDefault: async (id: string) =>
      one(await send('PUT /network/network/{network_uuid}/default', path(id)), dialect, network),
    rename: async (id: string, name: string) =>
      one(
        await send('PATCH /network/network/{network_uuid}', { ...path(id), json: { name } }),
        dialect,
        network,
      ),
    delete: async (id: string) => bodiless(await send('DELETE /network/network/{network_uuid}', path(id))),
  }
}
