/** Network load balancers. Only list and create are part of the interface; the others are as deployed. */
import type { ApiCall, Reply, Route } from '../http/route.ts'
import type { Fields } from '../http/fields.ts'
import { loadBalancerRecord } from '../records/loadbalancer.ts'
import {
  addRule,
  addTarget,
  createLoadBalancer,
  deleteLoadBalancer,
  loadBalancersOf,
  loadBalancerToShow,
  removeRule,
  removeTarget,
  renameLoadBalancer,
  setLoadBalancerBilling,
  type NewRule,
} from '../state/loadbalancers.ts'
import type { LoadBalancer, Profile } from '../state/model.ts'
import { Refusal, refuse } from '../state/refusal.ts'

const common = { family: 'loadBalancer', slug: 'extended' } as const

const documented: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/network/load_balancers',
    reads: 'none',
    handle: (call) => ({
      status: 200,
      body: loadBalancersOf(call, call.query.flag('all') ?? false).map((balancer) =>
        loadBalancerRecord(call.world, balancer),
      ),
    }),
  },
  {
    ...common,
    method: 'POST',
    path: '/network/load_balancers',
    reads: 'json',
    handle: (call) => {
      const { body, world } = call
      const balancer = createLoadBalancer(call, {
        displayName: body.requiredText('display_name'),
        billingAccount: body.whole('billing_account_id'),
        networkUuid: body.requiredText('network_uuid'),
        reservePublicIp: body.flagOrWord('reserve_public_ip') ?? true,
        rules: (body.list('rules') ?? []).map(ruleOf),
        targets: (body.list('targets') ?? withoutTargets(world.profile)).map(targetOf),
      })
      const status = world.profile === 'extended' ? 201 : 200
      return world.rules.loadBalancerCreateAnswer === 'empty'
        ? { status }
        : { ...one(call, balancer), status }
    },
  },
]

const asDeployed: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/network/load_balancers/:uuid',
    reads: 'none',
    handle: (call) => one(call, loadBalancerToShow(call, param(call, 'uuid'))),
  },
  {
    ...common,
    method: 'PATCH',
    path: '/network/load_balancers/:uuid',
    reads: 'json',
    handle: (call) =>
      one(call, renameLoadBalancer(call, param(call, 'uuid'), call.body.requiredText('display_name'))),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid',
    reads: 'none',
    handle: (call) => {
      deleteLoadBalancer(call, param(call, 'uuid'))
      return { status: 200 }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/network/load_balancers/:uuid/targets',
    reads: 'json',
    handle: (call) => one(call, addTarget(call, param(call, 'uuid'), targetOf(call.body))),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid/targets/:target',
    reads: 'none',
    handle: (call) => {
      removeTarget(call, param(call, 'uuid'), param(call, 'target'))
      return { status: 204 }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/network/load_balancers/:uuid/forwarding_rules',
    reads: 'json',
    handle: (call) => {
      const rule = ruleOf(call.body)
      addRule(call, param(call, 'uuid'), rule)
      return {
        status: 200,
        body: { source_port: rule.sourcePort, target_port: rule.targetPort, protocol: 'TCP' },
      }
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid/forwarding_rules/:rule',
    reads: 'none',
    handle: (call) => {
      removeRule(call, param(call, 'uuid'), param(call, 'rule'))
      return { status: 204 }
    },
  },
  {
    ...common,
    method: 'PUT',
    path: '/network/load_balancers/:uuid/billing_account',
    reads: 'json',
    handle: (call) => {
      const id = call.query.whole('set_id') ?? call.body.requiredWhole('set_id')
      return one(call, setLoadBalancerBilling(call, param(call, 'uuid'), id))
    },
  },
]

export const loadBalancerRoutes: readonly Route[] = [
  ...documented,
  ...asDeployed.map((route) => ({ ...route, loadBalancerOperation: true })),
]

/** Deployments break down on it. */
function withoutTargets(profile: Profile): never {
  if (profile === 'extended') refuse('Internal server error', { status: 500 })
  return refuse('This field is required', { field: 'targets' })
}

function param(call: ApiCall, name: string): string {
  return call.params[name] ?? ''
}

function one(call: ApiCall, balancer: LoadBalancer): Reply {
  return { status: 200, body: loadBalancerRecord(call.world, balancer) }
}

function ruleOf(fields: Fields): NewRule {
  return { sourcePort: fields.requiredWhole('source_port'), targetPort: fields.requiredWhole('target_port') }
}

function targetOf(fields: Fields): string {
  if (fields.requiredText('target_type') !== 'vm') throw new Refusal('Must be vm', { field: 'target_type' })
  return fields.requiredText('target_uuid')
}
