/** What the rules of all families share: billing accounts, quotas, scopes, lost data. */
import type { Caller, Disk, Quota, World } from './model.ts'
import { Refusal } from './refusal.ts'

/**
 * The billing account a new resource gets. A restricted token has its own and may name no other; with a global token it
 * must be given and belong to the caller. 0 means not given.
 */
export function billingAccountFor(
  caller: Caller,
  given: number | undefined,
  field = 'billing_account_id',
): number {
  const own = caller.token.billingAccount
  const wanted = given === undefined || given === 0 ? own : given
  if (caller.token.restricted && wanted !== own)
    throw new Refusal(`The API token is restricted to billing account ${own}`, { field })
  if (wanted === 0) throw new Refusal('This field is required', { field })
  if (!caller.account.billingAccounts.includes(wanted))
    throw new Refusal(`Billing account ${wanted} was not found`, { field })
  return wanted
}

/** Refuses when `used` plus `more` would exceed the account's quota. */
export function checkQuota(caller: Caller, what: keyof Quota, used: () => number, more = 1): void {
  const limit = caller.account.quota[what]
  if (limit !== undefined && used() + more > limit)
    throw new Refusal(`Quota exceeded: at most ${limit} ${what} are allowed`, { name: 'quota' })
}

/** Refuses an amount of none, or above what the service has for one resource. */
export function checkAmount(field: string, amount: number, largest: number): void {
  if (amount < 1) throw new Refusal('Must be at least 1', { field })
  if (amount > largest) throw new Refusal(`Must be at most ${largest}`, { field })
}

/** Networks and load balancers belong to a location in the extended profile, to the account in the documented one. */
export function scopeOf(caller: Caller): string {
  return scopeIn(caller.world, caller.location)
}

export function scopeIn(world: World, location: string): string {
  return world.profile === 'extended' ? location : ''
}

/** Names the present content of a disk: gone content is looked for by this name. */
export function dataToken(disk: Disk): string {
  return `disk/${disk.uuid}/${disk.content}`
}

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
