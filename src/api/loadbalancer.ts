/** CloudLoadBalancer: one network load balancer in a private network. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { list, mapList, ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  commonStatusShape,
  displayName,
  dnsName,
  lifecycle,
  lifecycleDescription,
  mutableBillingAccount,
  objectSpecShape,
  publicIP,
  reference,
  reservedIP,
  statusID,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)
const port = z.int().min(1).max(65_535)

export const loadBalancerSpec = ruled(
  z.object({
    ...objectSpecShape,
    name: displayName
      .exactOptional()
      .describe(
        'Display name in the cloud, where the service shows one for load balancers; elsewhere only sent. Mutable. Default: metadata.name. Example: web',
      ),
    billingAccount: mutableBillingAccount.exactOptional(),
    lifecycle: lifecycle.exactOptional().describe(lifecycleDescription),
    networkRef: reference
      .exactOptional()
      .describe(
        "CloudNetwork it is made in, in the same namespace. Frozen once a cloud object may exist. Default: the account's default network, looked up at creation.",
      ),
    rules: mapList(
      z.object({
        sourcePort: port.describe('TCP port it listens on; each only once. Required. Example: 80'),
        targetPort: port.describe('TCP port of the targets. Required. Example: 8080'),
      }),
      64,
      'sourcePort',
    )
      .min(1)
      .exactOptional()
      .describe('Ports that are forwarded. Mutable. Required unless adopting; absent: not managed.'),
    targets: mapList(
      z.object({
        name: dnsName.describe('Name of a CloudVM in the same namespace. Required. Example: web-1'),
      }),
      128,
      'name',
    )
      .exactOptional()
      .describe(
        'CloudVMs that receive the traffic, each only once. Mutable. Default: absent, not managed; a new one has none.',
      ),
    publicIP: publicIP
      .exactOptional()
      .describe(
        'Reserve: a public IPv4 address is made with it and deleted with it. None: no address; a CloudFloatingIP can give it one. Frozen once a cloud object may exist. Default: None.',
      ),
  }),
  [
    {
      rule: 'has(self.adopt) || has(self.rules)',
      holds: ({ adopt, rules }) => adopt !== undefined || rules !== undefined,
      message: 'rules is required unless adopting',
      at: 'rules',
    },
  ],
)
export type LoadBalancerSpec = z.infer<typeof loadBalancerSpec>

export const loadBalancerStatus = z.object({
  ...commonStatusShape,
  privateAddress: text.exactOptional().describe('IPv4 address in the private network'),
  reservedIP: reservedIP
    .exactOptional()
    .describe('Address made with it because of publicIP Reserve; deleted with it'),
  rules: list(
    z.object({
      id: statusID.exactOptional().describe('Identity of the rule'),
      sourcePort: z.int().describe('TCP port it listens on'),
      targetPort: z.int().describe('TCP port of the targets'),
    }),
    STATUS_BOUNDS.list,
  )
    .exactOptional()
    .describe('Ports that are forwarded'),
  targets: list(
    z.object({
      name: text.exactOptional().describe('CloudVM in this namespace; absent when it is none of ours'),
      id: statusID.describe('Identity of the VM in the cloud'),
      address: text.exactOptional().describe('Private address of the VM'),
    }),
    STATUS_BOUNDS.list,
  )
    .exactOptional()
    .describe('VMs that receive the traffic'),
  targetCount: z.int().exactOptional().describe('Number of targets, for the column'),
})
export type LoadBalancerStatus = z.infer<typeof loadBalancerStatus>
export type CloudLoadBalancer = Resource<LoadBalancerSpec, LoadBalancerStatus>

export const loadBalancerKind: KindSchema = {
  kind: 'CloudLoadBalancer',
  plural: 'cloudloadbalancers',
  singular: 'cloudloadbalancer',
  shortName: 'clb',
  description: 'A network load balancer in the cloud that forwards TCP ports to virtual machines.',
  spec: loadBalancerSpec,
  status: loadBalancerStatus,
  columns: [
    {
      name: 'Address',
      type: 'string',
      jsonPath: '.status.privateAddress',
      description: 'Address in the private network',
    },
    {
      name: 'Targets',
      type: 'integer',
      jsonPath: '.status.targetCount',
      description: 'Number of VMs that receive the traffic',
    },
  ],
  selectableFields: ['.spec.accountRef.name', '.spec.location', '.spec.networkRef.name', '.status.id'],
  frozen: [
    ...frozenEverywhere,
    { field: 'networkRef', instead: 'a load balancer stays in its network; make a new CloudLoadBalancer' },
    { field: 'publicIP', instead: 'use a CloudFloatingIP to add an address' },
  ],
  growOnly: [],
}
