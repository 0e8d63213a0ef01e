/** Starting and stopping. Each operation begins, takes its time, and ends; meanwhile the VM is locked. */
import type { Caller, Vm } from './model.ts'
import { refuse } from './refusal.ts'
import { idleVm } from './vms.ts'

/** The VM and whether anything is under way; false: the answer can be given at once. */
export interface Begun {
  vm: Vm
  underway: boolean
}

export function beginStart(caller: Caller, uuid: string): Begun {
  const vm = idleVm(caller, uuid)
  if (vm.status === 'running') return noChange(caller, vm)
  vm.rescue = false
  caller.note(`started vm ${uuid}`)
  return begin(vm, 'starting')
}

/** Starts into the rescue system, for this launch only. */
export function beginRescue(caller: Caller, uuid: string): Begun {
  const vm = idleVm(caller, uuid)
  if (vm.status === 'running') refuse('The virtual machine must be stopped to boot in rescue mode')
  vm.rescue = true
  caller.note(`rescue-started vm ${uuid}`)
  return begin(vm, 'starting')
}

/** A graceful stop reaches only a guest that listens; force cuts the power. */
export function beginStop(caller: Caller, uuid: string, force: boolean): Begun {
  const vm = idleVm(caller, uuid)
  if (vm.status === 'stopped') return noChange(caller, vm)
  const { acpiIgnored } = caller.world.rules
  const ignored = Array.isArray(acpiIgnored) ? acpiIgnored.includes(uuid) : acpiIgnored
  if (ignored && !force) {
    caller.note(`ignored stop of vm ${uuid}`)
    return { vm, underway: false }
  }
  caller.note(`${force ? 'cut power of' : 'stopped'} vm ${uuid}`)
  return begin(vm, 'stopping')
}

function noChange(caller: Caller, vm: Vm): Begun {
  if (caller.world.rules.powerNoop === 'refuse') refuse(`The virtual machine is already ${vm.status}`)
  return { vm, underway: false }
}

export function begin(vm: Vm, status: string): Begun {
  vm.status = status
  vm.busy = true
  return { vm, underway: true }
}

/** Ends an operation; a VM that was deleted meanwhile stays so. */
export function settle(vm: Vm, status: 'running' | 'stopped', now: number): void {
  vm.busy = false
  vm.updatedAt = now
  if (vm.deletedAt !== null) return
  vm.status = status
  if (status === 'stopped') vm.rescue = false
}
