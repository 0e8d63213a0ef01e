/** Accounts: who owns what, and the profile a person can change. */
import { digest, nextNumber, nextUuid } from './ids.ts'
import { locations } from './locations.ts'
import type { Account, Caller, Token, World } from './model.ts'
import { createNetwork } from './networks.ts'

export interface NewAccount {
  apiKey?: string
  billingAccounts?: number[]
  /** The first token is restricted to this billing account. */
  restrictedTo?: number
  /** Whether the account starts with a network named "Default network"; true when absent. */
  defaultNetwork?: boolean
  email?: string
}

/** Makes an account with one token; in the extended profile it has a default network in every location. */
export function createAccount(
  world: World,
  wish: NewAccount,
  now: number,
): { account: Account; token: Token } {
  const n = nextNumber(world, 'account')
  const restrictedTo = wish.restrictedTo
  const account: Account = {
    userId: 1000 + n,
    email: wish.email ?? `user${n}@example.com`,
    name: `user${n}`,
    billingAccounts: wish.billingAccounts ?? (restrictedTo === undefined ? [2000 + n] : [restrictedTo]),
    profile: {
      id: 3000 + n,
      firstName: 'Test',
      lastName: `User ${n}`,
      phoneNumber: '',
      personalIdNumber: '',
    },
    createdAt: now,
    profileUpdatedAt: now,
    objectStorage: { enabled: false, keys: [] },
    quota: {},
  }
  const token = newToken(world, account, now, {
    billingAccount: restrictedTo ?? 0,
    description: 'first token',
    restricted: restrictedTo !== undefined,
    secret: wish.apiKey,
  })
  world.accounts.set(account.userId, account)
  if (wish.defaultNetwork ?? true) addDefaultNetworks(world, account, token, now)
  return { account, token }
}

export interface NewToken {
  billingAccount: number
  description: string
  restricted: boolean
  secret?: string | undefined
}

/** Registers a token of the account. */
export function newToken(world: World, account: Account, now: number, wish: NewToken): Token {
  const id = nextNumber(world, 'token')
  const token: Token = {
    id,
    userId: account.userId,
    billingAccount: wish.billingAccount,
    consumerId: nextUuid(world, 'consumer'),
    gatewayId: nextUuid(world, 'gateway'),
    description: wish.description,
    restricted: wish.restricted,
    secret: wish.secret ?? digest(`${world.seed}/secret/${id}`).slice(0, 32),
    createdAt: now,
    updatedAt: null,
  }
  world.tokens.set(id, token)
  world.secrets.set(token.secret, id)
  return token
}

function addDefaultNetworks(world: World, account: Account, token: Token, now: number): void {
  const scopes = world.profile === 'extended' ? locations.map((location) => location.slug) : ['']
  for (const location of scopes) {
    const caller = { world, account, token, now, location, note: () => undefined }
    createNetwork(caller, undefined)
  }
}

export interface ProfileChange {
  firstName?: string | undefined
  lastName?: string | undefined
  phoneNumber?: string | undefined
  personalIdNumber?: string | undefined
}

/** Changes what is given of the caller's own profile. */
export function changeProfile(caller: Caller, change: ProfileChange): void {
  const { profile } = caller.account
  profile.firstName = change.firstName ?? profile.firstName
  profile.lastName = change.lastName ?? profile.lastName
  profile.phoneNumber = change.phoneNumber ?? profile.phoneNumber
  profile.personalIdNumber = change.personalIdNumber ?? profile.personalIdNumber
  caller.account.profileUpdatedAt = caller.now
  caller.note(`changed profile ${caller.account.userId}`)
}
