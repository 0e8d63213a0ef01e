/** Targets, wishes and observations that the tables are made of. */
import type { FloatingIpStatus } from '../../../../src/api/floatingip.ts'
import type { FloatingIpStep, Target, WantedFloatingIp } from '../../../../src/kinds/floatingip/plan.ts'
import type { SeenFloatingIp } from '../../../../src/kinds/floatingip/seen.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'

export const web: Target = { kind: 'CloudVM', name: 'web', id: 'vm-web' }
export const other: Target = { kind: 'CloudVM', name: 'other', id: 'vm-other' }
export const front: Target = { kind: 'CloudLoadBalancer', name: 'front', id: 'lb-front' }

export const want: WantedFloatingIp = {
  name: 'a-mark',
  chargedTo: 7,
  billingAccount: undefined,
  target: { is: 'nothing' },
  assignsLoadBalancers: true,
  observes: false,
}
export const seen: SeenFloatingIp = {
  id: '41',
  address: '203.0.113.7',
  label: 'a-mark',
  billingAccount: 7,
  assigned: undefined,
}

export const to = (target: Target): Partial<WantedFloatingIp> => ({ target: { is: 'ready', ...target } })
export const later: Partial<WantedFloatingIp> = { target: { is: 'waiting', message: 'spec.vmRef: not yet' } }
export const on = (target: Target): Partial<SeenFloatingIp> => ({
  assigned: { to: target.id, type: 'virtual_machine' },
})

/** Status after we assigned it to this target. */
export const ours = ({ kind, name, id }: Target): FloatingIpStatus => ({ assignedTo: { kind, name, id } })
export const assigning = ({ kind, name, id }: Target): FloatingIpStatus => ({
  operation: { id: 'op', verb: 'assign', issuedAt: '', details: { to: id, kind, name } },
})
export const remembering = (status: FloatingIpStatus | undefined): Memory<FloatingIpStatus> => ({
  status,
  appliedBefore: false,
})

export const unassign = (target: Target): FloatingIpStep => ({ do: 'unassign', from: target.id })
export const assign = (target: Target): FloatingIpStep => ({ do: 'assign', target })
