/** Floating IPs: JSON bodies, the address in the path. */
import type { ApiCall, Route } from '../http/route.ts'
import { rowsOf } from '../http/rows.ts'
import { ipRecord, unassignedRecord } from '../records/floatingip.ts'
import { assignIp, changeIp, createIp, deleteIp, ipOf, ipsToShow, unassignIp } from '../state/floatingips.ts'
import { Refusal } from '../state/refusal.ts'

const common = { family: 'floatingIp', slug: 'both' } as const

export const floatingIpRoutes: readonly Route[] = [
  {
    ...common,
    method: 'POST',
    path: '/network/ip_addresses',
    reads: 'json',
    handle: (call) => {
      const ip = createIp(call, call.body.requiredWhole('billing_account_id'), call.body.text('name') ?? '')
      return { status: call.world.profile === 'extended' ? 201 : 200, body: ipRecord(call, ip) }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/network/ip_addresses',
    reads: 'none',
    handle: (call) => {
      const billing = call.query.whole('billing_account_id')
      const vm = vmFilter(call)
      const chosen = ipsToShow(call).filter(
        (ip) =>
          (billing === undefined || ip.billingAccount === billing) &&
          (vm === undefined || ip.assignedTo === vm),
      )
      return { status: 200, rows: rowsOf(chosen, (ip) => ipRecord(call, ip)) }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/network/ip_addresses/:address',
    reads: 'none',
    handle: (call) => ({ status: 200, body: ipRecord(call, ipOf(call, addressOf(call))) }),
  },
  {
    ...common,
    method: 'PATCH',
    path: '/network/ip_addresses/:address',
    reads: 'json',
    requiresNothing: true,
    handle: (call) => {
      const change = { name: call.body.text('name'), billingAccount: call.body.whole('billing_account_id') }
      return { status: 200, body: ipRecord(call, changeIp(call, addressOf(call), change)) }
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/network/ip_addresses/:address',
    reads: 'none',
    handle: (call) => {
      deleteIp(call, addressOf(call))
      return { status: 200 }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/network/ip_addresses/:address/assign',
    reads: 'json',
    handle: (call) => {
      const { target, type } = assignee(call)
      return { status: 200, body: ipRecord(call, assignIp(call, addressOf(call), target, type)) }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/network/ip_addresses/:address/unassign',
    reads: 'none',
    handle: (call) => ({ status: 200, body: unassignedRecord(call, unassignIp(call, addressOf(call))) }),
  },
]

/** Fits nothing when no such VM has an address; what is no id at all is refused. */
function vmFilter({ query }: ApiCall): string | undefined {
  const uuid = query.text('vm_uuid')
  if (uuid === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) return uuid
  throw new Refusal('Must be a UUID', { field: 'vm_uuid' })
}

function addressOf(call: ApiCall): string {
  return call.params['address'] ?? ''
}

const targetTypes = ['virtual_machine', 'load_balancer', 'service']

/** A VM by `vm_uuid`; deployments also take any target with its type. */
function assignee({ body, world }: ApiCall): { target: string; type: string } {
  const target = world.profile === 'extended' ? body.text('assigned_to') : undefined
  if (target === undefined) return { target: body.requiredText('vm_uuid'), type: 'virtual_machine' }
  const type = body.requiredText('assigned_to_resource_type')
  if (targetTypes.includes(type)) return { target, type }
  throw new Refusal(`Must be one of ${targetTypes.join(', ')}`, { field: 'assigned_to_resource_type' })
}
