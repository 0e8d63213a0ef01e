/** CloudAccount: where the service is, whose key is used, and how hard the operator may press. */
import { z } from 'zod'
import type { KindSchema } from './kindschema.ts'
import type { Resource } from './object.ts'
import { list } from './schema.ts'
import {
  STATUS_BOUNDS,
  billingAccountNumber,
  commonStatusShape,
  locationSlug,
  onDelete,
  secretKeyReference,
  statusID,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

const personal = z.string().min(1).max(256)

const profile = z.object({
  firstName: personal.exactOptional().describe('First name. Mutable. Default: not managed. Example: Ada'),
  lastName: personal.exactOptional().describe('Last name. Mutable. Default: not managed. Example: Lovelace'),
  phoneNumber: z
    .string()
    .min(1)
    .max(64)
    .exactOptional()
    .describe('Telephone number, in any form. Mutable. Default: not managed. Example: +62 21 555 0100'),
  personalIDNumberSecretRef: secretKeyReference
    .exactOptional()
    .describe(
      'Number of an identity document, in a Secret. Mutable: a changed Secret is used within one interval. Default: not managed.',
    ),
})

export const accountSpec = z.object({
  tokenSecretRef: secretKeyReference.describe(
    'API key of the service, in a Secret. Mutable: a changed Secret is used within one interval, without a restart. It must belong to the same user. Required.',
  ),
  endpoint: z
    .string()
    .min(8)
    .max(512)
    .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+\/?$/)
    .describe(
      'Address of the service, scheme and host; one the operator is told to allow. Frozen once its user is known. Required. Example: https://api.example.com',
    ),
  billingAccount: billingAccountNumber.describe(
    'Number of the billing account charged for new cloud objects that name none. Mutable: existing ones keep theirs. Required. Example: 1234',
  ),
  defaultLocation: locationSlug
    .exactOptional()
    .describe(
      "Location of new cloud objects that name none. Mutable: existing ones keep theirs. Default: the service's own default. Example: jkt01",
    ),
  profile: profile
    .exactOptional()
    .describe(
      'What the service keeps of the person behind the key; fields that are given are kept so. Mutable. Default: not managed.',
    ),
  defaults: z
    .object({
      onDelete: onDelete
        .exactOptional()
        .describe(
          'What deleting an object does to its cloud object when it says nothing itself. Mutable. Default: Delete.',
        ),
    })
    .exactOptional()
    .describe(
      'What the objects of this account do when they say nothing themselves. Mutable. Default: every part its own.',
    ),
  limits: z
    .object({
      requestsPerSecond: z
        .int()
        .min(1)
        .max(10_000)
        .exactOptional()
        .describe('Requests sent to the service per second, at most. Mutable. Default: 10. Example: 20'),
      maxInFlight: z
        .int()
        .min(1)
        .max(1000)
        .exactOptional()
        .describe('Requests under way at one time, at most. Mutable. Default: 64. Example: 32'),
    })
    .exactOptional()
    .describe('How hard the operator may press on the service. Mutable. Default: every part its own.'),
  syncIntervalSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .exactOptional()
    .describe(
      'Seconds between two looks at the cloud while nothing changes. Mutable. Default: 300. Example: 60',
    ),
  settleSeconds: z
    .int()
    .min(30)
    .max(86_400)
    .exactOptional()
    .describe(
      'Seconds after which the service shows the result of every change; decides when an unclear creation counts as not happened. Mutable. Default: 900. Example: 1800',
    ),
  dedicated: z
    .boolean()
    .exactOptional()
    .describe(
      'true: nothing but this cluster makes anything with this account. What an unanswered create may have made is then taken without asking, where only one thing can be meant. Mutable. Default: false.',
    ),
  namesakesOfOtherClusters: z
    .enum(['Hold', 'Ignore'])
    .exactOptional()
    .describe(
      "What to do where the cloud has an object of the same name with another cluster's marker. Hold: nothing is made beside it until a person says that it is another one; a restored cluster would make everything twice otherwise. Ignore: it is made. Mutable. Default: Hold.",
    ),
  loadBalancerOperations: z
    .enum(['Auto', 'DocumentedOnly'])
    .exactOptional()
    .describe(
      'Auto: operations on load balancers past list and create are tried once and used where they exist. DocumentedOnly: never tried. Mutable. Default: Auto.',
    ),
})
export type AccountSpec = z.infer<typeof accountSpec>

export const accountStatus = z.object({
  ...commonStatusShape,
  id: statusID.exactOptional().describe('Number of the user the key belongs to, as text'),
  user: z
    .object({
      id: z.int().describe('Number of the user'),
      name: text.exactOptional().describe('Name of the user'),
      email: text.exactOptional().describe('Mail address of the user'),
    })
    .exactOptional()
    .describe('User the key belongs to'),
  locations: list(
    z.object({
      slug: z.string().max(64).describe('Word by which spec.location names it'),
      displayName: text.exactOptional().describe('Name for people'),
      countryCode: z.string().max(16).exactOptional().describe('Country it is in'),
      default: z.boolean().exactOptional().describe("Whether it is the service's default"),
      pools: list(
        z.object({
          id: statusID.describe('Identity of the pool'),
          name: text.exactOptional().describe('Name of the pool, as CloudVM.spec.pool takes it'),
        }),
        64,
      )
        .exactOptional()
        .describe('Resource pools (server classes) that host VMs there'),
    }),
    64,
  )
    .exactOptional()
    .describe('Locations of the service'),
  objectStorage: z
    .object({
      url: text.exactOptional().describe('Address of the object storage API'),
      maxBuckets: z.int().exactOptional().describe('Number of buckets the user may have'),
    })
    .exactOptional()
    .describe('Object storage of the user'),
  capabilities: z
    .object({
      loadBalancerOperations: z
        .boolean()
        .exactOptional()
        .describe('Whether the service changes and deletes load balancers; absent until tried'),
      loadBalancerNames: z
        .boolean()
        .exactOptional()
        .describe('Whether the service shows names of load balancers; absent until seen'),
      diskNames: z
        .boolean()
        .exactOptional()
        .describe('Whether the service shows names of disks; absent until seen'),
      networkLocations: z
        .boolean()
        .exactOptional()
        .describe('Whether networks are kept by location; absent until tried'),
      loadBalancerLocations: z
        .boolean()
        .exactOptional()
        .describe('Whether load balancers are kept by location; absent until tried'),
    })
    .exactOptional()
    .describe('What this service can do beyond what every one of its kind can, as learned'),
  orphans: z
    .int()
    .exactOptional()
    .describe(
      "Cloud objects that carry this cluster's marker and belong to no object in it, in the locations where it has objects or would make them; they are never deleted. Absent where only one namespace is watched",
    ),
})
export type AccountStatus = z.infer<typeof accountStatus>
export type CloudAccount = Resource<AccountSpec, AccountStatus>

export const accountKind: KindSchema = {
  kind: 'CloudAccount',
  plural: 'cloudaccounts',
  singular: 'cloudaccount',
  shortName: 'cacct',
  description:
    'An account at the cloud service: its address, the key, and the defaults of what is made with it.',
  spec: accountSpec,
  status: accountStatus,
  columns: [
    { name: 'User', type: 'string', jsonPath: '.status.user.name', description: 'User the key belongs to' },
    { name: 'Endpoint', type: 'string', jsonPath: '.spec.endpoint', description: 'Address of the service' },
  ],
  selectableFields: ['.spec.endpoint', '.spec.tokenSecretRef.name', '.status.id'],
  frozen: [{ field: 'endpoint', instead: 'make a new CloudAccount for another service' }],
  growOnly: [],
}
