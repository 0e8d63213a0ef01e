/** Load balancers with their rules and targets. */
import type { LoadBalancer, World } from '../state/model.ts'
import { vmTime } from '../time.ts'

export function loadBalancerRecord(world: World, balancer: LoadBalancer): Record<string, unknown> {
  return {
    uuid: balancer.uuid,
    ...(world.profile === 'extended' && {
      display_name: balancer.displayName,
      deleted_at: balancer.deletedAt === null ? null : vmTime(balancer.deletedAt),
    }),
    network_uuid: balancer.networkUuid,
    user_id: balancer.userId,
    billing_account_id: balancer.billingAccount,
    private_address: balancer.privateAddress,
    is_deleted: balancer.deletedAt !== null,
    forwarding_rules: balancer.rules.map((rule) => ({
      uuid: rule.uuid,
      protocol: 'TCP',
      source_port: rule.sourcePort,
      target_port: rule.targetPort,
      settings: { connection_limit: 10000, session_persistence: 'SOURCE_IP' },
      created_at: vmTime(rule.createdAt),
    })),
    targets: balancer.targets.map((target) => ({
      target_uuid: target.vm,
      target_type: 'vm',
      target_ip_address: world.vms.get(target.vm)?.privateIpv4 ?? null,
      created_at: vmTime(target.createdAt),
    })),
    created_at: vmTime(balancer.createdAt),
    updated_at: vmTime(balancer.updatedAt),
  }
}
