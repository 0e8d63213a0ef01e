/** Private networks, with who is in them. */
import type { Caller, Network } from '../state/model.ts'
import { membersOf } from '../state/networks.ts'
import { vmTime } from '../time.ts'

export function networkRecords(caller: Caller, networks: readonly Network[]): Record<string, unknown>[] {
  const members = membersOf(caller.world, networks, caller.now)
  return networks.map((network) => {
    const { vms, others } = members.get(network.uuid) ?? { vms: [], others: 0 }
    return {
      uuid: network.uuid,
      name: network.name,
      type: 'private',
      vlan_id: network.vlanId,
      subnet: network.subnet,
      subnet_ipv6: network.subnetIpv6,
      is_default: network.isDefault,
      vm_uuids: vms,
      resources_count: vms.length + others,
      created_at: vmTime(network.createdAt),
      updated_at: vmTime(network.updatedAt),
    }
  })
}
