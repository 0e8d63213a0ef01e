/** What an account's state means for people and for the objects that use it. Pure. */
import type { AccountStatus, CloudAccount } from '../../api/account.ts'
import type { Verdict } from '../../reconcile/conditions.ts'
import type { Capabilities } from '../../reconcile/session.ts'
import type { SeenAccount } from './seen.ts'

export type Stalled = Extract<Verdict, { is: 'stalled' }>

/** Why the account cannot be used as it is, judged from what the service says of the key. */
export function problemOf(account: CloudAccount, seen: SeenAccount): Stalled | undefined {
  const recorded = account.status?.user?.id
  if (recorded !== undefined && recorded !== seen.user.id) {
    const message = `spec.tokenSecretRef: the key belongs to user ${seen.user.id}, and this account is user ${recorded}: nothing is touched under another user; put a key of user ${recorded} into the Secret, or make another CloudAccount`
    return { is: 'stalled', reason: 'IdentityMismatch', message }
  }
  const { defaultLocation } = account.spec
  if (seen.locations.length === 0) {
    return {
      is: 'stalled',
      reason: 'CloudError',
      message: 'the service lists no location; it is asked again by itself',
    }
  }
  if (defaultLocation === undefined || seen.locations.some((each) => each.slug === defaultLocation))
    return undefined
  const known = seen.locations.map((each) => each.slug).join(', ')
  const message = `spec.defaultLocation: the service has no location ${defaultLocation}; it has ${known}`
  return { is: 'stalled', reason: 'InvalidSpec', message }
}

export const ACCOUNT_READY: Verdict = {
  is: 'good',
  reason: 'Available',
  message: 'The key is valid and the service answers.',
}

/** Status fields from what the service says; what an earlier process learned stays until it is learned anew. */
export function accountReport(
  seen: SeenAccount,
  capabilities: Capabilities,
  before: AccountStatus['capabilities'],
): Partial<AccountStatus> {
  const { user } = seen
  return {
    id: String(user.id),
    user: {
      id: user.id,
      ...(user.name !== undefined && { name: user.name }),
      ...(user.email !== undefined && { email: user.email }),
    },
    locations: seen.locations.map((each) => ({
      slug: each.slug,
      default: each.isDefault,
      ...(each.displayName !== undefined && { displayName: each.displayName }),
      ...(each.countryCode !== undefined && { countryCode: each.countryCode }),
      pools: (seen.pools.get(each.slug) ?? []).map((pool) => ({
        id: pool.uuid,
        ...(pool.name !== undefined && { name: pool.name }),
      })),
    })),
    ...(seen.objectStorage !== undefined && { objectStorage: { ...seen.objectStorage } }),
    capabilities: {
      ...before,
      ...(capabilities.loadBalancerOperations !== undefined && {
        loadBalancerOperations: capabilities.loadBalancerOperations,
      }),
      ...(capabilities.loadBalancerNames !== undefined && {
        loadBalancerNames: capabilities.loadBalancerNames,
      }),
      ...(capabilities.diskNames !== undefined && { diskNames: capabilities.diskNames }),
      ...(capabilities.networksByLocation !== undefined && {
        networkLocations: capabilities.networksByLocation,
      }),
      ...(capabilities.loadBalancersByLocation !== undefined && {
        loadBalancerLocations: capabilities.loadBalancersByLocation,
      }),
    },
  }
}
