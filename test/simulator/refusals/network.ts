/** Private networks, floating IPs and load balancers. */
import { billing } from '../kit.ts'
import { busy } from './machines.ts'
import type { Ids } from './scene.ts'
import { account, accountFilter, flag, id, list, text, whole, type Operation, type Wrong } from './spec.ts'

const networkInPath = { of: 'network', id: (ids: Ids) => ids.network, word: 'Network' } as const
const addressInPath = { of: 'address', id: (ids: Ids) => ids.address, word: 'Ip address' } as const
const balancerInPath = { of: 'balancer', id: (ids: Ids) => ids.balancer, word: 'Load balancer' } as const

const networkOperations: readonly Operation[] = [
  { name: 'GET /network/networks' },
  { name: 'GET /network/network/:uuid', path: networkInPath },
  {
    name: 'POST /network/network',
    carrier: 'query',
    right: () => ({ name: 'new' }),
    wrong: () => [{ why: 'an empty name', fields: { name: '' }, names: ['name'], only: 'documented' }],
  },
  { name: 'PUT /network/network/:uuid/default', path: networkInPath },
  {
    name: 'PATCH /network/network/:uuid',
    carrier: 'json',
    path: networkInPath,
    parameters: { name: text() },
    right: () => ({ name: 'other' }),
  },
  {
    name: 'DELETE /network/network/:uuid',
    path: networkInPath,
    wrong: ({ defaultNetwork, usedNetwork }) => [
      { why: 'the default one', id: defaultNetwork, names: ['default network'] },
      { why: 'one with a VM', id: usedNetwork, names: ['Network cannot be deleted, it has resources'] },
    ],
  },
]

const addressOperations: readonly Operation[] = [
  {
    name: 'POST /network/ip_addresses',
    carrier: 'json',
    parameters: { billing_account_id: account(), name: text(false) },
    right: () => ({ billing_account_id: billing, name: 'front' }),
    wrong: ({ restrictedKey }) => [
      {
        why: 'a billing account that the token is not for',
        apiKey: restrictedKey,
        fields: { billing_account_id: 8 },
        names: ['billing_account_id'],
      },
    ],
  },
  {
    name: 'GET /network/ip_addresses',
    carrier: 'query',
    parameters: { billing_account_id: accountFilter },
    right: ({ vm }) => ({ billing_account_id: billing, vm_uuid: vm }),
    wrong: () => [{ why: 'vm_uuid: not an id', fields: { vm_uuid: 'nonsense' }, names: ['vm_uuid'] }],
  },
  { name: 'GET /network/ip_addresses/:address', path: addressInPath },
  {
    name: 'PATCH /network/ip_addresses/:address',
    carrier: 'json',
    path: addressInPath,
    parameters: { billing_account_id: account(false), name: text(false) },
    right: () => ({ billing_account_id: billing, name: 'other' }),
  },
  { name: 'DELETE /network/ip_addresses/:address', path: addressInPath },
  {
    name: 'POST /network/ip_addresses/:address/assign',
    carrier: 'json',
    path: addressInPath,
    parameters: { vm_uuid: id('vm') },
    right: ({ stoppedVm }) => ({ vm_uuid: stoppedVm }),
    wrong: (ids) => [
      busy(ids, 'vm_uuid'),
      { why: 'an assigned one', id: ids.assignedAddress, names: [ids.assignedAddress] },
      {
        why: 'an assigned one, to the same VM',
        id: ids.assignedAddress,
        fields: { vm_uuid: ids.vm },
        names: [ids.assignedAddress],
      },
      {
        why: 'an unknown type',
        fields: { vm_uuid: undefined, assigned_to: ids.vm, assigned_to_resource_type: 'other' },
        names: ['assigned_to_resource_type'],
        only: 'extended',
      },
    ],
  },
  {
    name: 'POST /network/ip_addresses/:address/unassign',
    path: { ...addressInPath, id: ({ assignedAddress }) => assignedAddress },
    wrong: ({ address }) => [{ why: 'one that is free', id: address, names: [address] }],
  },
]

const balancerOperations: readonly Operation[] = [
  {
    name: 'GET /network/load_balancers',
    carrier: 'query',
    parameters: { all: flag },
    right: () => ({ all: true }),
  },
  {
    name: 'POST /network/load_balancers',
    carrier: 'json',
    parameters: {
      display_name: text(),
      billing_account_id: account(),
      network_uuid: id('network'),
      reserve_public_ip: flag,
      rules: list(false),
      targets: list(false),
    },
    right: ({ vm, network }) => ({
      display_name: 'front',
      billing_account_id: billing,
      network_uuid: network,
      reserve_public_ip: false,
      rules: [{ source_port: 80, target_port: 8080 }],
      targets: [{ target_uuid: vm, target_type: 'vm' }],
    }),
    wrong: (ids) => [
      ...ruleWrongs((rule) => ({ rules: [rule] })),
      ...targetWrongs(ids, (target) => ({ targets: [target] })),
      {
        why: 'a port with two rules',
        fields: { rules: Array.from({ length: 2 }, () => ({ source_port: 80, target_port: 8080 })) },
        names: ['source_port'],
      },
      // Deployments answer 500 to this; the interface says that an operation which fails says why.
      { why: 'targets: missing', fields: { targets: undefined }, names: ['targets'], only: 'documented' },
    ],
  },
  { name: 'GET /network/load_balancers/:uuid', only: 'extended', path: balancerInPath },
  {
    name: 'PATCH /network/load_balancers/:uuid',
    only: 'extended',
    carrier: 'json',
    path: balancerInPath,
    parameters: { display_name: text() },
    right: () => ({ display_name: 'other' }),
  },
  { name: 'DELETE /network/load_balancers/:uuid', only: 'extended', path: balancerInPath },
  {
    name: 'POST /network/load_balancers/:uuid/targets',
    only: 'extended',
    carrier: 'json',
    path: balancerInPath,
    parameters: { target_uuid: id('vm'), target_type: text() },
    right: ({ vm }) => ({ target_uuid: vm, target_type: 'vm' }),
    wrong: (ids) => targetWrongs(ids, (target) => target),
  },
  {
    name: 'POST /network/load_balancers/:uuid/forwarding_rules',
    only: 'extended',
    carrier: 'json',
    path: balancerInPath,
    parameters: { source_port: whole(), target_port: whole() },
    right: () => ({ source_port: 8443, target_port: 8443 }),
    wrong: () => ruleWrongs((rule) => rule),
  },
  {
    name: 'PUT /network/load_balancers/:uuid/billing_account',
    only: 'extended',
    carrier: 'json',
    path: balancerInPath,
    parameters: { set_id: account() },
    right: () => ({ set_id: billing }),
  },
]

function ruleWrongs(wrap: (rule: object) => object): Wrong[] {
  return (['source_port', 'target_port'] as const).flatMap((field) =>
    [undefined, 0, 65_536, -1, 1.5, 'http', {}].map((port) => ({
      why: `a rule with ${field} ${JSON.stringify(port)}`,
      fields: { ...wrap({ source_port: 81, target_port: 8081, [field]: port }) },
      names: [field],
    })),
  )
}

function targetWrongs(ids: Ids, wrap: (target: object) => object): Wrong[] {
  const target = (why: string, change: object, field: string): Wrong => ({
    why: `a target ${why}`,
    fields: { ...wrap({ target_uuid: ids.vm, target_type: 'vm', ...change }) },
    names: [field],
  })
  return [
    target('of another type', { target_type: 'disk' }, 'target_type'),
    target('without a type', { target_type: undefined }, 'target_type'),
    target('without an id', { target_uuid: undefined }, 'target_uuid'),
    target('that is a number', { target_uuid: 5 }, 'target_uuid'),
    target('that is deleted', { target_uuid: ids.deletedVm }, 'target_uuid'),
    target("that is another account's", { target_uuid: ids.foreignVm }, 'target_uuid'),
    target('that is a disk', { target_uuid: ids.disk }, 'target_uuid'),
  ]
}

export const connectionOperations = [...networkOperations, ...addressOperations, ...balancerOperations]
