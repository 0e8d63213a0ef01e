/** Wishes, observations and memories that the tables of a virtual machine share. */
import type { VmStatus } from '../../../../src/api/vm.ts'
import type { WantedVm } from '../../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import type { NewVmWish, StopMode, VmStep } from '../../../../src/kinds/vm/steps.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'

export const create: NewVmWish = {
  name: 'web',
  description: 'k8s-abcdefghijklmn',
  vcpus: 2,
  memoryMiB: 2048,
  from: { os: 'ubuntu', version: '24.04', bootDiskGiB: 20 },
  networkID: 'net',
  reservePublicIP: false,
  billingAccount: 1,
}
export const wanted: WantedVm = {
  create: undefined,
  name: 'web',
  vcpus: 2,
  memoryMiB: 2048,
  bootDiskGiB: 20,
  backups: undefined,
  powerState: undefined,
  stopMode: 'Graceful',
  username: undefined,
  password: undefined,
  billingAccount: undefined,
  pool: undefined,
}
export const boot = { uuid: 'boot', sizeGiB: 20, primary: true }
export const data = { uuid: 'data', sizeGiB: 50, primary: false }
export const there: SeenVm = {
  id: 'vm',
  name: 'web',
  power: 'running',
  powerWord: 'running',
  vcpus: 2,
  memoryMiB: 2048,
  backups: false,
  username: 'admin',
  storage: [boot],
}
export const off: SeenVm = { ...there, power: 'stopped', powerWord: 'stopped' }
export const secret = { uid: 's', version: '2' }
export const POOL = '11111111-2222-3333-4444-555555555555'

export function remembered(status: Partial<VmStatus> = {}, overdue?: string): Memory<VmStatus> {
  return { status, appliedBefore: false, ...(overdue !== undefined && { overdue }) }
}
export const target = { vcpus: 4, memoryMiB: 2048 }
export const bigger: Partial<WantedVm> = { vcpus: 4 }
export const resize: VmStep = { do: 'resize', vcpus: 4, target }
export const start: VmStep = { do: 'start' }
export const setPassword = {
  do: 'setPassword',
  username: 'admin',
  secretUID: 's',
  secretVersion: '2',
} as const
export function stop(because: 'size' | 'power' | 'deletion', mode: StopMode = 'Graceful'): VmStep {
  return { do: 'stop', because, mode, ...(because === 'size' && { target }) }
}
export function cut(because: 'size' | 'power' | 'deletion', mode: StopMode): VmStep {
  return { do: 'forceStop', because, mode, ...(because === 'size' && { target }) }
}
/** Stopped by us for its size, as remembered. */
export const stoppedForSize = { resize: { target, wasRunning: true } }
export const refused = { resize: { target, wasRunning: true, refused: 'Quota exceeded' } }
