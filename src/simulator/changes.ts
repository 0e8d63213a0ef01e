/** Changes behind the operator's back: what a person does in the console, or what happens by itself. */
import { deleteKey } from './state/buckets.ts'
import { addSnapshot, destroyDisk, unlinkDisk } from './state/disks.ts'
import { assignIp, deleteIp, unassignIp } from './state/floatingips.ts'
import { deleteLoadBalancer } from './state/loadbalancers.ts'
import type {
  Bucket,
  Caller,
  Disk,
  FloatingIp,
  LoadBalancer,
  Network,
  Token,
  Vm,
  World,
} from './state/model.ts'
import { setDefaultNetwork } from './state/networks.ts'
import { addReplica } from './state/replicas.ts'
import { attachStorage, detachStorage } from './state/storage.ts'
import { deleteToken } from './state/tokens.ts'
import { bootDiskOf, deleteVm } from './state/vms.ts'
import { callerOf, createStrangers, type Kind, type Strangers } from './strangers.ts'

/** Ids: uuid; address of a floating IP; name of a bucket; number of a token as text. */
export type Change =
  /** Sets fields of a VM without any rule: also statuses that the service does not have. */
  | { do: 'setVm'; uuid: string; set: VmFields }
  | { do: 'setDisk'; uuid: string; set: { sizeGib?: number; billingAccount?: number } }
  | { do: 'setBucket'; bucket: string; set: { objects?: number; sizeBytes?: number; suspended?: boolean } }
  | { do: 'rename'; kind: Exclude<Kind, 'bucket' | 'token'>; id: string; name: string }
  /** With every cross effect, but without preconditions. */
  | { do: 'delete'; kind: Kind; id: string }
  | { do: 'setDefaultNetwork'; uuid: string }
  | { do: 'assignIp'; address: string; to: string; type?: 'virtual_machine' | 'load_balancer' }
  | { do: 'unassignIp'; address: string }
  | { do: 'attachDisk'; vm: string; disk: string }
  | { do: 'detachDisk'; disk: string }
  | { do: 'snapshotDisk'; disk: string }
  /** A replica of a VM's boot disk of any type: 'backup' is what automatic backups make. */
  | { do: 'addReplica'; vm: string; type: string }
  /** A key pair of the object storage becomes invalid. */
  | { do: 'deleteKey'; accessKey: string }
  /** Things that nobody declared. */
  | ({ do: 'create' } & Strangers)

export interface VmFields {
  vcpu?: number
  memoryMib?: number
  status?: string
  name?: string
  description?: string
  backup?: boolean
  billingAccount?: number
  /** True: every change is answered with 409. */
  busy?: boolean
}

export interface ChangeResult {
  /** Ids of what was made. */
  ids: string[]
}

/** Carries out the change at once; throws when the thing does not exist or cannot be changed so. */
export function applyChange(world: World, change: Change, now: number): ChangeResult {
  switch (change.do) {
    case 'setVm':
      return set(find(world, 'vm', change.uuid), { ...change.set, updatedAt: now })
    case 'setDisk':
      return set(find(world, 'disk', change.uuid), { ...change.set, updatedAt: now })
    case 'setBucket':
      return set(find(world, 'bucket', change.bucket), { ...change.set, modifiedAt: now })
    case 'rename': {
      const named = change.kind === 'disk' || change.kind === 'loadBalancer' ? 'displayName' : 'name'
      return set(find(world, change.kind, change.id), { [named]: change.name, updatedAt: now })
    }
    case 'delete':
      return erase(world, change.kind, change.id, now)
    case 'create':
      return { ids: createStrangers(world, change, now) }
    default:
      return link(world, change, now)
  }
}

function set(thing: object, fields: object): ChangeResult {
  Object.assign(thing, fields)
  return { ids: [] }
}

type Link = Exclude<Change, { do: 'setVm' | 'setDisk' | 'setBucket' | 'rename' | 'delete' | 'create' }>

function link(world: World, change: Link, now: number): ChangeResult {
  const as = (owned: Owned): Caller => callerOf(world, owned, now)
  switch (change.do) {
    case 'setDefaultNetwork':
      setDefaultNetwork(as(find(world, 'network', change.uuid)), change.uuid)
      break
    case 'assignIp': {
      const caller = as(find(world, 'floatingIp', change.address))
      assignIp(caller, change.address, change.to, change.type ?? 'virtual_machine')
      break
    }
    case 'unassignIp':
      unassignIp(as(find(world, 'floatingIp', change.address)), change.address)
      break
    case 'attachDisk':
      attachStorage(as(find(world, 'vm', change.vm)), change.vm, change.disk)
      break
    case 'detachDisk': {
      const disk = find(world, 'disk', change.disk)
      if (disk.attachedTo === null) throw new Error(`not attached: ${change.disk}`)
      detachStorage(as(disk), disk.attachedTo, change.disk)
      break
    }
    case 'snapshotDisk': {
      const disk = find(world, 'disk', change.disk)
      return { ids: [addSnapshot(as(disk), disk, null).uuid] }
    }
    case 'deleteKey': {
      const owner = [...world.accounts.values()].find(({ objectStorage }) =>
        objectStorage.keys.some(({ accessKey }) => accessKey === change.accessKey),
      )
      if (owner === undefined) throw new Error(`no such key: ${change.accessKey}`)
      deleteKey(as(owner), change.accessKey)
      break
    }
    case 'addReplica': {
      const vm = find(world, 'vm', change.vm)
      const caller = as(vm)
      return { ids: [addReplica(caller, bootDiskOf(caller, vm), change.type).uuid] }
    }
  }
  return { ids: [] }
}

function erase(world: World, kind: Kind, id: string, now: number): ChangeResult {
  const thing = find(world, kind, id)
  const caller = callerOf(world, thing, now)
  switch (kind) {
    case 'vm':
      set(thing, { busy: false })
      deleteVm(caller, id)
      break
    case 'disk': {
      const disk = find(world, 'disk', id)
      const vm = world.vms.get(disk.attachedTo ?? '')
      if (vm !== undefined) unlinkDisk(vm, disk)
      destroyDisk(caller, disk)
      break
    }
    case 'bucket': {
      const bucket = find(world, 'bucket', id)
      if (bucket.objects > 0) world.lostDataTokens.push(`bucket/${id}/${bucket.generation}`)
      world.buckets.delete(id)
      break
    }
    case 'network':
      world.networks.delete(id)
      break
    case 'floatingIp':
      deleteIp(caller, id)
      break
    case 'loadBalancer':
      deleteLoadBalancer(caller, id)
      break
    case 'token':
      deleteToken(caller, Number(id))
      break
  }
  return { ids: [] }
}

interface Owned {
  userId: number
  location?: string
  scope?: string
}

interface Things {
  vm: Vm
  disk: Disk
  bucket: Bucket
  network: Network
  floatingIp: FloatingIp
  loadBalancer: LoadBalancer
  token: Token
}

/** A living thing by its id. */
function find<K extends Kind>(world: World, kind: K, id: string): Things[K] {
  const things: { [Each in Kind]: () => Things[Each] | undefined } = {
    vm: () => alive(world.vms.get(id)),
    disk: () => alive(world.disks.get(id)),
    bucket: () => world.buckets.get(id),
    network: () => world.networks.get(id),
    floatingIp: () =>
      [...world.floatingIps.values()].find((ip) => ip.address === id && ip.deletedAt === null),
    loadBalancer: () => alive(world.loadBalancers.get(id)),
    token: () => world.tokens.get(Number(id)),
  }
  const thing = things[kind]()
  if (thing === undefined) throw new Error(`no such ${kind}: ${id}`)
  return thing
}

function alive<T extends { deletedAt: number | null }>(thing: T | undefined): T | undefined {
  return thing?.deletedAt === null ? thing : undefined
}
