/** Private networks. */
import { checkQuota, scopeOf } from './caller.ts'
import { ipv4, nextNumber, nextUuid } from './ids.ts'
import type { Caller, Network, World } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

const firstAddress = 10 * 2 ** 24
const subnetSize = 2 ** 14
const firstHost = 10

/** The caller's networks in the scope of the call, oldest first. */
export function networksOf(caller: Caller): Network[] {
  const scope = scopeOf(caller)
  return [...caller.world.networks.values()].filter(
    (network) => network.userId === caller.account.userId && network.scope === scope,
  )
}

export function networkOf(caller: Caller, uuid: string): Network {
  const network = caller.world.networks.get(uuid)
  if (network?.userId === caller.account.userId && network.scope === scopeOf(caller)) return network
  return refuse('Network UUID is invalid.', { name: 'networkUnknown' })
}

/** The network a VM is made in: the given one, or whichever is default now (made when there is none). */
export function networkForVm(caller: Caller, uuid: string | undefined): Network {
  if (uuid === undefined) return createNetwork(caller, undefined)
  const network = caller.world.networks.get(uuid)
  if (network?.userId === caller.account.userId && network.scope === scopeOf(caller)) return network
  throw new Refusal('Network UUID is invalid.', { field: 'network_uuid' })
}

/** Without a name: the default network, made when there is none. With one: a new network, default if it is the first. */
export function createNetwork(caller: Caller, name: string | undefined): Network {
  const existing = networksOf(caller)
  const current = existing.find((network) => network.isDefault)
  if (name === undefined && current !== undefined) return current
  checkQuota(caller, 'networks', () => existing.length)
  const { world, now } = caller
  const id = nextNumber(world, 'network')
  const base = firstAddress + (id % 1024) * subnetSize
  const network: Network = {
    uuid: nextUuid(world, 'network-uuid'),
    id,
    userId: caller.account.userId,
    scope: scopeOf(caller),
    name: name ?? 'Default network',
    vlanId: 100 + id,
    subnet: `${ipv4(base)}/18`,
    subnetIpv6: `fd00:${id.toString(16)}::/64`,
    base,
    hosts: 0,
    isDefault: current === undefined && (name === undefined || existing.length === 0),
    createdAt: now,
    updatedAt: now,
  }
  world.networks.set(network.uuid, network)
  caller.note(`created network ${network.uuid}`)
  return network
}

/** Makes it the default one, and every other network of its scope not. */
export function setDefaultNetwork(caller: Caller, uuid: string): Network {
  const chosen = networkOf(caller, uuid)
  for (const network of networksOf(caller)) {
    if (network.isDefault !== (network === chosen)) network.updatedAt = caller.now
    network.isDefault = network === chosen
  }
  caller.note(`default network ${uuid}`)
  return chosen
}

export function renameNetwork(caller: Caller, uuid: string, name: string): Network {
  const network = networkOf(caller, uuid)
  network.name = name
  network.updatedAt = caller.now
  caller.note(`renamed network ${uuid}`)
  return network
}

/** Only a network that is not default and holds nothing can go. */
export function deleteNetwork(caller: Caller, uuid: string): void {
  const network = networkOf(caller, uuid)
  if (network.isDefault)
    refuse('The default network cannot be deleted.', { name: 'networkDefault', precondition: true })
  const members = membersOf(caller.world, [network], caller.now).get(uuid)
  if (members !== undefined && members.vms.length + members.others > 0)
    refuse('Network cannot be deleted, it has resources.', { name: 'networkInUse', precondition: true })
  caller.world.networks.delete(uuid)
  caller.note(`deleted network ${uuid}`)
}

export interface Members {
  vms: string[]
  /** Load balancers. */
  others: number
}

/** Who is in each of the networks, in one pass. A VM just deleted stays for the time the rule says. */
export function membersOf(world: World, networks: readonly Network[], now: number): Map<string, Members> {
  const members = new Map(networks.map((network) => [network.uuid, { vms: [] as string[], others: 0 }]))
  for (const vm of world.vms.values()) {
    const gone = vm.deletedAt !== null && vm.deletedAt + world.rules.memberLagMs <= now
    if (!gone) members.get(vm.networkUuid)?.vms.push(vm.uuid)
  }
  for (const balancer of world.loadBalancers.values()) {
    const network = members.get(balancer.networkUuid)
    if (network !== undefined && balancer.deletedAt === null) network.others += 1
  }
  return members
}

/** The next free private address of the network. */
export function takePrivateAddress(network: Network): string {
  const host = firstHost + (network.hosts % (subnetSize - firstHost - 1))
  network.hosts += 1
  return ipv4(network.base + host)
}
