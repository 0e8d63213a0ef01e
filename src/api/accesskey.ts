/** CloudAccessKey: one key pair of the object storage, delivered into a Secret. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import {
  commonStatusShape,
  credentialStatusShape,
  keepShape,
  lifecycleDescription,
  objectSpecShape,
  rotation,
  secretName,
} from './shared.ts'

export const accessKeySpec = z.object({
  accountRef: objectSpecShape.accountRef,
  secretName: secretName.describe(
    'Secret the key pair is written to, in the same namespace; it is made and owned by this object, and one that exists is never overwritten. Frozen once a cloud object may exist. Required. Example: shop-s3',
  ),
  rotation: rotation.exactOptional(),
  lifecycle: z.object(keepShape).exactOptional().describe(lifecycleDescription),
})
export type AccessKeySpec = z.infer<typeof accessKeySpec>

export const accessKeyStatus = z.object({ ...commonStatusShape, ...credentialStatusShape })
export type AccessKeyStatus = z.infer<typeof accessKeyStatus>
export type CloudAccessKey = Resource<AccessKeySpec, AccessKeyStatus>

export const accessKeyKind: KindSchema = {
  kind: 'CloudAccessKey',
  plural: 'cloudaccesskeys',
  singular: 'cloudaccesskey',
  shortName: 'ckey',
  description:
    'A key pair for the object storage, kept in a Secret under the names that S3 clients read. A rotate annotation replaces it.',
  spec: accessKeySpec,
  status: accessKeyStatus,
  columns: [
    { name: 'Secret', type: 'string', jsonPath: '.spec.secretName', description: 'Secret with the key pair' },
    { name: 'Key', type: 'string', jsonPath: '.status.id', description: 'Access key in use' },
  ],
  selectableFields: ['.spec.accountRef.name', '.spec.secretName', '.status.id'],
  frozen: [
    ...frozenEverywhere.filter(({ field }) => field === 'accountRef'),
    { field: 'secretName', instead: 'make a new CloudAccessKey for another Secret' },
  ],
  growOnly: [],
}
