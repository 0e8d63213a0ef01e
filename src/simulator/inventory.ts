/** Everything alive in the service as plain sorted JSON: what tests compare before and after. No secrets. */
import { dataToken } from './state/caller.ts'
import type { World } from './state/model.ts'
import { membersOf } from './state/networks.ts'

export interface InventoryRow {
  /** The owner's user id. */
  owner: number
  [field: string]: unknown
}

export interface Inventory {
  vms: InventoryRow[]
  disks: InventoryRow[]
  buckets: InventoryRow[]
  networks: InventoryRow[]
  floatingIps: InventoryRow[]
  loadBalancers: InventoryRow[]
  tokens: InventoryRow[]
  keys: InventoryRow[]
}

/** Of one account, or of all of them. An unknown key owns nothing. */
export function inventoryOf(world: World, apiKey?: string): Inventory {
  const owner =
    apiKey === undefined ? undefined : (world.tokens.get(world.secrets.get(apiKey) ?? -1)?.userId ?? -1)
  const mine = <T extends { userId: number; deletedAt?: number | null }>(items: Iterable<T>): T[] =>
    [...items].filter(
      (item) => (owner === undefined || item.userId === owner) && (item.deletedAt ?? null) === null,
    )
  const members = membersOf(world, [...world.networks.values()], Number.POSITIVE_INFINITY)
  return {
    vms: sorted(mine(world.vms.values()), 'uuid', {
      dataTokens: ({ storage }) =>
        storage.flatMap((uuid) => {
          const disk = world.disks.get(uuid)
          return disk === undefined ? [] : [dataToken(disk)]
        }),
    }),
    disks: sorted(mine(world.disks.values()), 'uuid', { dataToken }),
    buckets: sorted(mine(world.buckets.values()), 'name', {
      dataToken: (bucket) => `bucket/${bucket.name}/${bucket.generation}`,
    }),
    networks: sorted(mine(world.networks.values()), 'uuid', {
      vms: (network) => [...(members.get(network.uuid)?.vms ?? [])].sort(),
    }),
    floatingIps: sorted(mine(world.floatingIps.values()), 'uuid', {}),
    loadBalancers: sorted(mine(world.loadBalancers.values()), 'uuid', {}),
    tokens: sorted(mine(world.tokens.values()), 'id', { secret: (token) => token.secret.slice(-4) }),
    keys: [...world.accounts.values()]
      .filter((account) => owner === undefined || account.userId === owner)
      .flatMap((account) =>
        account.objectStorage.keys.map(({ accessKey }) => ({ owner: account.userId, accessKey })),
      )
      .sort((a, b) => compare(a.accessKey, b.accessKey)),
  }
}

/** Fields that count what was ever handed out, and so are no part of what is alive. */
const counters = ['hosts']

type Extra<T> = Record<string, (item: T) => unknown>

function sorted<T extends { userId: number }>(items: T[], by: keyof T, extra: Extra<T>): InventoryRow[] {
  return [...items]
    .sort((a, b) => compare(String(a[by]), String(b[by])))
    .map((item) => {
      const { userId, ...fields } = item
      const shown = Object.entries(fields).filter(([name]) => !counters.includes(name))
      const added = Object.entries(extra).map(([name, value]) => [name, value(item)] as const)
      const entries = shown.map(([name, value]) => [name, copied(value)] as const)
      return {
        owner: userId,
        ...Object.fromEntries([...entries, ...added].sort(([a], [b]) => compare(a, b))),
      }
    })
}

/** A row must not change with the state later on, which is plain data. */
function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copied)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
