/** CloudAPIToken: how the pipeline reads, plans, changes and delivers API tokens. */
import type { ApiTokenStatus, CloudAPIToken } from '../../api/apitoken.ts'
import type { KindDefinition, WishFacts } from '../../reconcile/kind.ts'
import { markedText } from '../../reconcile/marker.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { stillRetiring } from '../../reconcile/retiring.ts'
import { actApiToken } from './act.ts'
import {
  apiTokenFacts,
  planApiToken,
  planApiTokenGone,
  type ApiTokenStep,
  type WantedApiToken,
} from './plan.ts'
import { apiTokenReads, type SeenApiToken } from './seen.ts'

export const apiTokenKind: KindDefinition<
  CloudAPIToken,
  WantedApiToken,
  SeenApiToken,
  ApiTokenStep,
  ApiTokenStatus
> = {
  kind: 'CloudAPIToken',
  type: resourceType('CloudAPIToken'),
  noun: 'API token',
  reads: apiTokenReads,
  creation: {
    identity: () => 'marker',
    candidate: (want, row) => row.label === want.description,
  },
  delivery: {
    secretName: ({ spec }) => spec.secretName,
    hidden: ['token'],
    contents: async ({ session, freshness }, id) => {
      const { byID } = await session.inventory.list('token', undefined, freshness)
      const row = byID.get(id)
      return row && { token: row.reveal(), endpoint: session.endpoint }
    },
  },
  links: () => [],
  secrets: () => [],
  want: (object, facts) => ({ is: 'ready', want: wantApiToken(object, facts) }),
  plan: planApiToken,
  planGone: planApiTokenGone,
  facts: apiTokenFacts,
  act: (context, step, _want, seen) => actApiToken(context, step, seen),
  effect: ({ verb, details }, seen) => verb !== 'retire' || !seen.others.includes(details?.['old'] ?? ''),
  report: (seen, memory) => {
    const retiring = stillRetiring(seen, memory)
    return {
      ...(seen.restricted !== undefined && { restricted: seen.restricted }),
      ...(seen.consumerID !== undefined && { consumerID: seen.consumerID }),
      retiring: retiring.length === 0 ? undefined : [...retiring],
    }
  },
  usability: (_seen, want) => ({
    usable: true,
    reason: 'Available',
    message: `The token is in Secret ${want?.secretName ?? ''}.`,
  }),
  // Programs hold it: a new one is a decision.
  remakes: () => false,
}

function wantApiToken({ metadata, spec }: CloudAPIToken, facts: WishFacts): WantedApiToken {
  const restricted = spec.scope !== 'AllBillingAccounts'
  const account = restricted ? spec.billingAccount : 0
  return {
    description: markedText(spec.description ?? metadata.name, facts.marker),
    tiedTo: account ?? facts.session.billingAccount,
    billingAccount: account,
    restricted,
    secretName: spec.secretName,
  }
}
