/** Floating IPs: JSON bodies, the address in the path. Location-specific. */
import { z } from 'zod'
import { empty, ipv4, many, one, shape, uuid, vmTime, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const floatingIpOperations = [
  'POST /network/ip_addresses',
  'GET /network/ip_addresses',
  'GET /network/ip_addresses/{public_ipv4_address}',
  'PATCH /network/ip_addresses/{public_ipv4_address}',
  'DELETE /network/ip_addresses/{public_ipv4_address}',
  'POST /network/ip_addresses/{public_ipv4_address}/assign',
  'POST /network/ip_addresses/{public_ipv4_address}/unassign',
] as const

const fields = {
  id: whole,
  address: ipv4,
  user_id: whole,
  billing_account_id: whole,
  type: z.literal('public'),
  network_id: whole.nullable(),
  name: z.string(),
  enabled: z.boolean(),
  is_deleted: z.boolean(),
  is_virtual: z.boolean(),
  assigned_to: uuid.nullable(),
  assigned_to_resource_type: z.string(),
  assigned_to_private_ip: z.string(),
  created_at: vmTime,
  updated_at: vmTime,
}
/** What deployments leave out of an address that was never assigned or named. */
const lacks = [
  'name',
  'is_virtual',
  'assigned_to',
  'assigned_to_resource_type',
  'assigned_to_private_ip',
] as const

const floatingIp = shape(fields, { lacks, adds: { uuid, unassigned_at: vmTime } })
const unassigned = shape(
  { ...fields, assigned_to: z.null(), unassigned_at: vmTime, uuid },
  { lacks: ['name', 'is_virtual', 'assigned_to_resource_type', 'assigned_to_private_ip'] },
)

export function floatingIpsClient({ send, dialect }: Wire) {
  const at = (address: string) => ({ path: { public_ipv4_address: address } })
  const path = '/network/ip_addresses/{public_ipv4_address}'
  return {
    create: async (json: { billing_account_id: number; name?: string }) =>
      one(await send('POST /network/ip_addresses', { json }), dialect, floatingIp),
    list: async (query: { billing_account_id?: number; vm_uuid?: string } = {}) =>
      many(await send('GET /network/ip_addresses', { query: { ...query } }), dialect, floatingIp),
    get: async (address: string) => one(await send(`GET ${path}`, at(address)), dialect, floatingIp),
    change: async (address: string, json: { billing_account_id?: number; name?: string }) =>
      one(await send(`PATCH ${path}`, { ...at(address), json }), dialect, floatingIp),
    delete: async (address: string) => empty(await send(`DELETE ${path}`, at(address)), 200),
    assign: async (address: string, vm: string) =>
      one(await send(`POST ${path}/assign`, { ...at(address), json: { vm_uuid: vm } }), dialect, floatingIp),
    unassign: async (address: string) =>
      one(await send(`POST ${path}/unassign`, at(address)), dialect, unassigned),
  }
}
