/** Replicas of a VM's boot disk. A replica taken by hand is also a snapshot of the disk. */
import { replicaSuffix } from '../time.ts'
import { addSnapshot } from './disks.ts'
import { nextNumber } from './ids.ts'
import { splitImage } from './locations.ts'
import type { Caller, Disk, Replica, Vm } from './model.ts'
import { Refusal } from './refusal.ts'
import { bootDiskOf, idleVm, vmOf } from './vms.ts'

const replicaTypes = ['snapshot', 'backup']

export function replicasOf(
  caller: Caller,
  vmUuid: string,
  type: string,
): { disk: Disk; replicas: Replica[] } {
  const disk = bootDiskOf(caller, vmOf(caller, vmUuid))
  if (!replicaTypes.includes(type))
    throw new Refusal(`Must be one of ${replicaTypes.join(', ')}`, { field: 'r_type' })
  return { disk, replicas: disk.replicas.filter((replica) => replica.type === type) }
}

export function createReplica(caller: Caller, vmUuid: string): Disk {
  const disk = bootDiskOf(caller, idleVm(caller, vmUuid))
  const replica = addReplica(caller, disk, 'snapshot')
  addSnapshot(caller, disk, replica.uuid)
  return disk
}

/** Its id ends with the second it was taken in; two of one second would be the same, so the later waits for its own. */
export function addReplica(caller: Caller, disk: Disk, type: string): Replica {
  const taken = disk.replicas.map((replica) => replica.uuid)
  let at = caller.now
  while (taken.includes(disk.uuid + replicaSuffix(at))) at += 1000
  const replica: Replica = {
    uuid: disk.uuid + replicaSuffix(at),
    id: nextNumber(caller.world, 'replica'),
    sizeGib: disk.sizeGib,
    type,
    content: disk.content,
    sourceType: disk.sourceType,
    source: disk.source,
    createdAt: caller.now,
  }
  disk.replicas.push(replica)
  caller.note(`created replica ${replica.uuid}`)
  return replica
}

export function deleteReplica(caller: Caller, uuid: string): void {
  for (const disk of caller.world.disks.values()) {
    if (disk.userId !== caller.account.userId || disk.location !== caller.location) continue
    if (!disk.replicas.some((replica) => replica.uuid === uuid)) continue
    if (disk.attachedTo !== null) idleVm(caller, disk.attachedTo)
    disk.replicas = disk.replicas.filter((replica) => replica.uuid !== uuid)
    disk.snapshots = disk.snapshots.filter((snapshot) => snapshot.replica !== uuid)
    caller.note(`deleted replica ${uuid}`)
    return
  }
  throw new Refusal(`No such replica exists: ${uuid}`, { field: 'replica_uuid' })
}

/** The operating system that the replica holds, or what it was taken from where that is not known. */
export function systemOf(replica: Replica, vm: Vm): Pick<Vm, 'osName' | 'osVersion'> {
  const { sourceType, source } = replica
  if (sourceType !== 'OS_BASE' || source === null) return { osName: vm.osName, osVersion: vm.osVersion }
  const { os, version } = splitImage(source, 'source_replica')
  return { osName: os, osVersion: version }
}

/** The replica of that id of the VM's boot disk. */
export function findReplica(
  caller: Caller,
  vm: Vm,
  uuid: string,
  field: string,
): { disk: Disk; replica: Replica } {
  const disk = bootDiskOf(caller, vm)
  const replica = disk.replicas.find((candidate) => candidate.uuid === uuid)
  if (replica === undefined) throw new Refusal(`No such replica exists: ${uuid}`, { field })
  return { disk, replica }
}
