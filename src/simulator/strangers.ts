/** Things in the account that nobody declared: what others made by hand. */
import { createBucket } from './state/buckets.ts'
import { addDisk } from './state/disks.ts'
import { createIp } from './state/floatingips.ts'
import { createLoadBalancer } from './state/loadbalancers.ts'
import { defaultLocation } from './state/locations.ts'
import type { Caller, World } from './state/model.ts'
import { createNetwork } from './state/networks.ts'
import { settle } from './state/power.ts'
import { createToken } from './state/tokens.ts'
import { beginCreate } from './state/vmcreate.ts'

export type Kind = 'vm' | 'disk' | 'bucket' | 'network' | 'floatingIp' | 'loadBalancer' | 'token'

export interface Strangers {
  kind: Kind
  /** 1 when absent. */
  count?: number
  /** The owner's key; the first account when absent. */
  apiKey?: string
  /** The default location when absent. */
  location?: string
  /** A number is added when there are several. */
  name?: string
  description?: string
  /** Of VMs and load balancers; the default network when absent. */
  network?: string
  /** Of VMs and disks. */
  sizeGib?: number
}

/** Makes them with plain settings and returns their ids. */
export function createStrangers(world: World, wish: Strangers, now: number): string[] {
  const owner = wish.apiKey === undefined ? undefined : world.tokens.get(world.secrets.get(wish.apiKey) ?? -1)
  if (wish.apiKey !== undefined && owner === undefined) throw new Error('no account has that key')
  const userId = owner?.userId ?? [...world.accounts.keys()][0] ?? 0
  const caller = callerOf(world, { userId, location: wish.location ?? defaultLocation }, now)
  const count = wish.count ?? 1
  const base = wish.name ?? `stranger-${wish.kind.toLowerCase()}`
  return Array.from({ length: count }, (_, index) =>
    makers[wish.kind](caller, count === 1 ? base : `${base}-${index + 1}`, wish),
  )
}

type Maker = (caller: Caller, name: string, wish: Strangers) => string

const makers: Record<Kind, Maker> = {
  vm: (caller, name, wish) => {
    const vm = beginCreate(caller, {
      ...noExtras,
      name,
      osName: 'ubuntu',
      osVersion: '22.04',
      sizeGib: wish.sizeGib ?? 10,
      vcpu: 1,
      memoryMib: 1024,
      description: wish.description,
      billingAccount: billingOf(caller),
      networkUuid: wish.network,
    })
    settle(vm, 'running', caller.now)
    return vm.uuid
  },
  disk: (caller, name, wish) => {
    const sizeGib = wish.sizeGib ?? 10
    const disk = addDisk(caller, {
      billingAccount: billingOf(caller),
      sizeGib,
      sourceType: 'EMPTY',
      source: null,
    })
    disk.displayName = name
    return disk.uuid
  },
  bucket: (caller, name) => createBucket(caller, name, billingOf(caller)).name,
  network: (caller, name) => createNetwork(caller, name).uuid,
  floatingIp: (caller, name, wish) =>
    createIp(caller, billingOf(caller), wish.name === undefined ? '' : name).address,
  loadBalancer: (caller, name, wish) =>
    createLoadBalancer(caller, {
      displayName: name,
      billingAccount: billingOf(caller),
      networkUuid: wish.network ?? createNetwork(caller, undefined).uuid,
      reservePublicIp: false,
      rules: [{ sourcePort: 80, targetPort: 8080 }],
      targets: [],
    }).uuid,
  token: (caller, name) => {
    const token = createToken(caller, { billingAccount: 0, description: name, restricted: false })
    return String(token.id)
  },
}

const noExtras = {
  username: undefined,
  password: undefined,
  publicKey: undefined,
  backup: false,
  pool: undefined,
  sourceUuid: undefined,
  sourceReplica: undefined,
  diskUuid: undefined,
  reservePublicIp: false,
  cloudInit: undefined,
}

function billingOf(caller: Caller): number {
  return caller.account.billingAccounts[0] ?? 0
}

/** The owner of something, at work in the console where it is: no API token binds it. */
export function callerOf(
  world: World,
  owned: { userId: number; location?: string; scope?: string },
  now: number,
): Caller {
  const account = world.accounts.get(owned.userId)
  if (account === undefined) throw new Error(`no such account: ${owned.userId}`)
  const place = owned.location ?? owned.scope ?? ''
  const location = place === '' ? defaultLocation : place
  const token = { ...consoleToken, userId: owned.userId, createdAt: now }
  return { world, now, account, token, location, note: () => undefined }
}

const consoleToken = {
  ...{ id: 0, billingAccount: 0, restricted: false, description: 'console', secret: '' },
  ...{ consumerId: '', gatewayId: '', updatedAt: null },
}
