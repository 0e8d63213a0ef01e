/** CloudLoadBalancer: how the pipeline reads, plans, changes and reports load balancers. */
import type { CloudLoadBalancer, LoadBalancerSpec, LoadBalancerStatus } from '../../api/loadbalancer.ts'
import type { TargetRecord } from '../../cloud/records.ts'
import type { KindDefinition, Link, Memory, Patch, WishFacts } from '../../reconcile/kind.ts'
import { markedName } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { actLoadBalancer } from './act.ts'
import {
  planLoadBalancer,
  planLoadBalancerGone,
  type WantedLoadBalancer,
  type WantedNetwork,
  type WantedTargets,
} from './plan.ts'
import { loadBalancerEffect, loadBalancerFacts, type LoadBalancerStep } from './steps.ts'
import { mayBeMade } from './made.ts'
import {
  addressLeft,
  loadBalancerReads,
  namelessAddresses,
  reservedAddress,
  type SeenLoadBalancer,
} from './seen.ts'

export const loadBalancerKind: KindDefinition<
  CloudLoadBalancer,
  WantedLoadBalancer,
  SeenLoadBalancer,
  LoadBalancerStep,
  LoadBalancerStatus
> = {
  kind: 'CloudLoadBalancer',
  type: resourceType('CloudLoadBalancer'),
  noun: 'load balancer',
  reads: loadBalancerReads,
  creation: {
    identity: ({ capabilities }) => (capabilities.loadBalancerNames === true ? 'marker' : 'baseline'),
    candidate: mayBeMade,
    companionsBefore: async (context, want) =>
      want?.reserveAddress === false ? [] : namelessAddresses(context),
  },
  links: ({ spec }) => [...networkLinks(spec), ...targetLinks(spec)],
  secrets: () => [],
  want: ({ metadata, spec }, facts) => {
    const message = misplacedReference(spec, facts)
    if (message !== undefined) return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
    const named = spec.adopt === undefined || spec.name !== undefined
    return {
      is: 'ready',
      want: {
        name: named ? markedName(spec.name ?? metadata.name, facts.marker) : undefined,
        chargedTo: spec.billingAccount ?? facts.session.billingAccount,
        billingAccount: spec.billingAccount,
        network: networkOf(spec, facts),
        reserveAddress: spec.publicIP === 'Reserve',
        rules: spec.rules,
        targets: targetsOf(spec, facts),
        growsLater: facts.session.capabilities.loadBalancerOperations === true,
      },
    }
  },
  plan: planLoadBalancer,
  planGone: planLoadBalancerGone,
  facts: (step, seen) => loadBalancerFacts(step, seen?.id),
  act: (context, step, _want, seen) => actLoadBalancer(context, step, seen),
  effect: loadBalancerEffect,
  report: reportLoadBalancer,
  usability: () => ({ usable: true, reason: 'Available', message: 'The load balancer is available.' }),
  confirm: async (context, operation, seen, object) =>
    object.spec.publicIP === 'Reserve' && context.status?.reservedIP === undefined
      ? reservedAddress(context, operation, seen)
      : { patch: {} },
  leftovers: async (context, object) => {
    const left = await addressLeft(context, object)
    if (left === undefined) return []
    const { address, id, assigned } = left
    const release: LoadBalancerStep[] = assigned ? [{ do: 'unassignAddress', address, id }] : []
    return [...release, { do: 'deleteAddress', address, id }]
  },
  // It holds no data; a reserved address is one that people know, and another would not be it.
  remakes: ({ spec, status }) => spec.publicIP !== 'Reserve' && status?.reservedIP === undefined,
}

function networkLinks({ networkRef }: LoadBalancerSpec): readonly Link[] {
  if (networkRef === undefined) return []
  return [{ field: 'spec.networkRef', kind: 'CloudNetwork', name: networkRef.name, needed: 'create' }]
}

function targetLinks({ targets = [] }: LoadBalancerSpec): readonly Link[] {
  return targets.map(({ name }) => ({ field: targetField(name), kind: 'CloudVM', name, needed: 'always' }))
}

function targetField(name: string): string {
  return `spec.targets[${name}]`
}

function networkOf(spec: LoadBalancerSpec, facts: WishFacts): WantedNetwork {
  const state = facts.link('spec.networkRef')
  switch (state?.state) {
    case 'ready':
      return { is: 'ready', id: state.id }
    case 'waiting':
      return { is: 'waiting', message: state.message }
    case 'leaving': {
      const message = `spec.networkRef: CloudNetwork ${spec.networkRef?.name ?? ''} is being deleted; refer to another`
      return { is: 'waiting', message }
    }
    case undefined:
      return { is: 'default' }
  }
}

/** Those that are being deleted count as absent. */
function targetsOf({ targets }: LoadBalancerSpec, facts: WishFacts): WantedTargets | undefined {
  if (targets === undefined) return undefined
  const states = targets.map(({ name }) => ({ name, state: facts.link(targetField(name)) }))
  return {
    ready: states.flatMap(({ name, state }) => (state?.state === 'ready' ? [{ name, id: state.id }] : [])),
    waiting: states.flatMap(({ name, state }) =>
      state?.state === 'waiting' ? [{ name, message: state.message }] : [],
    ),
  }
}

/** What it refers to must belong to the same user, and be in the same location where the service keeps these apart. */
function misplacedReference(spec: LoadBalancerSpec, facts: WishFacts): string | undefined {
  const { networksByLocation, loadBalancersByLocation } = facts.session.capabilities
  for (const link of [...networkLinks(spec), ...targetLinks(spec)]) {
    const state = facts.link(link.field)
    if (state?.state !== 'ready') continue
    const located =
      loadBalancersByLocation === true && (link.kind === 'CloudVM' || networksByLocation === true)
    const message = misplaced(facts, link.field, state.object, located)
    if (message !== undefined) return message
  }
  return undefined
}

/** Status fields from an observation, in an order that does not follow the list's. */
function reportLoadBalancer(
  seen: SeenLoadBalancer,
  memory: Memory<LoadBalancerStatus>,
  want: WantedLoadBalancer | undefined,
): Patch<LoadBalancerStatus> {
  const nameOf = (id: string) =>
    want?.targets?.ready.find((each) => each.id === id)?.name ??
    memory.status?.targets?.find((each) => each.id === id)?.name
  // Listed twice, one of the two may still be without its address.
  const byID = new Map<string, TargetRecord>()
  for (const target of seen.targets ?? []) byID.set(target.uuid, { ...byID.get(target.uuid), ...target })
  const targets = [...byID.values()].map(({ uuid, address }) => {
    const name = nameOf(uuid)
    return { id: uuid, ...(name !== undefined && { name }), ...(address !== undefined && { address }) }
  })
  const rules = (seen.rules ?? []).map(({ uuid, sourcePort, targetPort }) => ({
    ...(uuid !== undefined && { id: uuid }),
    sourcePort,
    targetPort,
  }))
  return {
    ...(seen.privateAddress !== undefined && { privateAddress: seen.privateAddress }),
    ...(seen.rules !== undefined && { rules: rules.sort((a, b) => a.sourcePort - b.sourcePort) }),
    ...(seen.targets !== undefined && {
      targets: targets.sort((a, b) => a.id.localeCompare(b.id)),
      targetCount: targets.length,
    }),
  }
}
