/** Wishes and observations that the tables are made of. */
import type { LoadBalancerStatus } from '../../../../src/api/loadbalancer.ts'
import type { WantedLoadBalancer } from '../../../../src/kinds/loadbalancer/plan.ts'
import type { LoadBalancerStep } from '../../../../src/kinds/loadbalancer/steps.ts'
import type { SeenLoadBalancer } from '../../../../src/kinds/loadbalancer/seen.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'
import type { Plan } from '../../../../src/reconcile/plan.ts'

export const a = { name: 'a', id: 'vm-a' }
export const b = { name: 'b', id: 'vm-b' }
export const c = { name: 'c', message: 'spec.targets[c]: CloudVM c does not exist yet' }

export const http = { sourcePort: 80, targetPort: 8080 }
export const https = { sourcePort: 443, targetPort: 8443 }

export const want: WantedLoadBalancer = {
  name: 'web-mark',
  chargedTo: 7,
  billingAccount: undefined,
  network: { is: 'ready', id: 'net' },
  reserveAddress: false,
  rules: [http, https],
  targets: { ready: [a], waiting: [] },
  growsLater: true,
}

export const seen: SeenLoadBalancer = {
  id: 'lb',
  changeable: true,
  label: 'web-mark',
  showsLabel: true,
  networkID: 'net',
  billingAccount: 7,
  rules: [
    { uuid: 'r1', ...http },
    { uuid: 'r2', ...https },
  ],
  targets: [{ uuid: a.id, type: 'vm' }],
}

export const create: Extract<LoadBalancerStep, { do: 'create' }> = {
  do: 'create',
  name: 'web-mark',
  billingAccount: 7,
  networkID: 'net',
  reserveAddress: false,
  rules: [http, https],
  targetIDs: [a.id],
}

export function remembering(status?: LoadBalancerStatus): Memory<LoadBalancerStatus> {
  return { status, appliedBefore: false }
}

/** What a plan says besides its messages. */
export function gist({ steps, wait, block, pending }: Plan<LoadBalancerStep>) {
  return { steps, wait: wait?.reason, block: block?.reason, pending: pending?.reason }
}

export interface Row {
  readonly says: string
  readonly want?: Partial<WantedLoadBalancer>
  readonly seen?: Partial<SeenLoadBalancer>
  readonly status?: LoadBalancerStatus
  readonly steps?: readonly LoadBalancerStep[]
  readonly wait?: string
  readonly block?: string
  readonly pending?: string
}
