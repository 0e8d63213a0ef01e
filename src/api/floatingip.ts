/** CloudFloatingIP: one public IPv4 address, assigned to a virtual machine, a load balancer or nothing. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  commonStatusShape,
  displayName,
  lifecycle,
  lifecycleDescription,
  mutableBillingAccount,
  objectSpecShape,
  reference,
  statusID,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

export const floatingIpSpec = ruled(
  z.object({
    ...objectSpecShape,
    name: displayName
      .exactOptional()
      .describe(
        "Display name in the cloud; the operator's marker follows it there. Mutable. Default: metadata.name. Example: web",
      ),
    billingAccount: mutableBillingAccount.exactOptional(),
    lifecycle: lifecycle.exactOptional().describe(lifecycleDescription),
    vmRef: reference
      .exactOptional()
      .describe(
        'CloudVM the address is assigned to, in the same namespace. Mutable: the address moves. Default: absent; without loadBalancerRef too, it is assigned to nothing.',
      ),
    loadBalancerRef: reference
      .exactOptional()
      .describe(
        'CloudLoadBalancer the address is assigned to, in the same namespace. Mutable: the address moves. Default: absent; without vmRef too, it is assigned to nothing.',
      ),
  }),
  [
    {
      rule: '!(has(self.vmRef) && has(self.loadBalancerRef))',
      holds: ({ vmRef, loadBalancerRef }) => !(vmRef && loadBalancerRef),
      message: 'spec: set only one of vmRef and loadBalancerRef',
    },
  ],
)
export type FloatingIpSpec = z.infer<typeof floatingIpSpec>

export const floatingIpStatus = z.object({
  ...commonStatusShape,
  address: text.exactOptional().describe('The IPv4 address. Example: 203.0.113.7'),
  assignedTo: z
    .object({
      kind: z
        .string()
        .max(64)
        .describe('CloudVM, CloudLoadBalancer, or the word of the service for something else'),
      name: text.exactOptional().describe('Object in this namespace; absent when it is none of ours'),
      id: statusID.describe('Identity of the target in the cloud'),
    })
    .exactOptional()
    .describe('What the address is assigned to; absent when it is assigned to nothing'),
  privateAddress: text.exactOptional().describe('Private address of the target that receives the traffic'),
  enabled: z.boolean().exactOptional().describe('Whether the service has the address enabled'),
})
export type FloatingIpStatus = z.infer<typeof floatingIpStatus>
export type CloudFloatingIP = Resource<FloatingIpSpec, FloatingIpStatus>

export const floatingIpKind: KindSchema = {
  kind: 'CloudFloatingIP',
  plural: 'cloudfloatingips',
  singular: 'cloudfloatingip',
  shortName: 'cfip',
  description:
    'A public IPv4 address in the cloud that can move between virtual machines and load balancers.',
  spec: floatingIpSpec,
  status: floatingIpStatus,
  columns: [
    { name: 'Address', type: 'string', jsonPath: '.status.address', description: 'The IPv4 address' },
    {
      name: 'Target',
      type: 'string',
      jsonPath: '.status.assignedTo.name',
      description: 'What it is assigned to',
    },
  ],
  selectableFields: [
    '.spec.accountRef.name',
    '.spec.location',
    '.spec.vmRef.name',
    '.spec.loadBalancerRef.name',
    '.status.id',
    '.status.address',
  ],
  frozen: frozenEverywhere,
  growOnly: [],
}
