/**
 * How the service writes its records: state in, JSON out, one file per family. Nothing here changes state. This file:
 * users, profiles and tokens.
 */
import type { Account, Token } from '../state/model.ts'
import { vmTime } from '../time.ts'

export function userRecord(account: Account): Record<string, unknown> {
  return {
    cookie_id: `cookie-${account.userId}`,
    id: account.userId,
    last_activity: vmTime(account.createdAt),
    name: account.name,
    profile: null,
    profile_data: profileRecord(account),
    state: {},
  }
}

export function profileRecord(account: Account): Record<string, unknown> {
  const { profile } = account
  return {
    avatar: `https://avatar.invalid/${account.userId}.png`,
    created_at: vmTime(account.createdAt),
    email: account.email,
    first_name: profile.firstName,
    id: profile.id,
    last_name: profile.lastName,
    personal_id_number: profile.personalIdNumber,
    phone_number: profile.phoneNumber,
    updated_at: vmTime(account.profileUpdatedAt),
    user_id: account.userId,
  }
}

/** Holds the secret, as the service's own record does. */
export function tokenRecord(token: Token): Record<string, unknown> {
  return {
    id: token.id,
    user_id: token.userId,
    billing_account_id: token.billingAccount,
    consumer_id: token.consumerId,
    gateway_id: token.gatewayId,
    description: token.description,
    restricted: token.restricted,
    token: token.secret,
    created_at: vmTime(token.createdAt),
    updated_at: token.updatedAt === null ? null : vmTime(token.updatedAt),
  }
}
