/** Wishes and observations that the tables of a disk share. */
import type { WantedDisk, WantedVmOfDisk } from '../../../../src/kinds/disk/plan.ts'
import type { SeenDisk } from '../../../../src/kinds/disk/seen.ts'
import type { DiskStep, NewDiskWish } from '../../../../src/kinds/disk/steps.ts'

export const create: NewDiskWish = { name: 'data-abcdefghijklmn', sizeGiB: 50, billingAccount: 1 }
export const wanted: WantedDisk = {
  create: undefined,
  name: 'data-abcdefghijklmn',
  sizeGiB: 50,
  billingAccount: undefined,
  vm: { is: 'none' },
}
export const free: SeenDisk = { id: 'disk', status: 'Active', sizeGiB: 50, snapshots: [], attachments: [] }
export const onA: SeenDisk = { ...free, attachments: [{ vmID: 'a', primary: false }] }
export const bootOfA: SeenDisk = { ...free, attachments: [{ vmID: 'a', primary: true }] }
export const unsure: SeenDisk = { ...free, attachments: [{ vmID: 'a' }] }
/** Nothing shows which machine has it. */
export const somewhere: SeenDisk = { id: 'disk', status: 'Active', sizeGiB: 50, snapshots: [] }
export const a: WantedVmOfDisk = { is: 'ready', id: 'a', name: 'vm-a' }
export const b: WantedVmOfDisk = { is: 'ready', id: 'b', name: 'vm-b' }
export const later: WantedVmOfDisk = { is: 'waiting', message: 'spec.vmRef: CloudVM web does not exist yet' }

export function attach(vmID: string): DiskStep {
  return { do: 'attach', vmID }
}
export function detach(vmID: string): DiskStep {
  return { do: 'detach', vmID }
}
export function grow(vmID: string, sizeGiB = 80): DiskStep {
  return { do: 'grow', vmID, sizeGiB }
}
