/** Virtual machines: finding, changing and deleting them. */
import { checkAmount, checkQuota, roundUp } from './caller.ts'
import { destroyDisk, unlinkDisk } from './disks.ts'
import { unassignAll } from './floatingips.ts'
import { digest } from './ids.ts'
import { forgetTarget } from './loadbalancers.ts'
import type { Caller, Disk, Vm } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

/** The caller's living VMs in the location, oldest first. */
export function vmsOf(caller: Caller): Vm[] {
  return [...caller.world.vms.values()].filter((vm) => isMine(caller, vm) && vm.deletedAt === null)
}

export function vmOf(caller: Caller, uuid: string): Vm {
  const vm = caller.world.vms.get(uuid)
  if (vm !== undefined && isMine(caller, vm) && vm.deletedAt === null) return vm
  return refuse(`No such virtual machine exists: ${uuid}`, { name: 'vmUnknown' })
}

/** As vmOf, but a deleted one is still shown where the service keeps tombstones. */
export function vmToShow(caller: Caller, uuid: string): Vm {
  const vm = caller.world.vms.get(uuid)
  const shown =
    vm !== undefined && isMine(caller, vm) && vm.deletedAt !== null && caller.world.rules.tombstones
  return shown ? vm : vmOf(caller, uuid)
}

/** A VM that can be changed now: no other operation runs on it. */
export function idleVm(caller: Caller, uuid: string): Vm {
  const vm = vmOf(caller, uuid)
  if (vm.busy)
    refuse(`Virtual machine ${uuid} is locked, another operation is running`, {
      status: 409,
      name: 'vmLocked',
    })
  return vm
}

function isMine(caller: Caller, vm: Vm): boolean {
  return vm.userId === caller.account.userId && vm.location === caller.location
}

export function bootDiskOf(caller: Caller, vm: Vm): Disk {
  const disk = vm.storage
    .map((uuid) => caller.world.disks.get(uuid))
    .find((candidate) => candidate?.primary === true)
  return disk ?? refuse('The virtual machine has no boot disk')
}

export interface VmChange {
  name: string | undefined
  memoryMib: number | undefined
  vcpu: number | undefined
}

/** Only name, vcpu and ram can change, the last two while the VM is stopped. */
export function changeVm(caller: Caller, uuid: string, change: VmChange): Vm {
  const vm = idleVm(caller, uuid)
  const { name, vcpu } = change
  const step = caller.world.rules.ramStepMib
  const memoryMib = change.memoryMib === undefined ? undefined : roundUp(change.memoryMib, step)
  if (name === undefined && vcpu === undefined && memoryMib === undefined)
    refuse('Nothing to change: name, ram or vcpu is needed')
  if ((vcpu !== undefined || memoryMib !== undefined) && vm.status !== 'stopped')
    refuse('The virtual machine must be stopped to change vcpu or ram', {
      name: 'vmNotStopped',
      precondition: true,
    })
  const { largestVcpu, largestRamMib } = caller.world.rules
  if (vcpu !== undefined) checkNewSize(caller, 'vcpu', vm.vcpu, vcpu, largestVcpu)
  if (memoryMib !== undefined) checkNewSize(caller, 'ram', vm.memoryMib, memoryMib, largestRamMib)
  checkCapacity(caller, (vcpu ?? vm.vcpu) - vm.vcpu, (memoryMib ?? vm.memoryMib) - vm.memoryMib)
  vm.name = name ?? vm.name
  vm.vcpu = vcpu ?? vm.vcpu
  vm.memoryMib = memoryMib ?? vm.memoryMib
  vm.updatedAt = caller.now
  caller.note(`changed vm ${uuid}`)
  return vm
}

function checkNewSize(caller: Caller, field: string, current: number, wanted: number, largest: number): void {
  checkAmount(field, wanted, largest)
  if (wanted === current && caller.world.rules.refuseUnchanged)
    refuse(`The ${field} of the virtual machine is already ${current}`, { name: 'unchanged' })
}

/** Refuses more vcpu or memory than the account may have. */
export function checkCapacity(caller: Caller, moreVcpus: number, moreMemoryMib: number): void {
  const vcpus = () => vmsOf(caller).reduce((sum, vm) => sum + vm.vcpu, 0)
  const memoryMib = () => vmsOf(caller).reduce((sum, vm) => sum + vm.memoryMib, 0)
  if (moreVcpus > 0) checkQuota(caller, 'vcpus', vcpus, moreVcpus)
  if (moreMemoryMib > 0) checkQuota(caller, 'memoryMib', memoryMib, moreMemoryMib)
}

/**
 * The boot disk goes with the VM, and so do attached data disks (where the rule says so). Its floating IPs stay, unassigned.
 */
export function deleteVm(caller: Caller, uuid: string): void {
  const vm = idleVm(caller, uuid)
  for (const id of vm.storage) {
    const disk = caller.world.disks.get(id)
    if (disk === undefined) continue
    if (disk.primary || caller.world.rules.dataDisksDieWithVm) destroyDisk(caller, disk)
    else unlinkDisk(vm, disk)
  }
  vm.status = 'Deleted'
  vm.deletedAt = caller.now
  vm.updatedAt = caller.now
  vm.storage = []
  vm.ghosts = []
  unassignAll(caller, uuid)
  forgetTarget(caller, uuid)
  caller.note(`deleted vm ${uuid}`)
}

/** Flips automatic backups: a toggle. */
export function toggleBackup(caller: Caller, uuid: string): Vm {
  const vm = idleVm(caller, uuid)
  vm.backup = !vm.backup
  vm.updatedAt = caller.now
  caller.note(`backup ${vm.backup ? 'on' : 'off'} of vm ${uuid}`)
  return vm
}

/** Only while the VM runs. */
export function setPassword(caller: Caller, uuid: string, username: string, password: string): void {
  const vm = idleVm(caller, uuid)
  if (vm.status !== 'running')
    refuse('The virtual machine must be running to change a password', {
      name: 'vmNotRunning',
      precondition: true,
    })
  if (caller.world.rules.refuseWeakCredentials) checkPassword(password)
  vm.username = username
  vm.passwordSha256 = digest(password)
  caller.note(`password of vm ${uuid}`)
}

/** At least 8 characters with a lower-case and an upper-case letter and a digit. */
export function checkPassword(password: string): void {
  const strong =
    password.length >= 8 && /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)
  if (!strong)
    throw new Refusal('Must have at least 8 characters with lower-case and upper-case letters and digits', {
      field: 'password',
    })
}
