/** Network load balancers: list and create are all that the interface has. What a create answers is not shown. */
import { z } from 'zod'
import { ipv4, many, shape, uuid, vmTime, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const loadBalancerOperations = ['GET /network/load_balancers', 'POST /network/load_balancers'] as const

const rule = z.strictObject({
  uuid,
  protocol: z.literal('TCP'),
  source_port: whole,
  target_port: whole,
  settings: z.strictObject({ connection_limit: whole, session_persistence: z.string() }),
  created_at: vmTime,
})

const target = z.strictObject({
  target_uuid: uuid,
  target_type: z.literal('vm'),
  target_ip_address: z.string(),
  created_at: vmTime,
})

const loadBalancer = shape(
  {
    uuid,
    network_uuid: uuid,
    user_id: whole,
    billing_account_id: whole,
    private_address: ipv4,
    is_deleted: z.boolean(),
    forwarding_rules: z.array(rule),
    targets: z.array(target),
    created_at: vmTime,
    updated_at: vmTime,
  },
  { adds: { display_name: z.string(), deleted_at: vmTime.nullable() } },
)

export interface CreateLoadBalancer {
  display_name: string
  billing_account_id: number
  network_uuid: string
  reserve_public_ip: boolean | 'true' | 'false'
  rules: { source_port: number; target_port: number }[]
  targets: { target_uuid: string; target_type: 'vm' }[]
}

export function loadBalancersClient({ send, dialect }: Wire) {
  return {
    list: async (query: { all?: boolean } = {}) =>
      many(await send('GET /network/load_balancers', { query: { ...query } }), dialect, loadBalancer),
    create: async (json: CreateLoadBalancer): Promise<void> => {
      await send('POST /network/load_balancers', { json })
    },
  }
}
