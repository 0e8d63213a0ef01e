/** The two deprecated operations on a VM's public address. */
import { checkAddress, ipsAssignedTo, unassignAll } from './floatingips.ts'
import type { Caller, Vm } from './model.ts'
import { refuse } from './refusal.ts'
import { reserveIpFor } from './vmcreate.ts'
import { idleVm } from './vms.ts'

/** The address leaves the VM and stays reserved. */
export function releasePublicIp(caller: Caller, uuid: string): Vm {
  const vm = idleVm(caller, uuid)
  if (ipsAssignedTo(caller, uuid).length === 0) refuse('The virtual machine has no public IPv4 address')
  unassignAll(caller, uuid)
  return vm
}

/** A new address, assigned to the VM; the answer does not name it. */
export function reservePublicIp(caller: Caller, uuid: string): Vm {
  const vm = idleVm(caller, uuid)
  checkAddress(caller)
  reserveIpFor(caller, vm)
  return vm
}
