/** Floating IPs. Deployed records leave out what the documented ones show as null. */
import type { Caller, FloatingIp } from '../state/model.ts'
import { vmTime } from '../time.ts'

export function ipRecord(caller: Caller, ip: FloatingIp): Record<string, unknown> {
  const extended = caller.world.profile === 'extended'
  return {
    id: ip.id,
    address: ip.address,
    user_id: ip.userId,
    billing_account_id: ip.billingAccount,
    type: 'public',
    network_id: null,
    ...((!extended || ip.name !== '') && { name: ip.name }),
    enabled: ip.enabled,
    is_deleted: ip.deletedAt !== null,
    ...(!extended && { is_virtual: false }),
    ...(extended && { uuid: ip.uuid }),
    ...assignment(caller, ip),
    created_at: vmTime(ip.createdAt),
    updated_at: vmTime(ip.updatedAt),
  }
}

/** What unassigning answers. */
export function unassignedRecord(caller: Caller, ip: FloatingIp): Record<string, unknown> {
  return {
    ...ipRecord(caller, ip),
    uuid: ip.uuid,
    assigned_to: null,
    unassigned_at: vmTime(ip.unassignedAt ?? caller.now),
  }
}

/** Of the three only assigned_to can be null: the others of a free address are empty, or left out as deployed. */
function assignment(caller: Caller, ip: FloatingIp): Record<string, unknown> {
  const { world } = caller
  if (ip.assignedTo === null && world.profile === 'extended')
    return ip.everAssigned ? { assigned_to: null } : {}
  if (ip.assignedTo === null)
    return { assigned_to: null, assigned_to_resource_type: '', assigned_to_private_ip: '' }
  const privateIp =
    world.vms.get(ip.assignedTo)?.privateIpv4 ?? world.loadBalancers.get(ip.assignedTo)?.privateAddress ?? ''
  const type =
    ip.assignedType === 'load_balancer' && world.profile === 'documented' ? 'service' : ip.assignedType
  return { assigned_to: ip.assignedTo, assigned_to_resource_type: type, assigned_to_private_ip: privateIp }
}
