/** CloudNetwork: one private network. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import {
  STATUS_BOUNDS,
  commonStatusShape,
  displayName,
  lifecycle,
  lifecycleDescription,
  objectSpecShape,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

export const networkSpec = z.object({
  ...objectSpecShape,
  name: displayName
    .exactOptional()
    .describe(
      "Display name in the cloud; the operator's marker follows it there. Mutable. Default: metadata.name. Example: backend",
    ),
  lifecycle: lifecycle.exactOptional().describe(lifecycleDescription),
  default: z
    .literal(true)
    .exactOptional()
    .describe(
      "true: this network is made the user's default one. Only true can be said: a default ends when another network becomes it. Mutable. Default: absent, not managed.",
    ),
})
export type NetworkSpec = z.infer<typeof networkSpec>

export const networkStatus = z.object({
  ...commonStatusShape,
  subnet: text.exactOptional().describe('IPv4 range, chosen by the service. Example: 10.4.0.0/24'),
  subnetIPv6: text.exactOptional().describe('IPv6 range, chosen by the service'),
  isDefault: z.boolean().exactOptional().describe("Whether it is the user's default network"),
})
export type NetworkStatus = z.infer<typeof networkStatus>
export type CloudNetwork = Resource<NetworkSpec, NetworkStatus>

export const networkKind: KindSchema = {
  kind: 'CloudNetwork',
  plural: 'cloudnetworks',
  singular: 'cloudnetwork',
  shortName: 'cnet',
  description: 'A private network in the cloud.',
  spec: networkSpec,
  status: networkStatus,
  columns: [
    { name: 'Subnet', type: 'string', jsonPath: '.status.subnet', description: 'IPv4 range' },
    {
      name: 'Default',
      type: 'boolean',
      jsonPath: '.status.isDefault',
      description: "Whether it is the user's default network",
    },
  ],
  selectableFields: ['.spec.accountRef.name', '.spec.location', '.spec.default', '.status.id'],
  frozen: frozenEverywhere,
  growOnly: [],
}
