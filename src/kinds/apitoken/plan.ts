/** Decides what to do with an API token. Pure. Rules of the service are the lines below. */
import type { ApiTokenStatus } from '../../api/apitoken.ts'
import type { TokenWish } from '../../cloud/tokens.ts'
import type { Memory } from '../../reconcile/kind.ts'
import { blocked, steps, type Plan, type StepFacts, type Wait } from '../../reconcile/plan.ts'
import { allRetirements, retirements, retireFacts, type Retire } from '../../reconcile/retiring.ts'
import type { SeenApiToken } from './seen.ts'

export interface WantedApiToken {
  /** With the marker as its last word. */
  readonly description: string
  /** Whom a new token is tied to; 0: nobody. */
  readonly tiedTo: number
  /** Whom it stays tied to; undefined: not managed. */
  readonly billingAccount: number | undefined
  readonly restricted: boolean
  readonly secretName: string
}

export type ApiTokenStep =
  | { readonly do: 'create'; readonly token: TokenWish }
  | { readonly do: 'update'; readonly token: TokenWish }
  | Retire
  | { readonly do: 'delete' }

export function planApiToken(
  want: WantedApiToken,
  seen: SeenApiToken | undefined,
  memory: Memory<ApiTokenStatus>,
): Plan<ApiTokenStep> {
  const { description, restricted } = want
  if (seen === undefined)
    return steps({ do: 'create', token: { description, restricted, billingAccount: want.tiedTo } })
  // A token that is restricted can never be freed again.
  if (seen.restricted === true && !restricted)
    return blocked(
      'ReplacementRequired',
      'spec.scope: the token is restricted to one billing account and the service cannot free it; make a new CloudAPIToken',
    )
  // The operator's own key is never taken away: it goes once the account uses another.
  const old = retirements(seen, memory).filter((each) => !seen.inUseHere.includes(each.id))
  const change = planChange(want, seen)
  if (old.length > 0 && change.wait !== undefined) return { steps: old }
  return { ...change, steps: [...change.steps, ...old] }
}

const UNKNOWN_ACCOUNT: Wait = {
  reason: 'WaitingForCloud',
  message:
    'the service does not show which billing account the token is tied to, and a change would set one: it is not changed; say which one in spec.billingAccount',
}

/** The billing account is always sent: left out it would become none. */
function planChange(want: WantedApiToken, seen: SeenApiToken): Plan<ApiTokenStep> {
  const billingAccount = want.billingAccount ?? seen.billingAccount
  const differs =
    (seen.label !== undefined && seen.label !== want.description) ||
    (seen.billingAccount !== undefined && seen.billingAccount !== billingAccount) ||
    (seen.restricted === false && want.restricted)
  if (!differs) return { steps: [] }
  if (seen.inUseHere.includes(seen.id))
    return blocked(
      'ReferenceInvalid',
      "the account itself uses this token as its key, so it is not changed: put another key into the account's Secret, or take the change back",
    )
  if (billingAccount === undefined) return { steps: [], wait: UNKNOWN_ACCOUNT }
  return steps({
    do: 'update',
    token: { description: want.description, billingAccount, restricted: want.restricted },
  })
}

/** The old ones first: once this one is gone nothing tells of them. */
export function planApiTokenGone(seen: SeenApiToken, memory: Memory<ApiTokenStatus>): Plan<ApiTokenStep> {
  const all = [...allRetirements(seen, memory), { do: 'delete' } as const]
  const goes = [seen.id, ...all.map((step) => (step.do === 'retire' ? step.id : seen.id))]
  if (!goes.some((id) => seen.inUseHere.includes(id))) return { steps: all }
  return blocked(
    'ReferenceInvalid',
    "the account itself uses this token as its key, so it is not deleted: put another key into the account's Secret, or set spec.lifecycle.onDelete: Retain",
  )
}

export function apiTokenFacts(step: ApiTokenStep): StepFacts {
  switch (step.do) {
    case 'create':
      return { nature: 'create', words: 'create an API token' }
    case 'update':
      return { nature: 'set', words: `change the token's description or billing account` }
    case 'retire':
      return retireFacts(step, `delete the old token ${step.id}`)
    case 'delete':
      return { nature: 'destroy', words: 'delete the token' }
  }
}
