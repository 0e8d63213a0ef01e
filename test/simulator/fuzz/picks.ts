/** Draws values that fit the caller: mostly things that are its own and here, now and then somebody else's or nobody's. */
import type {
  Disk,
  FloatingIp,
  LoadBalancer,
  Network,
  Token,
  Vm,
} from '../../../src/simulator/state/model.ts'
import type { Random } from './random.ts'
import { living, type State } from './state.ts'

export interface Who {
  token: Token
  location: string
}

export interface Picks {
  random: Random
  vm(fits?: (vm: Vm) => boolean): string
  disk(fits?: (disk: Disk) => boolean): string
  /** A disk that is on the VM, rather not its boot disk. */
  diskOn(vm: string): string
  network(fits?: (network: Network) => boolean): string
  address(fits?: (ip: FloatingIp) => boolean): string
  balancer(fits?: (balancer: LoadBalancer) => boolean): string
  targetOf(balancer: string): string
  ruleOf(balancer: string): string
  replicaOf(vm: string): string
  anyReplica(): string
  snapshot(): string
  bucket(fits?: (bucket: { objects: number }) => boolean): string
  accessKey(): string
  tokenId(): number
  billing(): number
  networkHolds(uuid: string): boolean
}

/** How often something that is not the caller's own is drawn. */
const astray = 0.06

export function picksOf(state: State, { token, location }: Who, random: Random): Picks {
  const mine = (thing: { userId: number; location?: string; scope?: string }): boolean =>
    thing.userId === token.userId &&
    (thing.location ?? location) === location &&
    (thing.scope === undefined || thing.scope === '' || thing.scope === location)
  const anyUuid = (): string => uuidOf(state, random)
  const draw = (ids: readonly string[]): string =>
    ids.length === 0 || random.chance(astray) ? anyUuid() : random.oneOf(ids)
  const uuids = <T extends { uuid: string }>(things: readonly T[], fits: (thing: T) => boolean): string[] => {
    const fitting = things.filter(fits)
    return (fitting.length > 0 ? fitting : things).map((thing) => thing.uuid)
  }
  const all = () => true
  const myVms = () => living(state.vms).filter(mine)
  const myDisks = () => living(state.disks).filter(mine)
  const myBuckets = () => [...state.buckets.values()].filter((bucket) => bucket.userId === token.userId)
  const myIps = () => living(state.floatingIps).filter(mine)
  const replicasOn = (vm: string) =>
    (state.vms.get(vm)?.storage ?? []).flatMap((uuid) => state.disks.get(uuid)?.replicas ?? [])
  const holders = () =>
    new Set([...living(state.vms), ...living(state.loadBalancers)].map(({ networkUuid }) => networkUuid))
  return {
    random,
    vm: (fits = all) => draw(uuids(myVms(), fits)),
    disk: (fits = all) => draw(uuids(myDisks(), fits)),
    diskOn: (vm) => {
      const all = state.vms.get(vm)?.storage ?? []
      return draw(all.length > 1 && random.chance(0.8) ? all.slice(1) : all)
    },
    network: (fits = all) => draw(uuids([...state.networks.values()].filter(mine), fits)),
    address: (fits = all) => {
      const ips = myIps()
      const fitting = ips.filter(fits)
      const from = fitting.length > 0 ? fitting : ips
      if (from.length === 0 || random.chance(astray)) return strayAddress(state, random)
      return random.oneOf(from).address
    },
    balancer: (fits = all) => draw(uuids(living(state.loadBalancers).filter(mine), fits)),
    targetOf: (balancer) => draw((state.loadBalancers.get(balancer)?.targets ?? []).map(({ vm }) => vm)),
    ruleOf: (balancer) => draw((state.loadBalancers.get(balancer)?.rules ?? []).map(({ uuid }) => uuid)),
    replicaOf: (vm) => draw(replicasOn(vm).map(({ uuid }) => uuid)),
    anyReplica: () => draw(myDisks().flatMap((disk) => disk.replicas.map(({ uuid }) => uuid))),
    snapshot: () => draw(myDisks().flatMap((disk) => disk.snapshots.map(({ uuid }) => uuid))),
    bucket: (fits = all) => {
      const buckets = myBuckets()
      const fitting = buckets.filter(fits)
      const from = random.chance(astray)
        ? [...state.buckets.values()]
        : fitting.length > 0
          ? fitting
          : buckets
      return from.length === 0 ? 'no-such-bucket' : random.oneOf(from).name
    },
    accessKey: () => {
      const keys = state.accounts.get(token.userId)?.objectStorage.keys ?? []
      return keys.length === 0 || random.chance(astray) ? 'NOSUCHKEY' : random.oneOf(keys).accessKey
    },
    tokenId: () => {
      const own = [...state.tokens.values()].filter(({ userId }) => userId === token.userId)
      const from = random.chance(astray) ? [...state.tokens.values()] : own
      return from.length === 0 || random.chance(astray) ? random.whole(0, 99_999) : random.oneOf(from).id
    },
    billing: () => {
      const own = state.accounts.get(token.userId)?.billingAccounts ?? []
      if (token.restricted && !random.chance(astray)) return token.billingAccount
      return own.length === 0 || random.chance(astray) ? random.whole(0, 9999) : random.oneOf(own)
    },
    networkHolds: (uuid) => holders().has(uuid),
  }
}

const unknown = [
  '00000000-0000-4000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'not-a-uuid',
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '%00',
  '..',
  'é💥',
]

/** An id of any kind, owner and place, also of what is gone; or one that nobody has. */
export function uuidOf(state: State, random: Random): string {
  const kinds = [state.vms, state.disks, state.networks, state.loadBalancers]
  const ids = [...random.oneOf(kinds).keys()]
  return ids.length === 0 || random.chance(0.3) ? random.oneOf(unknown) : random.oneOf(ids)
}

function strayAddress(state: State, random: Random): string {
  const ips = [...state.floatingIps.values()]
  const others = ['198.18.0.0', '0.0.0.0', '999.1.1.1', 'not-an-address', '::1']
  return ips.length === 0 || random.chance(0.3) ? random.oneOf(others) : random.oneOf(ips).address
}
