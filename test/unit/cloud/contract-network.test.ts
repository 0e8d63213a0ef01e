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
  addRule,
  addTarget,
  createLoadBalancer,
  deleteLoadBalancer,
  getLoadBalancer,
  listLoadBalancers,
  removeRule,
  removeTarget,
  renameLoadBalancer,
  setLoadBalancerBillingAccount,
} from '../../../src/cloud/loadbalancers.ts'
import { listLocations } from '../../../src/cloud/locations.ts'
import {
  createNetwork,
  deleteNetwork,
  getNetwork,
  listNetworks,
  makeDefault,
  renameNetwork,
} from '../../../src/cloud/networks.ts'
import { getUser } from '../../../src/cloud/user.ts'
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

describe('load balancers', () => {
  const bare = { uuid: balancer }
  const record = { uuid: balancer, showsName: false, deleted: false }
  const path = `/v1/sgp01/network/load_balancers/${balancer}`
  const wanted = {
    displayName: 'front',
    billingAccount: 1234,
    networkUUID: network,
    reservePublicIP: false,
    rules: [{ sourcePort: 80, targetPort: 8080 }],
    targetVmUUIDs: [],
  }
  contract([
    {
      name: 'list, without a slug',
      call: (client) => listLoadBalancers(client, undefined),
      line: 'GET /v1/network/load_balancers',
      reply: [bare, { uuid: 'lb-2', is_deleted: true }],
      result: [record],
      mutation: false,
    },
    {
      name: 'create: targets always, the address choice always',
      call: (client) => createLoadBalancer(client, undefined, wanted, send()),
      line: 'POST /v1/network/load_balancers',
      json: {
        display_name: 'front',
        billing_account_id: 1234,
        network_uuid: network,
        reserve_public_ip: false,
        rules: [{ source_port: 80, target_port: 8080 }],
        targets: [],
      },
      status: 201,
      reply: { ...bare, display_name: 'front' },
      result: { ...record, displayName: 'front', showsName: true },
      mutation: true,
    },
    {
      name: 'create: a reply without a record is a success without an id',
      call: (client) => createLoadBalancer(client, at, { ...wanted, targetVmUUIDs: [vm] }, send()),
      line: 'POST /v1/sgp01/network/load_balancers',
      json: {
        display_name: 'front',
        billing_account_id: 1234,
        network_uuid: network,
        reserve_public_ip: false,
        rules: [{ source_port: 80, target_port: 8080 }],
        targets: [{ target_uuid: vm, target_type: 'vm' }],
      },
      reply: '',
      result: undefined,
      mutation: true,
    },
    {
      name: 'get: every field of the record',
      call: (client) => getLoadBalancer(client, at, balancer),
      line: `GET ${path}`,
      reply: {
        uuid: balancer,
        display_name: 'front',
        network_uuid: network,
        user_id: 9,
        billing_account_id: 1234,
        private_address: '10.1.2.9',
        is_deleted: false,
        forwarding_rules: [
          { uuid: 'r-1', protocol: 'TCP', source_port: 80, target_port: '8080', settings: {} },
        ],
        targets: [
          { target_uuid: vm, target_type: 'vm', target_ip_address: null },
          { target_uuid: 'vm-2', target_type: 'vm', target_ip_address: '10.1.2.4' },
        ],
        created_at: 'c',
        deleted_at: null,
      },
      result: {
        uuid: balancer,
        displayName: 'front',
        showsName: true,
        networkUUID: network,
        billingAccount: 1234,
        privateAddress: '10.1.2.9',
        rules: [{ uuid: 'r-1', sourcePort: 80, targetPort: 8080 }],
        targets: [
          { uuid: vm, type: 'vm' },
          { uuid: 'vm-2', type: 'vm', address: '10.1.2.4' },
        ],
        createdAt: 'c',
        deleted: false,
      },
      mutation: false,
    },
    {
      name: 'rename',
      call: (client) => renameLoadBalancer(client, at, balancer, 'new', send()),
      line: `PATCH ${path}`,
      json: { display_name: 'new' },
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'set the billing account',
      call: (client) => setLoadBalancerBillingAccount(client, at, balancer, 77, send()),
      line: `PUT ${path}/billing_account`,
      json: { set_id: 77 },
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'delete',
      call: (client) => deleteLoadBalancer(client, at, balancer, send()),
      line: `DELETE ${path}`,
      reply: '',
      result: undefined,
      mutation: true,
    },
    {
      name: 'add a target',
      call: (client) => addTarget(client, at, balancer, vm, send()),
      line: `POST ${path}/targets`,
      json: { target_uuid: vm, target_type: 'vm' },
      reply: { target_uuid: vm, target_ip_address: null },
      result: undefined,
      mutation: true,
    },
    {
      name: 'remove a target',
      call: (client) => removeTarget(client, at, balancer, vm, send()),
      line: `DELETE ${path}/targets/${vm}`,
      status: 204,
      reply: undefined,
      result: undefined,
      mutation: true,
    },
    {
      name: 'add a rule',
      call: (client) => addRule(client, at, balancer, { sourcePort: 443, targetPort: 8443 }, send()),
      line: `POST ${path}/forwarding_rules`,
      json: { source_port: 443, target_port: 8443 },
      reply: { source_port: 443, target_port: 8443 },
      result: undefined,
      mutation: true,
    },
    {
      name: 'remove a rule',
      call: (client) => removeRule(client, at, balancer, 'r-1', send()),
      line: `DELETE ${path}/forwarding_rules/r-1`,
      reply: '',
      result: undefined,
      mutation: true,
    },
  ])
})

describe('user and locations', () => {
  contract([
    {
      name: 'get the user',
      call: (client) => getUser(client),
      line: 'GET /v1/user-resource/user',
      reply: {
        cookie_id: 'c',
        id: 9,
        name: 'Ann',
        profile: null,
        profile_data: { email: 'ann@example.com' },
        state: {},
      },
      result: { id: 9, name: 'Ann', email: 'ann@example.com' },
      mutation: false,
    },
    {
      name: 'list locations',
      call: (client) => listLocations(client),
      line: 'GET /v1/config/locations',
      reply: [
        {
          slug: 'sgp01',
          display_name: 'Singapore',
          country_code: 'SG',
          is_default: true,
          is_published: true,
        },
        { slug: 'jkt01' },
      ],
      result: [
        { slug: 'sgp01', displayName: 'Singapore', countryCode: 'SG', isDefault: true },
        { slug: 'jkt01', isDefault: false },
      ],
      mutation: false,
    },
  ])
})
