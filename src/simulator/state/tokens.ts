/** API tokens of the caller. */
import { newToken } from './accounts.ts'
import { checkQuota } from './caller.ts'
import type { Caller, Token } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

export function tokensOf(caller: Caller): Token[] {
  return [...caller.world.tokens.values()].filter((token) => token.userId === caller.account.userId)
}

export interface TokenWish {
  /** 0: not tied to one billing account. */
  billingAccount: number
  description: string
  restricted: boolean
}

export function createToken(caller: Caller, wish: TokenWish): Token {
  checkQuota(caller, 'tokens', () => tokensOf(caller).length)
  checkBilling(caller, wish.billingAccount, wish.restricted)
  const token = newToken(caller.world, caller.account, caller.now, wish)
  caller.note(`created token ${token.id}`)
  return token
}

export interface TokenChange {
  id: number
  /** 0 when not given: the token is then tied to none. */
  billingAccount: number
  description: string | undefined
  /** Can only be switched on. */
  restrict: boolean
}

export function changeToken(caller: Caller, change: TokenChange): void {
  const token = tokensOf(caller).find((candidate) => candidate.id === change.id)
  if (token === undefined) return refuse('Failed to update API token in gateway', { name: 'tokenUpdate' })
  const restricted = token.restricted || change.restrict
  checkBilling(caller, change.billingAccount, restricted)
  token.billingAccount = change.billingAccount
  token.description = change.description ?? token.description
  token.restricted = restricted
  token.updatedAt = caller.now
  caller.note(`changed token ${token.id}`)
}

export function deleteToken(caller: Caller, id: number): void {
  const token = tokensOf(caller).find((candidate) => candidate.id === id)
  if (token === undefined) return refuse('Failed to delete API token from gateway', { name: 'tokenDelete' })
  caller.world.tokens.delete(id)
  caller.world.secrets.delete(token.secret)
  caller.note(`deleted token ${id}`)
}

function checkBilling(caller: Caller, billingAccount: number, restricted: boolean): void {
  if (restricted && billingAccount === 0)
    throw new Refusal('A restricted token needs a billing account', { field: 'billing_account_id' })
  if (billingAccount !== 0 && !caller.account.billingAccounts.includes(billingAccount))
    throw new Refusal(`Billing account ${billingAccount} was not found`, { field: 'billing_account_id' })
}
