/** Disks as seen from their VM: adding, growing, attaching, detaching, deleting. */
import { checkAmount, roundUp } from './caller.ts'
import { addDisk, checkDiskSpace, destroyDisk, diskOf, linkDisk, unlinkDisk } from './disks.ts'
import type { Caller, Disk, Vm } from './model.ts'
import { Refusal, refuse } from './refusal.ts'
import { idleVm } from './vms.ts'

/** An empty disk, attached to the VM and billed like it. */
export function addStorage(caller: Caller, vmUuid: string, sizeGib: number): Disk {
  const vm = idleVm(caller, vmUuid)
  checkAmount('size_gb', sizeGib, caller.world.rules.largestDiskGib)
  checkRoom(caller, vm)
  const disk = addDisk(caller, {
    billingAccount: vm.billingAccount,
    sizeGib,
    sourceType: 'EMPTY',
    source: null,
  })
  attach(caller, vm, disk)
  return disk
}

/** A disk only grows. */
export function resizeStorage(caller: Caller, vmUuid: string, diskUuid: string, sizeGib: number): Disk {
  const disk = diskOnVm(caller, idleVm(caller, vmUuid), diskUuid, 'disk_uuid')
  const wanted = roundUp(sizeGib, caller.world.rules.diskStepGib)
  if (wanted < disk.sizeGib)
    refuse(`The disk cannot shrink: size_gb must be at least ${disk.sizeGib}`, {
      name: 'diskShrinks',
      precondition: true,
    })
  checkAmount('size_gb', wanted, caller.world.rules.largestDiskGib)
  checkDiskSpace(caller, wanted - disk.sizeGib)
  disk.sizeGib = wanted
  disk.updatedAt = caller.now
  caller.note(`resized disk ${diskUuid}`)
  return disk
}

/** The disk and its data are gone; the boot disk cannot go this way. */
export function deleteStorage(caller: Caller, vmUuid: string, diskUuid: string): void {
  const vm = idleVm(caller, vmUuid)
  const disk = diskOnVm(caller, vm, diskUuid, 'storage_uuid')
  if (disk.primary) refuse('A primary disk cannot be deleted', { name: 'diskPrimary', precondition: true })
  unlinkDisk(vm, disk)
  if (caller.world.rules.storageDeleteLeavesDisk) caller.note(`removed disk ${diskUuid}`)
  else destroyDisk(caller, disk)
}

export function attachStorage(caller: Caller, vmUuid: string, diskUuid: string): Disk {
  const vm = idleVm(caller, vmUuid)
  const disk = diskFor(caller, diskUuid)
  if (disk.attachedTo !== null) refuse(`Disk ${diskUuid} is already attached`, { name: 'diskAttached' })
  checkRoom(caller, vm)
  attach(caller, vm, disk)
  disk.visibleFrom = caller.now + caller.world.rules.attachLagMs
  return disk
}

export function detachStorage(caller: Caller, vmUuid: string, diskUuid: string): void {
  const vm = idleVm(caller, vmUuid)
  const disk = diskOnVm(caller, vm, diskUuid, 'storage_uuid')
  if (disk.primary) refuse('A primary disk cannot be detached', { name: 'diskPrimary' })
  unlinkDisk(vm, disk)
  const lagMs = caller.world.rules.attachLagMs
  if (lagMs > 0) vm.ghosts.push({ disk: diskUuid, until: caller.now + lagMs })
  vm.updatedAt = caller.now
  caller.note(`detached disk ${diskUuid}`)
}

function checkRoom(caller: Caller, vm: Vm): void {
  const most = caller.world.rules.mostDisksPerVm
  if (vm.storage.length >= most)
    refuse(`At most ${most} disks can be on a virtual machine`, { name: 'quota' })
}

function attach(caller: Caller, vm: Vm, disk: Disk): void {
  linkDisk(caller, vm, disk, false)
  vm.updatedAt = caller.now
  disk.updatedAt = caller.now
  caller.note(`attached disk ${disk.uuid}`)
}

/** A disk by id for an operation of the VM family, whose refusals have that family's form. */
function diskFor(caller: Caller, uuid: string): Disk {
  try {
    return diskOf(caller, uuid)
  } catch {
    return refuse(`No such storage exists: ${uuid}`)
  }
}

function diskOnVm(caller: Caller, vm: Vm, uuid: string, field: string): Disk {
  const disk = caller.world.disks.get(uuid)
  if (disk?.attachedTo === vm.uuid && disk.userId === caller.account.userId) return disk
  throw new Refusal(`Disk ${uuid} is not attached to this virtual machine`, { field, name: 'diskDetached' })
}
