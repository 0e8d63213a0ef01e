/** CloudAPIToken: one API token of the account's user, delivered into a Secret. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  billingAccountNumber,
  commonStatusShape,
  credentialStatusShape,
  keepShape,
  lifecycleDescription,
  objectSpecShape,
  rotation,
  secretName,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

export const apiTokenSpec = ruled(
  z.object({
    accountRef: objectSpecShape.accountRef,
    description: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe(
        "Description in the cloud; the operator's marker follows it there. Mutable. Default: metadata.name. Example: build server",
      ),
    billingAccount: billingAccountNumber
      .exactOptional()
      .describe(
        "Number of the billing account the token is tied to. Mutable. Default: the account's. Example: 1234",
      ),
    scope: z
      .enum(['BillingAccount', 'AllBillingAccounts'])
      .exactOptional()
      .describe(
        'BillingAccount: the token is restricted to its billing account. AllBillingAccounts: it may do everything its user may. Frozen once a cloud object may exist. Default: BillingAccount.',
      ),
    secretName: secretName.describe(
      'Secret the token is written to, in the same namespace; it is made and owned by this object, and one that exists is never overwritten. Frozen once a cloud object may exist. Required. Example: ci-token',
    ),
    rotation: rotation.exactOptional(),
    lifecycle: z.object(keepShape).exactOptional().describe(lifecycleDescription),
  }),
  [
    {
      rule: "!has(self.billingAccount) || !has(self.scope) || self.scope != 'AllBillingAccounts'",
      holds: ({ billingAccount, scope }) => billingAccount === undefined || scope !== 'AllBillingAccounts',
      message: 'billingAccount is refused with scope AllBillingAccounts: such a token is tied to none',
      at: 'billingAccount',
    },
  ],
)
export type ApiTokenSpec = z.infer<typeof apiTokenSpec>

export const apiTokenStatus = z.object({
  ...commonStatusShape,
  ...credentialStatusShape,
  restricted: z.boolean().exactOptional().describe('Whether the token is restricted to one billing account'),
  consumerID: text.exactOptional().describe('Identity of the token at the API gateway'),
})
export type ApiTokenStatus = z.infer<typeof apiTokenStatus>
export type CloudAPIToken = Resource<ApiTokenSpec, ApiTokenStatus>

export const apiTokenKind: KindSchema = {
  kind: 'CloudAPIToken',
  plural: 'cloudapitokens',
  singular: 'cloudapitoken',
  shortName: 'ctok',
  description: "An API token of the account's user, kept in a Secret. A rotate annotation replaces it.",
  spec: apiTokenSpec,
  status: apiTokenStatus,
  columns: [
    { name: 'Secret', type: 'string', jsonPath: '.spec.secretName', description: 'Secret with the token' },
    {
      name: 'Restricted',
      type: 'boolean',
      jsonPath: '.status.restricted',
      description: 'Whether it is restricted to one billing account',
    },
  ],
  selectableFields: ['.spec.accountRef.name', '.spec.secretName', '.status.id'],
  frozen: [
    ...frozenEverywhere.filter(({ field }) => field === 'accountRef'),
    { field: 'scope', instead: 'make a new CloudAPIToken with the other scope' },
    { field: 'secretName', instead: 'make a new CloudAPIToken for another Secret' },
  ],
  growOnly: [],
}
