/** VMs, the disks on them, and replicas. Deployed records lack some fields that the interface lists. */
import { findLocation } from '../state/locations.ts'
import type { Caller, Disk, Replica, Vm } from '../state/model.ts'
import { storageTime, vmTime } from '../time.ts'

export function vmRecord(caller: Caller, vm: Vm): Record<string, unknown> {
  const extended = caller.world.profile === 'extended'
  return {
    uuid: vm.uuid,
    ...(!extended && { id: vm.id }),
    name: vm.name,
    description: vm.description,
    hostname: vm.hostname,
    status: vm.status,
    backup: vm.backup,
    billing_account: vm.billingAccount,
    user_id: vm.userId,
    username: vm.username,
    mac: vm.mac,
    memory: vm.memoryMib,
    vcpu: vm.vcpu,
    os_name: vm.osName,
    os_version: vm.osVersion,
    private_ipv4: vm.privateIpv4,
    ...(!extended && { public_ipv6: vm.publicIpv6, tags: null }),
    designated_pool_name: poolName(vm),
    designated_pool_uuid: vm.pool,
    storage: shownDisks(caller, vm).map(storageRecord),
    created_at: vmTime(vm.createdAt),
    updated_at: vm.updatedAt === null ? null : vmTime(vm.updatedAt),
  }
}

/** A row of the list, which may come without some fields. */
export function vmRow(caller: Caller, vm: Vm): Record<string, unknown> {
  const record = vmRecord(caller, vm)
  if (!caller.world.rules.sparseVmRows) return record
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== 'description' && name !== 'storage'),
  )
}

function poolName(vm: Vm): string {
  return findLocation(vm.location)?.pools.find((pool) => pool.uuid === vm.pool)?.name ?? ''
}

/** What the record shows of the VM's disks now: attaches and detaches can be late. */
function shownDisks({ world, now }: Caller, vm: Vm): Disk[] {
  const late = vm.ghosts.filter((ghost) => ghost.until > now).map((ghost) => ghost.disk)
  return [...vm.storage, ...late].flatMap((uuid) => {
    const disk = world.disks.get(uuid)
    return disk === undefined || (disk.attachedTo === vm.uuid && disk.visibleFrom > now) ? [] : [disk]
  })
}

export function storageRecord(disk: Disk): Record<string, unknown> {
  return {
    uuid: disk.uuid,
    id: disk.id,
    name: disk.device,
    pool: 'block-pool',
    primary: disk.primary,
    shared: false,
    size: disk.sizeGib,
    type: 'block',
    user_id: disk.userId,
    replica: disk.replicas.map((replica) => replicaRecord(disk, replica)),
    created_at: storageTime(disk.createdAt),
    updated_at: disk.updatedAt === disk.createdAt ? null : storageTime(disk.updatedAt),
  }
}

export function replicaRecord(disk: Disk, replica: Replica): Record<string, unknown> {
  return {
    uuid: replica.uuid,
    id: replica.id,
    master_id: disk.id,
    master_uuid: disk.uuid,
    pool: 'replica-pool',
    size: replica.sizeGib,
    type: replica.type,
    created_at: storageTime(replica.createdAt),
    updated_at: null,
  }
}
