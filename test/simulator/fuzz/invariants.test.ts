import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { brokenInvariants, invariants } from './invariants.ts'
import { living, readState, type State } from './state.ts'

/** One of everything: a VM with a data disk, an address and a replica, behind a load balancer; a free disk; a bucket. */
function someState(): State {
  const { control } = createSimulator()
  const one = (kind: 'vm' | 'disk' | 'floatingIp' | 'loadBalancer' | 'bucket' | 'network') =>
    control.mutate({ do: 'create', kind, name: kind.toLowerCase() }).ids[0] ?? ''
  const vm = one('vm')
  control.mutate({ do: 'attachDisk', vm, disk: one('disk') })
  control.mutate({ do: 'assignIp', address: one('floatingIp'), to: vm })
  control.mutate({ do: 'addReplica', vm, type: 'snapshot' })
  control.mutate({ do: 'delete', kind: 'disk', id: one('disk') })
  for (const kind of ['disk', 'bucket', 'network', 'loadBalancer', 'floatingIp'] as const) one(kind)
  return readState(control.dump())
}

function first<T>(things: Iterable<T>): T {
  for (const thing of things) return thing
  throw new Error('there is none')
}

const firstVm = (state: State) => first(living(state.vms))
const bootDisk = (state: State) => first(living(state.disks).filter((disk) => disk.primary))
const freeDisk = (state: State) => first(living(state.disks).filter((disk) => disk.attachedTo === null))
const givenIp = (state: State) => first(living(state.floatingIps).filter((ip) => ip.assignedTo !== null))

test('nothing is wrong with a sound state', () => {
  expect(brokenInvariants(someState())).toEqual([])
})

const breaks: readonly [keyof typeof invariants, string, (state: State) => unknown][] = [
  [
    'idsAreUnique',
    'two networks of one id',
    (state) => (first(state.networks.values()).uuid = firstVm(state).uuid),
  ],
  ['idsAreUnique', 'a bucket under another name', (state) => (first(state.buckets.values()).name = 'other')],
  ['everythingHasAnOwner', 'a foreign billing account', (state) => (firstVm(state).billingAccount = 7)],
  ['everythingHasAnOwner', 'no owner', (state) => (first(state.networks.values()).userId = 7)],
  ['keysOpenTheirTokens', 'a key that opens nothing', (state) => state.tokens.clear()],
  ['keysOpenTheirTokens', 'a token without its key', (state) => state.secrets.clear()],
  [
    'keysOpenTheirTokens',
    'restricted to nothing',
    (state) => (first(state.tokens.values()).restricted = true),
  ],
  ['oneDefaultNetwork', 'none', (state) => (first(state.networks.values()).isDefault = false)],
  [
    'oneDefaultNetwork',
    'two',
    (state) => [...state.networks.values()].forEach((network) => (network.isDefault = true)),
  ],
  [
    'membersFitTheirNetwork',
    'a network that is gone',
    (state) => state.networks.delete(firstVm(state).networkUuid),
  ],
  [
    'membersFitTheirNetwork',
    'one private address twice',
    (state) => (first(living(state.loadBalancers)).privateAddress = firstVm(state).privateIpv4),
  ],
  ['disksAndVmsAgree', 'a disk on two VMs', (state) => firstVm(state).storage.push(bootDisk(state).uuid)],
  ['disksAndVmsAgree', 'no boot disk', (state) => (bootDisk(state).primary = false)],
  ['disksAndVmsAgree', 'a boot disk that is gone', (state) => state.disks.delete(bootDisk(state).uuid)],
  [
    'disksAndVmsAgree',
    'only the disk says so',
    (state) => (freeDisk(state).attachedTo = firstVm(state).uuid),
  ],
  ['addressesFitTheirTargets', 'a target that is gone', (state) => state.vms.clear()],
  [
    'addressesFitTheirTargets',
    'one address twice',
    (state) => living(state.floatingIps).forEach((ip) => (ip.address = '198.18.0.1')),
  ],
  ['freedAddressesAreFree', 'taken', (state) => (state.freedAddresses = { jkt01: [givenIp(state).address] })],
  [
    'loadBalancersAreSound',
    'a target that is none',
    (state) => first(living(state.loadBalancers)).targets.push({ vm: 'x', createdAt: 0 }),
  ],
  [
    'loadBalancersAreSound',
    'one port twice',
    (state) => {
      const { rules } = first(living(state.loadBalancers))
      rules.push({ ...first(rules), uuid: 'x' })
    },
  ],
  ['copiesFitTheirDisk', 'a replica of another', (state) => (first(bootDisk(state).replicas).uuid = 'x')],
  [
    'copiesFitTheirDisk',
    'a snapshot without its replica',
    (state) => bootDisk(state).snapshots.push({ uuid: 'x', sizeGib: 1, createdAt: 0, replica: 'y' }),
  ],
  ['sizesAreSound', 'no memory', (state) => (firstVm(state).memoryMib = 0)],
  ['busyVmsSayWhy', 'busy with nothing', (state) => (firstVm(state).busy = true)],
  [
    'lostDataIsGone',
    'there all the same',
    (state) => state.lostDataTokens.push(`disk/${bootDisk(state).uuid}/1`),
  ],
  ['lostDataIsGone', 'gone without a word', (state) => (state.lostDataTokens = [])],
]

test.each(breaks)('%s notices: %s', (name, _what, breakIt) => {
  const state = someState()
  breakIt(state)
  expect(brokenInvariants(state).filter((line) => line.startsWith(`${name}: `))).not.toEqual([])
})

test('each invariant is seen to notice something', () => {
  expect(new Set(breaks.map(([name]) => name))).toEqual(new Set(Object.keys(invariants)))
})
