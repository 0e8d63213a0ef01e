import { describe } from 'vitest'
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
import { getUser } from '../../../src/cloud/user.ts'
import { contract } from './contract.ts'
import { send } from './recorder.ts'

const at = 'sgp01'
const network = '11111111-1111-4222-8333-0123456789ab'
const balancer = 'ba1a0000-1111-4222-8333-0123456789ab'
const vm = '7a7b2d2e-1111-4222-8333-0123456789ab'

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
      result: { id: 9, name: 'Ann', email: 'ann@example.com', profile: {} },
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
