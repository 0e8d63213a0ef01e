/** CloudAccessKey: how the pipeline reads, plans, changes and delivers key pairs of the object storage. */
import type { AccessKeyStatus, CloudAccessKey } from '../../api/accesskey.ts'
import { getS3 } from '../../cloud/buckets.ts'
import type { KindDefinition, ReadContext } from '../../reconcile/kind.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { stillRetiring } from '../../reconcile/retiring.ts'
import { actAccessKey } from './act.ts'
import {
  accessKeyFacts,
  planAccessKey,
  planAccessKeyGone,
  type AccessKeyStep,
  type WantedAccessKey,
} from './plan.ts'
import { accessKeyReads, type SeenAccessKey } from './seen.ts'

export const accessKeyKind: KindDefinition<
  CloudAccessKey,
  WantedAccessKey,
  SeenAccessKey,
  AccessKeyStep,
  AccessKeyStatus
> = {
  kind: 'CloudAccessKey',
  type: resourceType('CloudAccessKey'),
  noun: 'key pair',
  reads: accessKeyReads,
  creation: { identity: () => 'baseline', candidate: () => true },
  delivery: {
    secretName: ({ spec }) => spec.secretName,
    hidden: ['AWS_SECRET_ACCESS_KEY'],
    contents: secretOf,
  },
  links: () => [],
  secrets: () => [],
  want: ({ spec }) => ({ is: 'ready', want: { secretName: spec.secretName } }),
  plan: planAccessKey,
  planGone: planAccessKeyGone,
  facts: accessKeyFacts,
  act: (context, step, _want, seen) => actAccessKey(context, step, seen),
  effect: ({ verb, details }, seen) => verb !== 'retire' || !seen.others.includes(details?.['old'] ?? ''),
  report: (seen, memory) => {
    const retiring = stillRetiring(seen, memory)
    return { retiring: retiring.length === 0 ? undefined : [...retiring] }
  },
  usability: (_seen, want) => ({
    usable: true,
    reason: 'Available',
    message: `The key pair is in Secret ${want?.secretName ?? ''}.`,
  }),
  // Programs hold it: a new one, under another name, is a decision.
  remakes: () => false,
}

/** Clients demand a region and the service has none: this is the one that they take for "no region in particular". */
const REGION = 'us-east-1'

/** Under the names that S3 clients read from their environment. */
async function secretOf(
  { session, freshness }: ReadContext<AccessKeyStatus>,
  id: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { byID } = await session.inventory.list('accessKey', undefined, freshness)
  const row = byID.get(id)
  if (row === undefined) return undefined
  const url = session.objectStorageURL ?? (await getS3(session.client)).url
  return {
    AWS_ACCESS_KEY_ID: row.id,
    AWS_SECRET_ACCESS_KEY: row.reveal(),
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
  }
}
