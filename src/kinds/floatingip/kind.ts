/** CloudFloatingIP: how the pipeline reads, plans, changes and reports public addresses. */
import type { CloudFloatingIP, FloatingIpSpec, FloatingIpStatus } from '../../api/floatingip.ts'
import type { KindDefinition, Link, WishFacts } from '../../reconcile/kind.ts'
import { markedName } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { actFloatingIp } from './act.ts'
import {
  floatingIpEffect,
  floatingIpFacts,
  floatingIpRefusedWait,
  planFloatingIp,
  planFloatingIpGone,
  reportFloatingIp,
  type FloatingIpStep,
  type TargetKind,
  type WantedFloatingIp,
  type WantedTarget,
} from './plan.ts'
import { byAddress, floatingIpReads, type SeenFloatingIp } from './seen.ts'

export const floatingIpKind: KindDefinition<
  CloudFloatingIP,
  WantedFloatingIp,
  SeenFloatingIp,
  FloatingIpStep,
  FloatingIpStatus
> = {
  kind: 'CloudFloatingIP',
  type: resourceType('CloudFloatingIP'),
  noun: 'floating IP',
  reads: floatingIpReads,
  creation: {
    identity: () => 'marker',
    candidate: (want, row) => row.label === want.name,
  },
  links: ({ spec }) => {
    const link = targetLink(spec)
    return link === undefined ? [] : [link]
  },
  secrets: () => [],
  want: ({ metadata, spec }, facts) => {
    const message = misplacedTarget(spec, facts)
    if (message !== undefined) return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
    const named = spec.adopt === undefined || spec.name !== undefined
    const observes = spec.lifecycle?.management === 'ObserveOnly'
    return {
      is: 'ready',
      want: {
        name: named ? markedName(spec.name ?? metadata.name, facts.marker) : undefined,
        chargedTo: spec.billingAccount ?? facts.session.billingAccount,
        billingAccount: spec.billingAccount,
        target: targetOf(spec, facts, observes),
        assignsLoadBalancers: facts.session.capabilities.loadBalancerOperations !== false,
        observes,
      },
    }
  },
  plan: planFloatingIp,
  planGone: planFloatingIpGone,
  facts: floatingIpFacts,
  act: (context, step, _want, seen) => actFloatingIp(context, step, seen),
  effect: floatingIpEffect,
  refusedWait: floatingIpRefusedWait,
  report: reportFloatingIp,
  usability: (seen) =>
    seen.enabled === false
      ? { usable: false, reason: 'Available', message: 'The service has disabled the address.' }
      : { usable: true, reason: 'Available', message: 'The address is available.' },
  adoptID: ({ address }) => address,
  findToAdopt: byAddress,
  keyIsReused: true,
  // People and names elsewhere point to the address, and another one would not be it.
  remakes: () => false,
}

interface TargetLink extends Link {
  readonly kind: TargetKind
}

/** The one reference of an address; none where it is assigned to nothing. */
function targetLink({ vmRef, loadBalancerRef }: FloatingIpSpec): TargetLink | undefined {
  if (vmRef !== undefined) return { field: 'spec.vmRef', kind: 'CloudVM', name: vmRef.name, needed: 'always' }
  if (loadBalancerRef === undefined) return undefined
  const { name } = loadBalancerRef
  return { field: 'spec.loadBalancerRef', kind: 'CloudLoadBalancer', name, needed: 'always' }
}

function targetOf(spec: FloatingIpSpec, facts: WishFacts, observes: boolean): WantedTarget {
  const link = targetLink(spec)
  if (link === undefined) return { is: observes ? 'unmanaged' : 'nothing' }
  const state = facts.link(link.field)
  switch (state?.state) {
    case 'ready':
      return { is: 'ready', kind: link.kind, name: link.name, id: state.id }
    case 'waiting':
      return { is: 'waiting', message: state.message }
    case 'leaving':
    case undefined:
      return { is: 'nothing' }
  }
}

/** An address is assigned only to what is in its own location, where the service keeps the two by location. */
function misplacedTarget(spec: FloatingIpSpec, facts: WishFacts): string | undefined {
  const link = targetLink(spec)
  const state = link && facts.link(link.field)
  if (link === undefined || state?.state !== 'ready') return undefined
  const located = link.kind === 'CloudVM' || facts.session.capabilities.loadBalancersByLocation === true
  return misplaced(facts, link.field, state.object, located)
}
