/** Making a VM: from an image, from an existing disk, or from a replica of another one. */
import { billingAccountFor, checkAmount, checkQuota, roundUp } from './caller.ts'
import { addDisk, diskOf, disksOf, linkDisk } from './disks.ts'
import { assign, checkAddress, createIp } from './floatingips.ts'
import { digest, nextNumber, nextUuid } from './ids.ts'
import { checkImage, poolFor } from './locations.ts'
import type { Caller, Disk, Network, Vm } from './model.ts'
import { networkForVm, takePrivateAddress } from './networks.ts'
import { Refusal } from './refusal.ts'
import { findReplica, systemOf } from './replicas.ts'
import { checkCapacity, checkPassword, vmOf, vmsOf } from './vms.ts'

export interface NewVm {
  name: string
  osName: string | undefined
  osVersion: string | undefined
  /** Size of the boot disk. */
  sizeGib: number | undefined
  vcpu: number | undefined
  memoryMib: number | undefined
  username: string | undefined
  password: string | undefined
  publicKey: string | undefined
  description: string | undefined
  backup: boolean
  billingAccount: number | undefined
  pool: string | undefined
  sourceUuid: string | undefined
  sourceReplica: string | undefined
  diskUuid: string | undefined
  reservePublicIp: boolean
  networkUuid: string | undefined
  cloudInit: string | undefined
}

/** The VM is there at once, locked and 'creating' until its time is over. */
export function beginCreate(caller: Caller, wish: NewVm): Vm {
  const billingAccount = billingAccountFor(caller, wish.billingAccount)
  if (caller.world.rules.refuseWeakCredentials) checkCredentials(wish)
  if (wish.cloudInit !== undefined) checkCloudInit(wish.cloudInit)
  const pool = poolFor(caller.location, wish.pool)
  checkQuota(caller, 'vms', () => vmsOf(caller).length)
  const base = baseOf(caller, wish)
  const vcpu = wish.vcpu ?? base.vcpu ?? missing('vcpu')
  const memoryMib = roundUp(wish.memoryMib ?? base.memoryMib ?? missing('ram'), caller.world.rules.ramStepMib)
  checkAmount('vcpu', vcpu, caller.world.rules.largestVcpu)
  checkAmount('ram', memoryMib, caller.world.rules.largestRamMib)
  checkCapacity(caller, vcpu, memoryMib)
  if (wish.reservePublicIp) checkAddress(caller)
  const network = networkForVm(caller, wish.networkUuid)
  const bootDisk = base.disk(billingAccount)
  const vm = addVm(caller, network, {
    billingAccount,
    name: wish.name,
    description: wish.description ?? '',
    backup: wish.backup,
    username: wish.username ?? 'user',
    passwordSha256: wish.password === undefined ? null : digest(wish.password),
    publicKey: wish.publicKey ?? null,
    cloudInit: wish.cloudInit ?? null,
    memoryMib,
    vcpu,
    osName: base.osName,
    osVersion: base.osVersion,
    pool: pool.uuid,
  })
  linkDisk(caller, vm, bootDisk, true)
  if (wish.reservePublicIp) reserveIpFor(caller, vm)
  return vm
}

function checkCredentials({ username, password }: NewVm): void {
  if (username === 'root') throw new Refusal('The user name root is not allowed', { field: 'username' })
  if (password !== undefined) checkPassword(password)
}

interface Base {
  osName: string
  osVersion: string
  vcpu?: number
  memoryMib?: number
  /** Makes or takes the boot disk, after every check has passed. */
  disk(billingAccount: number): Disk
}

function baseOf(caller: Caller, wish: NewVm): Base {
  if (wish.diskUuid !== undefined) return existingDisk(caller, wish, wish.diskUuid)
  if (wish.sourceUuid !== undefined || wish.sourceReplica !== undefined) return replicaBase(caller, wish)
  const osName = given(wish.osName, 'os_name')
  const osVersion = given(wish.osVersion, 'os_version')
  checkImage(osName, osVersion, 'os_version')
  const sizeGib = wish.sizeGib ?? missing('disks')
  checkAmount('disks', sizeGib, caller.world.rules.largestDiskGib)
  const source = `${osName}_${osVersion}`
  return {
    osName,
    osVersion,
    disk: (billingAccount) => addDisk(caller, { billingAccount, sizeGib, sourceType: 'OS_BASE', source }),
  }
}

function existingDisk(caller: Caller, wish: NewVm, uuid: string): Base {
  if (wish.sizeGib !== undefined)
    throw new Refusal('Must be empty when disk_uuid is given', { field: 'disks' })
  const disk = disksOf(caller).find((candidate) => candidate.uuid === uuid)
  if (disk === undefined) throw new Refusal(`No such disk: ${uuid}`, { field: 'disk_uuid' })
  if (disk.attachedTo !== null) throw new Refusal('The disk is attached already', { field: 'disk_uuid' })
  const [osName = 'custom', osVersion = ''] =
    disk.sourceType === 'OS_BASE' ? (disk.source ?? '').split('_') : []
  return {
    osName: wish.osName ?? osName,
    osVersion: wish.osVersion ?? osVersion,
    disk: () => diskOf(caller, uuid),
  }
}

function replicaBase(caller: Caller, wish: NewVm): Base {
  const source = vmOf(caller, wish.sourceUuid ?? missing('source_uuid'))
  const found = findReplica(caller, source, wish.sourceReplica ?? missing('source_replica'), 'source_replica')
  if (wish.sizeGib !== undefined) checkAmount('disks', wish.sizeGib, caller.world.rules.largestDiskGib)
  const { vcpu, memoryMib } = source
  const { sourceType, source: image } = found.replica
  return {
    ...systemOf(found.replica, source),
    vcpu,
    memoryMib,
    disk: (billingAccount) => {
      const sizeGib = Math.max(found.replica.sizeGib, wish.sizeGib ?? 0)
      return addDisk(caller, { billingAccount, sizeGib, sourceType, source: image })
    },
  }
}

export type RawVm = Pick<
  Vm,
  | 'billingAccount'
  | 'name'
  | 'description'
  | 'backup'
  | 'username'
  | 'passwordSha256'
  | 'publicKey'
  | 'cloudInit'
  | 'memoryMib'
  | 'vcpu'
  | 'osName'
  | 'osVersion'
  | 'pool'
>

/** Adds a VM in state 'creating' to the network, without disks. */
export function addVm(caller: Caller, network: Network, raw: RawVm): Vm {
  const { world, now } = caller
  const uuid = nextUuid(world, 'vm')
  const id = nextNumber(world, 'vm-id')
  const hostname = raw.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  const mac = nextNumber(world, 'mac')
    .toString(16)
    .padStart(6, '0')
    .replace(/(..)(?=.)/g, '$1:')
  const vm: Vm = {
    uuid,
    id,
    userId: caller.account.userId,
    location: caller.location,
    hostname,
    status: 'creating',
    busy: true,
    mac: `52:54:00:${mac}`,
    privateIpv4: takePrivateAddress(network),
    publicIpv6: `2001:db8:${id.toString(16)}::1`,
    networkUuid: network.uuid,
    storage: [],
    ghosts: [],
    rescue: false,
    createdAt: now,
    updatedAt: null,
    deletedAt: null,
    ...raw,
  }
  world.vms.set(uuid, vm)
  caller.note(`created vm ${uuid}`)
  return vm
}

/** The hidden side of reserve_public_ip: a floating IP without a name, assigned to the VM. */
export function reserveIpFor(caller: Caller, vm: Vm): void {
  const ip = createIp(caller, vm.billingAccount, '')
  assign(caller, ip, vm.uuid, 'virtual_machine')
}

function checkCloudInit(text: string): void {
  const refusal = (problem: string) => new Refusal(problem, { field: 'cloud_init' })
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    throw refusal('Must be JSON')
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw refusal('Must be a JSON object')
  const other = Object.keys(config).find((key) => key !== 'runcmd' && key !== 'write_files')
  if (other !== undefined) throw refusal(`Only runcmd and write_files are supported, not ${other}`)
}

function given(value: string | undefined, field: string): string {
  return value === undefined || value === '' ? missing(field) : value
}

function missing(field: string): never {
  throw new Refusal('This field is required', { field })
}
