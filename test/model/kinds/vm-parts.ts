/** A machine and a wish that agree, and the parts that states of virtual machines are put together from. */
import type { Operation } from '../../../src/api/shared.ts'
import type { WantedVm } from '../../../src/kinds/vm/plan.ts'
import type { Fate, State } from '../model.ts'
import type { Machine, VmDisk, VmWords } from './vm.ts'

export const base: WantedVm = {
  create: undefined,
  name: undefined,
  vcpus: undefined,
  memoryMiB: undefined,
  bootDiskGiB: undefined,
  backups: undefined,
  powerState: undefined,
  stopMode: 'Graceful',
  username: undefined,
  password: undefined,
  billingAccount: undefined,
  pool: undefined,
}

export const boot: VmDisk = { uuid: 'boot', sizeGiB: 20, boots: true }
export const data: VmDisk = { uuid: 'data', sizeGiB: 50, boots: false }
export const more: VmDisk = { uuid: 'more', sizeGiB: 50, boots: false }

export const there: Machine = {
  power: 'running',
  name: 'web',
  vcpus: 2,
  memoryMiB: 2048,
  backups: false,
  username: 'admin',
  billingAccount: 1,
  poolID: '11111111-2222-3333-4444-555555555555',
  disks: [boot],
  hides: {},
  guest: 'obeys',
  sizes: 'given',
}

export const POWER = [
  'running',
  'stopped',
  'starting',
  'stopping',
  'migrating',
  'hidden on',
  'hidden off',
] as const

export function powerOf(power: (typeof POWER)[number]): Pick<Machine, 'power' | 'hides'> {
  if (power === 'hidden on') return { power: 'running', hides: { power: true } }
  return power === 'hidden off' ? { power: 'stopped', hides: { power: true } } : { power, hides: {} }
}

/** How a machine is to be stopped, and what comes of it. */
export const STOPS = [
  ['Graceful', 'obeys'],
  ['Graceful', 'slow'],
  ['Graceful', 'deaf'],
  ['GracefulThenForce', 'obeys'],
  ['GracefulThenForce', 'deaf'],
  ['Force', 'deaf'],
] as const

export type Opened = Pick<State<VmWords>, 'status' | 'fate'>

export function opened(verb: string, fate: Fate, details: Record<string, string>): Opened {
  const operation: Operation = { id: 'operation', verb, issuedAt: '2026-01-01T00:00:00Z', details }
  return { status: { operation }, fate }
}

export const OPEN_STOPS = [
  ['none', 'lost'],
  ['stop', 'arrives'],
  ['stop', 'lost'],
  ['stop', 'overdue'],
  ['forceStop', 'overdue'],
] as const

export const SECRET = { uid: 's', version: '2' }
