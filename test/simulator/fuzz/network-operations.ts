/** Networks, floating IPs and load balancers. */
import { flag, nothing, sometimes, words, type Operation, type Values } from './operation.ts'
import type { Picks } from './picks.ts'

const network = { sends: 'json', errors: 'message', local: 'extended' } as const
const address = { sends: 'json', errors: 'message', local: 'always' } as const
const balancer = { sends: 'json', errors: 'message', local: 'extended' } as const
const deployedBalancer = { ...balancer, extended: true } as const

export const networkOperations: readonly Operation[] = [
  { ...network, method: 'GET', path: '/network/networks', ask: nothing },
  {
    ...network,
    method: 'GET',
    path: '/network/network/:uuid',
    ask: (picks) => ({ path: [picks.network()] }),
  },
  {
    ...network,
    method: 'POST',
    path: '/network/network',
    ask: (picks) => ({ query: sometimes(picks, { name: words(picks.random.whole(1, 3)) }) }),
  },
  {
    ...network,
    method: 'PUT',
    path: '/network/network/:uuid/default',
    ask: (picks) => ({ path: [picks.network()] }),
  },
  {
    ...network,
    method: 'PATCH',
    path: '/network/network/:uuid',
    ask: (picks) => ({ path: [picks.network()], body: { name: 'back end' } }),
  },
  {
    ...network,
    method: 'DELETE',
    path: '/network/network/:uuid',
    ask: (picks) => ({
      path: [picks.network(({ uuid, isDefault }) => !isDefault && !picks.networkHolds(uuid))],
    }),
  },
  {
    ...address,
    method: 'POST',
    path: '/network/ip_addresses',
    ask: (picks) => ({
      body: { billing_account_id: picks.billing(), ...sometimes(picks, { name: 'front' }) },
    }),
  },
  {
    ...address,
    method: 'GET',
    path: '/network/ip_addresses',
    ask: (picks) => ({
      query: sometimes(picks, { billing_account_id: picks.billing(), vm_uuid: picks.vm() }),
    }),
  },
  {
    ...address,
    method: 'GET',
    path: '/network/ip_addresses/:address',
    ask: (picks) => ({ path: [picks.address()] }),
  },
  {
    ...address,
    method: 'PATCH',
    path: '/network/ip_addresses/:address',
    ask: (picks) => ({
      path: [picks.address()],
      body: sometimes(picks, { billing_account_id: picks.billing(), name: 'back' }),
    }),
  },
  {
    ...address,
    method: 'DELETE',
    path: '/network/ip_addresses/:address',
    ask: (picks) => ({ path: [picks.address()] }),
  },
  {
    ...address,
    method: 'POST',
    path: '/network/ip_addresses/:address/assign',
    ask: (picks) => ({ path: [picks.address((ip) => ip.assignedTo === null)], body: assignee(picks) }),
  },
  {
    ...address,
    method: 'POST',
    path: '/network/ip_addresses/:address/unassign',
    ask: (picks) => ({ path: [picks.address((ip) => ip.assignedTo !== null)] }),
  },
  {
    ...balancer,
    method: 'GET',
    path: '/network/load_balancers',
    ask: (picks) => ({ query: sometimes(picks, { all: flag(picks) }) }),
  },
  {
    ...balancer,
    method: 'POST',
    path: '/network/load_balancers',
    ask: (picks) => ({
      body: {
        display_name: 'front',
        billing_account_id: picks.billing(),
        network_uuid: picks.network(),
        reserve_public_ip: picks.random.chance(0.5),
        rules: Array.from({ length: picks.random.whole(0, 3) }, () => rule(picks)),
        targets: Array.from({ length: picks.random.whole(0, 3) }, () => target(picks)),
      },
    }),
  },
  {
    ...deployedBalancer,
    method: 'GET',
    path: '/network/load_balancers/:uuid',
    ask: (picks) => ({ path: [picks.balancer()] }),
  },
  {
    ...deployedBalancer,
    method: 'PATCH',
    path: '/network/load_balancers/:uuid',
    ask: (picks) => ({ path: [picks.balancer()], body: { display_name: 'renamed' } }),
  },
  {
    ...deployedBalancer,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid',
    ask: (picks) => ({ path: [picks.balancer()] }),
  },
  {
    ...deployedBalancer,
    method: 'POST',
    path: '/network/load_balancers/:uuid/targets',
    ask: (picks) => ({ path: [picks.balancer()], body: target(picks) }),
  },
  {
    ...deployedBalancer,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid/targets/:target',
    ask: (picks) => {
      const uuid = picks.balancer(({ targets }) => targets.length > 0)
      return { path: [uuid, picks.targetOf(uuid)] }
    },
  },
  {
    ...deployedBalancer,
    method: 'POST',
    path: '/network/load_balancers/:uuid/forwarding_rules',
    ask: (picks) => ({ path: [picks.balancer()], body: rule(picks) }),
  },
  {
    ...deployedBalancer,
    method: 'DELETE',
    path: '/network/load_balancers/:uuid/forwarding_rules/:rule',
    ask: (picks) => {
      const uuid = picks.balancer(({ rules }) => rules.length > 0)
      return { path: [uuid, picks.ruleOf(uuid)] }
    },
  },
  {
    ...deployedBalancer,
    method: 'PUT',
    path: '/network/load_balancers/:uuid/billing_account',
    ask: (picks) => ({ path: [picks.balancer()], body: { set_id: picks.billing() } }),
  },
]

function assignee(picks: Picks): Values {
  if (picks.random.chance(0.7)) return { vm_uuid: picks.vm() }
  const type = picks.random.oneOf(['virtual_machine', 'load_balancer', 'service'])
  const target = type === 'virtual_machine' ? picks.vm() : picks.balancer()
  return { assigned_to: target, assigned_to_resource_type: type }
}

function rule({ random }: Picks): Values {
  return { source_port: random.whole(1, 65_535), target_port: random.whole(1, 65_535) }
}

function target(picks: Picks): Values {
  return { target_uuid: picks.vm(), target_type: 'vm' }
}
