import { describe } from 'vitest'
import {
  assignFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  getFloatingIp,
  listFloatingIps,
  unassignFloatingIp,
  updateFloatingIp,
} from '../../../src/cloud/floatingips.ts'
import {
  createNetwork,
  deleteNetwork,
  getNetwork,
  listNetworks,
  makeDefault,
  renameNetwork,
} from '../../../src/cloud/networks.ts'
import { contract } from './contract.ts'
import { send } from './recorder.ts'

const at = 'sgp01'
const network = '11111111-1111-4222-8333-0123456789ab'
const balancer = 'ba1a0000-1111-4222-8333-0123456789ab'
const vm = '7a7b2d2e-1111-4222-8333-0123456789ab'
const address = '203.0.113.7'

describe('networks', () => {
  const bare = { uuid: network }
  contract([
    {
      name: 'get, without a slug',
      call: (client) => getNetwork(client, undefined, network),
      line: `GET /v1/network/network/${network}`,
      reply: {
        uuid: network,
        name: 'app',
        type: 'private',
        vlan_id: 12,
        subnet: '10.1.2.0/24',
        subnet_ipv6: '',
        is_default: false,
        vm_uuids: [vm],
        resources_count: 1,
        created_at: 'c',
      },
      result: {
        uuid: network,
        name: 'app',
        subnet: '10.1.2.0/24',
        isDefault: false,
        vmUUIDs: [vm],
        resourcesCount: 1,
        createdAt: 'c',
      },
      mutation: false,
    },
    {
      name: 'get, with a slug',
      call: (client) => getNetwork(client, at, network),
      line: `GET /v1/sgp01/network/network/${network}`,
      reply: bare,
      result: bare,
      mutation: false,
    },
    {
      name: 'list',
      call: (client) => listNetworks(client, at),
      line: 'GET /v1/sgp01/network/networks',
      reply: [bare],
      result: [bare],
      mutation: false,
    },
    {
      name: 'create: the name in the query, a space as %20',
      call: (client) => createNetwork(client, undefined, 'app net-k8smark', send()),
      line: 'POST /v1/network/network?name=app%20net-k8smark',
      status: 201,
      reply: bare,
      result: bare,
      mutation: true,
    },
    {
      name: 'rename: JSON',
      call: (client) => renameNetwork(client, undefined, network, 'new name', send()),
      line: `PATCH /v1/network/network/${network}`,
      json: { name: 'new name' },
      reply: bare,
      result: bare,
      mutation: true,
    },
    {
      name: 'make default',
      call: (client) => makeDefault(client, undefined, network, send()),
      line: `PUT /v1/network/network/${network}/default`,
      reply: { ...bare, is_default: true },
      result: { uuid: network, isDefault: true },
      mutation: true,
    },
    {
      name: 'delete',
      call: (client) => deleteNetwork(client, at, network, send()),
      line: `DELETE /v1/sgp01/network/network/${network}`,
      reply: '',
      result: undefined,
      mutation: true,
    },
  ])
})

describe('floating IPs', () => {
  const bare = { id: 5, address }
  const record = { id: 5, address, deleted: false }
  contract([
    {
      name: 'get: assigned',
      call: (client) => getFloatingIp(client, at, address),
      line: `GET /v1/sgp01/network/ip_addresses/${address}`,
      reply: {
        ...bare,
        uuid: 'u-5',
        user_id: 9,
        billing_account_id: 1234,
        type: 'public',
        network_id: null,
        name: null,
        enabled: true,
        is_deleted: false,
        assigned_to: vm,
        assigned_to_resource_type: 'virtual_machine',
        assigned_to_private_ip: '10.1.2.3',
        created_at: 'c',
      },
      result: {
        ...record,
        uuid: 'u-5',
        billingAccount: 1234,
        enabled: true,
        assignedTo: vm,
        assignedType: 'virtual_machine',
        privateAddress: '10.1.2.3',
        createdAt: 'c',
      },
      mutation: false,
    },
    {
      name: 'list: never assigned, unassigned, deleted',
      call: (client) => listFloatingIps(client, at),
      line: 'GET /v1/sgp01/network/ip_addresses',
      reply: [
        bare,
        { id: '6', address: '203.0.113.8', assigned_to: null },
        { id: 7, address, is_deleted: true },
      ],
      result: [record, { id: 6, address: '203.0.113.8', deleted: false }],
      mutation: false,
    },
    {
      name: 'create',
      call: (client) => createFloatingIp(client, at, { billingAccount: 1234, name: 'web-k8smark' }, send()),
      line: 'POST /v1/sgp01/network/ip_addresses',
      json: { billing_account_id: 1234, name: 'web-k8smark' },
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'update: only what is given',
      call: (client) => updateFloatingIp(client, at, address, { name: 'a b' }, send()),
      line: `PATCH /v1/sgp01/network/ip_addresses/${address}`,
      json: { name: 'a b' },
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'delete',
      call: (client) => deleteFloatingIp(client, at, address, send()),
      line: `DELETE /v1/sgp01/network/ip_addresses/${address}`,
      reply: '',
      result: undefined,
      mutation: true,
    },
    {
      name: 'assign to a VM: the documented body',
      call: (client) => assignFloatingIp(client, at, address, { vmUUID: vm }, send()),
      line: `POST /v1/sgp01/network/ip_addresses/${address}/assign`,
      json: { vm_uuid: vm },
      reply: { ...bare, assigned_to: vm },
      result: { ...record, assignedTo: vm },
      mutation: true,
    },
    {
      name: 'assign to a load balancer: the extended body',
      call: (client) => assignFloatingIp(client, at, address, { loadBalancerUUID: balancer }, send()),
      line: `POST /v1/sgp01/network/ip_addresses/${address}/assign`,
      json: { assigned_to: balancer, assigned_to_resource_type: 'load_balancer' },
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'unassign',
      call: (client) => unassignFloatingIp(client, at, address, send()),
      line: `POST /v1/sgp01/network/ip_addresses/${address}/unassign`,
      reply: { ...bare, assigned_to: null, unassigned_at: 'u', uuid: 'u-5' },
      result: { ...record, uuid: 'u-5' },
      mutation: true,
    },
  ])
})
