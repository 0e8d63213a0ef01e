/** Makes the session that objects of an account use. Clients are shared by everyone with the same endpoint and key. */
import type { CloudAccount } from '../../api/account.ts'
import type { ObservedCall } from '../../cloud/attempt.ts'
import { createCloudClient, type CloudClient } from '../../cloud/client.ts'
import { isCloudError } from '../../cloud/errors.ts'
import { Inventory } from '../../cloud/inventory.ts'
import { listLoadBalancers } from '../../cloud/loadbalancers.ts'
import { listNetworks } from '../../cloud/networks.ts'
import { listPools } from '../../cloud/pools.ts'
import type { TimeLimits } from '../../cloud/request.ts'
import type { Transport } from '../../cloud/wire.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Clock } from '../../loop/clock.ts'
import type { Capabilities, Session, SessionMemory } from '../../reconcile/session.ts'
import type { SeenAccount } from './seen.ts'

export interface Connection {
  readonly client: CloudClient
  readonly inventory: Inventory
  readonly capabilities: Capabilities
  readonly memory: SessionMemory
  /** Milliseconds after which nothing that began with it is under way any more. */
  readonly settleMs: number
}

export interface ConnectionOptions {
  readonly clock: Clock
  readonly scale: number
  readonly timeLimits?: Partial<TimeLimits>
  readonly observeCall: (call: ObservedCall) => void
  readonly log: Log
  /** Absent: HTTP to the endpoint. */
  readonly transport?: (endpoint: string) => Transport
}

/** Settings of an account with their defaults; times in milliseconds, scaled. */
export function settingsOf(account: CloudAccount, scale: number) {
  const { spec } = account
  return {
    limits: {
      requestsPerSecond: spec.limits?.requestsPerSecond ?? 10,
      maxInFlight: spec.limits?.maxInFlight ?? 64,
    },
    syncMs: (spec.syncIntervalSeconds ?? 300) * 1_000 * scale,
    settleMs: (spec.settleSeconds ?? 900) * 1_000 * scale,
  }
}

export interface Connections {
  /** The connection for these settings and this key: made, or shared with the accounts that have the same. */
  open(account: CloudAccount, endpoint: string, apiKey: string): Connection
  /** The account `key` uses this one from now on. One that no account uses is closed once what began with it is over. */
  use(key: string, connection: Connection): void
  /** The account `key` is gone. */
  forget(key: string): void
  closeAll(): Promise<void>
}

/** Connections by endpoint, key and limits. The key is a key of this map only, and leaves the process in no way. */
export function createConnections(options: ConnectionOptions): Connections {
  const { clock } = options
  const connections = new Map<string, Connection>()
  const users = new Map<string, Connection>()
  const closing = new AbortController()
  const retire = async (connection: Connection): Promise<void> => {
    await clock.sleep(connection.settleMs, closing.signal)
    if (closing.signal.aborted || [...users.values()].includes(connection)) return
    for (const [id, each] of connections) if (each === connection) connections.delete(id)
    await connection.client.close()
  }
  const change = (key: string, next: Connection | undefined): void => {
    const before = users.get(key)
    if (next === undefined) users.delete(key)
    else users.set(key, next)
    if (before !== undefined && before !== next && ![...users.values()].includes(before)) void retire(before)
  }
  return {
    open(account, endpoint, apiKey) {
      const { limits, settleMs } = settingsOf(account, options.scale)
      const id = JSON.stringify([endpoint, apiKey, limits, settleMs])
      const known = connections.get(id)
      if (known !== undefined) return known
      const { timeLimits, observeCall, log, transport } = options
      const client = createCloudClient({
        endpoint,
        apiKey,
        clock,
        limits,
        settleMs,
        observeCall,
        say: log,
        ...(timeLimits && { timeLimits }),
        ...(transport && { transport: transport(endpoint) }),
      })
      const made = {
        client,
        inventory: new Inventory(client, clock),
        capabilities: {},
        memory: emptyMemory(),
        settleMs,
      }
      connections.set(id, made)
      return made
    },
    use: change,
    forget: (key) => change(key, undefined),
    closeAll: async () => {
      closing.abort()
      await Promise.all([...connections.values()].map((each) => each.client.close()))
    },
  }
}
function emptyMemory(): SessionMemory {
  return {
    descriptions: new Map(),
    storage: new Map(),
    exactReadAt: new Map(),
    unlabelled: new Set(),
    diskDetails: new Map(),
  }
}

/** The session of a verified account. */
export function sessionFor(
  account: CloudAccount,
  connection: Connection,
  seen: SeenAccount,
  scale: number,
): Session {
  const { client, inventory, memory } = connection
  const capabilities = capabilitiesFor(account, connection.capabilities)
  const { syncMs, settleMs } = settingsOf(account, scale)
  const fallback = seen.locations.find((each) => each.isDefault) ?? seen.locations[0]
  return {
    account: `${account.metadata.namespace}/${account.metadata.name}`,
    client,
    inventory,
    capabilities,
    memory,
    endpoint: client.endpoint,
    userID: seen.user.id,
    billingAccount: account.spec.billingAccount,
    defaultLocation: account.spec.defaultLocation ?? fallback?.slug ?? '',
    locations: seen.locations,
    ...(seen.objectStorage && { objectStorageURL: seen.objectStorage.url }),
    syncMs,
    settleMs,
    onDelete: account.spec.defaults?.onDelete ?? 'Delete',
    dedicated: account.spec.dedicated === true,
    ignoresNamesakes: account.spec.namesakesOfOtherClusters === 'Ignore',
    pools: async (location) => seen.pools.get(location) ?? listPools(client, location),
    networkScope: learnedScope(
      () => capabilities.networksByLocation,
      (byLocation) => void (capabilities.networksByLocation = byLocation),
      (location) => listNetworks(client, location),
    ),
    loadBalancerScope: learnedScope(
      () => capabilities.loadBalancersByLocation,
      (byLocation) => void (capabilities.loadBalancersByLocation = byLocation),
      (location) => listLoadBalancers(client, location),
    ),
  }
}

/** Shared by the connection, seeded with what an earlier process learned; an account that forbids trying has its own. */
function capabilitiesFor(account: CloudAccount, shared: Capabilities): Capabilities {
  const learned = account.status?.capabilities
  if (learned?.diskNames !== undefined) shared.diskNames ??= learned.diskNames
  if (learned?.loadBalancerNames !== undefined) shared.loadBalancerNames ??= learned.loadBalancerNames
  if (account.spec.loadBalancerOperations === 'DocumentedOnly')
    return { ...shared, loadBalancerOperations: false }
  if (learned?.loadBalancerOperations === true) shared.loadBalancerOperations ??= true
  return shared
}

/** Learned once by a read with the slug: an unknown route means that this family is kept per account. */
function learnedScope(
  known: () => boolean | undefined,
  learn: (byLocation: boolean) => void,
  read: (location: string) => Promise<unknown>,
): (location: string) => Promise<string | undefined> {
  let learning: Promise<void> | undefined
  const ask = async (location: string): Promise<void> => {
    try {
      await read(location)
      learn(true)
    } catch (error) {
      if (!isCloudError(error, 'refused') || !error.missingRoute) throw error
      learn(false)
    } finally {
      learning = undefined
    }
  }
  return async (location) => {
    if (known() === undefined) await (learning ??= ask(location))
    return known() === true ? location : undefined
  }
}
