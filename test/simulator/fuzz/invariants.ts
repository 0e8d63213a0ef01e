/**
 * What is true of the service's state after every call, whatever was asked. Each is a pure function that gives what
 * breaks it, one line each, and nothing when it holds.
 */
import { living, type State } from './state.ts'

export type Invariant = (state: State) => string[]

/** Every id names one thing, and every record stands under its own id. */
export const idsAreUnique: Invariant = (state) => [
  ...twice('uuid', [
    ...[...state.vms.values()].map((vm) => vm.uuid),
    ...[...state.disks.values()].flatMap((disk) => [
      disk.uuid,
      ...disk.snapshots.map(({ uuid }) => uuid),
      ...disk.replicas.map(({ uuid }) => uuid),
    ]),
    ...[...state.networks.values()].map((network) => network.uuid),
    ...[...state.floatingIps.values()].map((ip) => ip.uuid),
    ...[...state.loadBalancers.values()].flatMap((balancer) => [
      balancer.uuid,
      ...balancer.rules.map((rule) => rule.uuid),
    ]),
    ...[...state.tokens.values()].flatMap((token) => [token.consumerId, token.gatewayId]),
  ]),
  ...twice(
    'vm id',
    [...state.vms.values()].map((vm) => vm.id),
  ),
  ...twice(
    'mac',
    [...state.vms.values()].map((vm) => vm.mac),
  ),
  ...twice(
    'disk id',
    [...state.disks.values()].map((disk) => disk.id),
  ),
  ...twice(
    'replica id',
    [...state.disks.values()].flatMap((disk) => disk.replicas.map(({ id }) => id)),
  ),
  ...twice(
    'access key',
    [...state.accounts.values()].flatMap(({ objectStorage }) =>
      objectStorage.keys.map(({ accessKey }) => accessKey),
    ),
  ),
  ...misplaced('vm', state.vms, (vm) => vm.uuid),
  ...misplaced('disk', state.disks, (disk) => disk.uuid),
  ...misplaced('network', state.networks, (network) => network.uuid),
  ...misplaced('floating ip', state.floatingIps, (ip) => ip.id),
  ...misplaced('load balancer', state.loadBalancers, (balancer) => balancer.uuid),
  ...misplaced('bucket', state.buckets, (bucket) => bucket.name),
  ...misplaced('token', state.tokens, (token) => token.id),
]

/** Everything belongs to an account that there is, and to a billing account of it. */
export const everythingHasAnOwner: Invariant = (state) => {
  const owned = [
    ...state.vms.values(),
    ...state.disks.values(),
    ...state.buckets.values(),
    ...state.floatingIps.values(),
    ...state.loadBalancers.values(),
  ]
  return [
    ...owned
      .filter(({ userId, billingAccount }) => !billable(state, userId, billingAccount))
      .map((thing) => `billing account ${thing.billingAccount} is not one of user ${thing.userId}`),
    ...[...state.networks.values()]
      .filter(({ userId }) => !state.accounts.has(userId))
      .map(({ uuid }) => `network ${uuid} has no owner`),
  ]
}

/** A key opens the token that carries it; a restricted token has the billing account it is restricted to. */
export const keysOpenTheirTokens: Invariant = (state) => [
  ...[...state.secrets]
    .filter(([secret, id]) => state.tokens.get(id)?.secret !== secret)
    .map(([, id]) => `a key opens token ${id}, which is not its own`),
  ...[...state.tokens.values()]
    .filter((token) => state.secrets.get(token.secret) !== token.id)
    .map(({ id }) => `token ${id} cannot be opened`),
  ...[...state.tokens.values()]
    .filter(({ userId, billingAccount }) => billingAccount !== 0 && !billable(state, userId, billingAccount))
    .map(({ id }) => `token ${id} is tied to a billing account that its owner does not have`),
  ...[...state.tokens.values()]
    .filter((token) => token.restricted && token.billingAccount === 0)
    .map(({ id }) => `token ${id} is restricted to no billing account`),
]

/** An account that has networks (in a location, where they belong to one) has exactly one default network. */
export const oneDefaultNetwork: Invariant = (state) => {
  const counts = new Map<string, number>()
  for (const { userId, scope, isDefault } of state.networks.values()) {
    const place = `user ${userId} in '${scope}'`
    counts.set(place, (counts.get(place) ?? 0) + (isDefault ? 1 : 0))
  }
  return [...counts]
    .filter(([, defaults]) => defaults !== 1)
    .map(([place, defaults]) => `${place} has ${defaults} default networks`)
}

/** VMs and load balancers are in a network of their owner and place, each at an address of its own. */
export const membersFitTheirNetwork: Invariant = (state) => {
  const members = [
    ...living(state.vms).map((vm) => ({ ...vm, address: vm.privateIpv4, place: vm.location })),
    ...living(state.loadBalancers).map((balancer) => ({
      ...balancer,
      address: balancer.privateAddress,
      place: balancer.location,
    })),
  ]
  return [
    ...members.flatMap(({ uuid, networkUuid, userId, place }) => {
      const network = state.networks.get(networkUuid)
      const fits = network?.userId === userId && (network.scope === '' || network.scope === place)
      return fits ? [] : [`${uuid} is in network ${networkUuid}, which is none of its owner and place`]
    }),
    ...twice(
      'private address',
      members.map(({ networkUuid, address }) => `${networkUuid} ${address}`),
    ),
  ]
}

/** A disk is on one VM at most, and both say so; a VM has one boot disk, and its devices have different names. */
export const disksAndVmsAgree: Invariant = (state) => [
  ...twice(
    'attached disk',
    living(state.vms).flatMap((vm) => vm.storage),
  ),
  ...[...state.disks.values()].flatMap((disk) => {
    if (disk.attachedTo === null) return disk.primary ? [`free disk ${disk.uuid} is a boot disk`] : []
    const vm = state.vms.get(disk.attachedTo)
    if (disk.deletedAt !== null || vm === undefined || vm.deletedAt !== null)
      return [`disk ${disk.uuid} is on ${disk.attachedTo}, one of which is gone`]
    const fits = vm.userId === disk.userId && vm.location === disk.location
    return fits && vm.storage.includes(disk.uuid)
      ? []
      : [`disk ${disk.uuid} is on a VM that knows nothing of it`]
  }),
  ...[...state.vms.values()].flatMap((vm) => {
    if (vm.deletedAt !== null) return vm.storage.length > 0 ? [`deleted vm ${vm.uuid} has disks`] : []
    const disks = vm.storage.map((uuid) => state.disks.get(uuid))
    if (disks.some((disk) => disk?.attachedTo !== vm.uuid))
      return [`vm ${vm.uuid} has a disk that is not on it`]
    const boot = disks.filter((disk) => disk?.primary === true).length
    return [
      ...(boot === 1 ? [] : [`vm ${vm.uuid} has ${boot} boot disks`]),
      ...twice(
        `device of vm ${vm.uuid}`,
        disks.map((disk) => disk?.device),
      ),
    ]
  }),
]

/** An address is one floating IP's, which is on one living target of its owner and place, or on none. */
export const addressesFitTheirTargets: Invariant = (state) => [
  ...twice(
    'public address',
    living(state.floatingIps).map((ip) => ip.address),
  ),
  ...[...state.floatingIps.values()].flatMap((ip) => {
    if (ip.assignedTo === null)
      return ip.assignedType === null ? [] : [`${ip.address} has the type of no target`]
    const vm = ip.assignedType === 'virtual_machine'
    const target = vm ? state.vms.get(ip.assignedTo) : state.loadBalancers.get(ip.assignedTo)
    const lives = ip.deletedAt === null && target !== undefined && target.deletedAt === null
    const fits = target?.userId === ip.userId && target.location === ip.location
    return lives && fits ? [] : [`${ip.address} is on ${ip.assignedTo}, which is none of its owner and place`]
  }),
]

/** An address that was given back is nobody's. */
export const freedAddressesAreFree: Invariant = (state) => {
  const taken = new Set(living(state.floatingIps).map((ip) => ip.address))
  return Object.values(state.freedAddresses)
    .flat()
    .filter((address) => taken.has(address))
    .map((address) => `freed address ${address} is taken`)
}

/** A target is a living VM of the load balancer's owner (one that is deleted is forgotten); source ports differ. */
export const loadBalancersAreSound: Invariant = (state) =>
  [...state.loadBalancers.values()].flatMap((balancer) => [
    ...balancer.targets
      .filter(({ vm: uuid }) => {
        const vm = state.vms.get(uuid)
        const elsewhere = balancer.scope !== '' && vm?.location !== balancer.location
        return vm?.userId !== balancer.userId || vm.deletedAt !== null || elsewhere
      })
      .map(({ vm }) => `load balancer ${balancer.uuid} has the target ${vm}, which is none`),
    ...twice(
      `source port of ${balancer.uuid}`,
      balancer.rules.map((rule) => rule.sourcePort),
    ),
  ])

/** Replicas carry the id of their disk; a snapshot that came with a replica goes with it; deleted disks have neither. */
export const copiesFitTheirDisk: Invariant = (state) =>
  [...state.disks.values()].flatMap((disk) => {
    const replicas = disk.replicas.map((replica) => replica.uuid)
    return [
      ...replicas
        .filter((uuid) => !new RegExp(`^${disk.uuid}\\d{4}(-\\d\\d){5}$`).test(uuid))
        .map((uuid) => `replica ${uuid} is not named after disk ${disk.uuid}`),
      ...disk.snapshots
        .filter((snapshot) => snapshot.replica !== null && !replicas.includes(snapshot.replica))
        .map((snapshot) => `snapshot ${snapshot.uuid} outlived its replica`),
      ...(disk.deletedAt !== null && disk.snapshots.length + replicas.length > 0
        ? [`deleted disk ${disk.uuid} has copies`]
        : []),
    ]
  })

/** Sizes are whole numbers above zero. */
export const sizesAreSound: Invariant = (state) => [
  ...living(state.vms)
    .filter(({ vcpu, memoryMib }) => !isAmount(vcpu) || !isAmount(memoryMib))
    .map(({ uuid }) => `vm ${uuid} has an impossible size`),
  ...living(state.disks)
    .filter(({ sizeGib }) => !isAmount(sizeGib))
    .map(({ uuid }) => `disk ${uuid} has an impossible size`),
]

/** A VM is busy exactly while its status says what runs on it. */
export const busyVmsSayWhy: Invariant = (state) => {
  const underway = ['creating', 'starting', 'stopping', 'reinstalling', 'rebuilding']
  const resting = ['running', 'stopped']
  return living(state.vms)
    .filter(({ busy, status }) => !(busy ? underway : resting).includes(status))
    .map(({ uuid, busy, status }) => `vm ${uuid} is ${status} and ${busy ? 'busy' : 'idle'}`)
}

/** What is called lost is neither lost twice nor still there. */
export const lostDataIsGone: Invariant = (state) => {
  const lost = new Set(state.lostDataTokens)
  return [
    ...twice('lost data token', state.lostDataTokens),
    ...living(state.disks)
      .map((disk) => `disk/${disk.uuid}/${disk.content}`)
      .filter((token) => lost.has(token))
      .map((token) => `${token} is called lost`),
    ...[...state.disks.values()]
      .filter((disk) => disk.deletedAt !== null && !lost.has(`disk/${disk.uuid}/${disk.content}`))
      .map((disk) => `what was on disk ${disk.uuid} is not called lost`),
  ]
}

export const invariants: Readonly<Record<string, Invariant>> = {
  idsAreUnique,
  everythingHasAnOwner,
  keysOpenTheirTokens,
  oneDefaultNetwork,
  membersFitTheirNetwork,
  disksAndVmsAgree,
  addressesFitTheirTargets,
  freedAddressesAreFree,
  loadBalancersAreSound,
  copiesFitTheirDisk,
  sizesAreSound,
  busyVmsSayWhy,
  lostDataIsGone,
}

/** Every broken invariant, as 'name: what is wrong'. */
export function brokenInvariants(state: State): string[] {
  return Object.entries(invariants).flatMap(([name, holds]) => holds(state).map((line) => `${name}: ${line}`))
}

function billable(state: State, userId: number, billingAccount: number): boolean {
  return state.accounts.get(userId)?.billingAccounts.includes(billingAccount) === true
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

function twice(what: string, values: readonly unknown[]): string[] {
  if (new Set(values).size === values.length) return []
  const seen = new Set<unknown>()
  const again = new Set(values.filter((value) => seen.has(value) || !seen.add(value)))
  return [...again].map((value) => `${what} ${String(value)} is there twice`)
}

function misplaced<K, T>(what: string, things: ReadonlyMap<K, T>, keyOf: (thing: T) => K): string[] {
  return [...things]
    .filter(([key, thing]) => keyOf(thing) !== key)
    .map(([key]) => `${what} ${String(key)} is misplaced`)
}
