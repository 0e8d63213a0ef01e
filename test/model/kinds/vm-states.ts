/** What virtual machines are walked from, part by part: all of a part against all of it, and the rest as it should be. */
import type { VmStatus } from '../../../src/api/vm.ts'
import type { Model, State } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'
import { byCreation, byDisks } from './vm-coming-and-going.ts'
import {
  OPEN_STOPS,
  POWER,
  SECRET,
  STOPS,
  base,
  boot,
  data,
  opened,
  powerOf,
  there,
  type Opened,
} from './vm-parts.ts'
import { vmService, type VmWords } from './vm.ts'

const SMALL = { vcpus: 2, memoryMiB: 2048 }
/** What is remembered of a change of size: none, stopped for this one, refused, accepted in vain, stopped for another. */
const RESIZES: readonly (VmStatus['resize'] | 'this' | 'refused' | 'refused off')[] = [
  undefined,
  'this',
  'refused',
  'refused off',
  { target: { vcpus: 8, memoryMiB: 8192 }, wasRunning: true },
]

function resizeOf(each: (typeof RESIZES)[number], target: typeof SMALL): VmStatus['resize'] | undefined {
  if (each === undefined || typeof each === 'object') return each
  if (each === 'this') return { target, wasRunning: true }
  return { target, wasRunning: each === 'refused', refused: 'Quota exceeded' }
}

/** again: it was set, and an operation has replaced the disk it was on. */
const PASSWORDS = {
  unmanaged: undefined,
  new: SECRET,
  nobody: SECRET,
  again: { ...SECRET, operations: ['operation'] },
  applied: SECRET,
} as const

/** Sizes, power, and what is set only while the machine runs. */
function* bySize(): Generator<State<VmWords>> {
  const axes = {
    vcpus: FIELD.slice(0, 4),
    memory: ['unmanaged', 'differs'],
    powerState: [undefined, 'Running', 'Stopped'],
    power: POWER,
    stop: STOPS,
    open: OPEN_STOPS,
    resize: RESIZES,
    password: ['unmanaged', 'new', 'nobody', 'again', 'applied'],
    sizes: ['given', 'rounded', 'refused'],
  } as const
  for (const each of product(axes)) {
    if (isPointless(each)) continue
    const [stopMode, guest] = each.stop
    const { power, hides } = powerOf(each.power)
    const vcpus = isEqual(each.vcpus) || each.vcpus === 'unmanaged' ? 2 : 1
    const memoryMiB = each.memory === 'unmanaged' ? 2048 : 1024
    const resize = resizeOf(each.resize, SMALL)
    const open = openStop(each.open)
    const applied = each.password === 'again' || each.password === 'applied'
    yield {
      want: {
        ...base,
        vcpus: each.vcpus === 'unmanaged' ? undefined : 2,
        memoryMiB: each.memory === 'unmanaged' ? undefined : 2048,
        powerState: each.powerState,
        stopMode,
        password: PASSWORDS[each.password],
      },
      cloud: {
        ...there,
        power,
        vcpus,
        memoryMiB,
        guest,
        sizes: each.sizes,
        hides: {
          ...hides,
          ...(isHidden(each.vcpus) && { vcpus: true }),
          ...(each.password === 'nobody' && { username: true }),
        },
      },
      ...open,
      status: {
        ...open.status,
        ...(resize !== undefined && { resize }),
        ...(applied && { passwordApplied: { secretUID: SECRET.uid, secretVersion: SECRET.version } }),
      },
    }
  }
}

function openStop([verb, fate]: (typeof OPEN_STOPS)[number]): Opened {
  return verb === 'none' ? { status: {} } : opened(verb, fate, { because: 'size' })
}

interface Point {
  readonly vcpus: string
  readonly memory: string
  readonly powerState: string | undefined
  readonly power: (typeof POWER)[number]
  readonly stop: (typeof STOPS)[number]
  readonly open: (typeof OPEN_STOPS)[number]
  readonly resize: (typeof RESIZES)[number]
  readonly password: string
  readonly sizes: string
}

/** Combinations that say the same as another one. */
function isPointless(point: Point): boolean {
  const { vcpus, memory, powerState, power, stop, open, resize, password, sizes } = point
  const [verb, fate] = open
  // A machine that is off and stays so is not stopped, and into what is not known or on the way nothing is sent.
  const isOn = power === 'running' || power === 'starting'
  if (!isOn && powerState !== 'Stopped' && stop !== STOPS[0]) return true
  if ((power === 'migrating' || power.startsWith('hidden')) && (stop !== STOPS[0] || sizes !== 'given'))
    return true
  // What is open has no effect yet; a guest that never obeys never will.
  if (verb !== 'none' && power !== 'running' && power !== 'stopping') return true
  if (fate === 'arrives' && stop[1] === 'deaf') return true
  if (verb === 'stop' && fate === 'overdue' && stop[1] !== 'deaf') return true
  if (verb === 'forceStop' && stop[0] === 'Graceful' && stop[1] === 'slow') return true
  const differs = vcpus === 'differs' || memory === 'differs'
  if (!differs && sizes !== 'given') return true
  // Without anything to set while it is off the memory of one change is as good as the other.
  if (vcpus === 'unmanaged' && memory === 'unmanaged' && resize === 'refused off') return true
  const seldom = password === 'nobody' || password === 'again' || password === 'applied'
  return seldom && (verb !== 'none' || sizes !== 'given' || resize === 'refused off')
}

const TOGGLES = [
  ['none', 'lost'],
  ['toggleBackups', 'arrives'],
  ['toggleBackups', 'lost'],
  ['toggleBackups', 'overdue'],
] as const

/** What takes no particular power state, and what never changes. */
function* byFields(): Generator<State<VmWords>> {
  const axes = {
    name: FIELD,
    boot: ['unmanaged', 'equal', 'smaller', 'bigger', 'no sizes', 'no disks', 'not which'],
    backups: FIELD,
    account: ['unmanaged', 'equal', 'differs', 'hidden'],
    pool: ['unmanaged', 'by name', 'differs', 'hidden'],
    power: [
      [undefined, 'running'],
      [undefined, 'stopped'],
      ['Running', 'stopped'],
      ['Stopped', 'running'],
      [undefined, 'migrating'],
    ],
    toggle: TOGGLES,
    deaf: [false, true],
    password: [false, true],
  } as const
  for (const each of product(axes)) {
    const [verb, fate] = each.toggle
    if (verb !== 'none' && (each.backups !== 'differs' || each.deaf)) continue
    const [powerState, power] = each.power
    const toggle = verb === 'none' ? { status: {} } : opened(verb, fate, { from: 'false', to: 'true' })
    yield {
      want: {
        ...base,
        name: each.name === 'unmanaged' ? undefined : 'web',
        bootDiskGiB: each.boot === 'unmanaged' ? undefined : 20,
        backups: each.backups === 'unmanaged' ? undefined : true,
        powerState,
        billingAccount: each.account === 'unmanaged' ? undefined : 1,
        pool: POOLS[each.pool],
        username: 'admin',
        password: each.password ? SECRET : undefined,
      },
      cloud: {
        ...there,
        power,
        name: isEqual(each.name) ? 'web' : 'other',
        backups: isEqual(each.backups),
        billingAccount: each.account === 'equal' ? 1 : 2,
        disks: [{ ...boot, sizeGiB: each.boot === 'bigger' ? 30 : each.boot === 'equal' ? 20 : 10 }, data],
        hides: {
          ...(isHidden(each.name) && { name: true }),
          ...(isHidden(each.backups) && { backups: true }),
          ...(each.account === 'hidden' && { billingAccount: true }),
          ...(each.pool === 'hidden' && { poolID: true }),
          ...(each.boot === 'no sizes' && { diskSizes: true }),
          ...(each.boot === 'no disks' && { disks: true }),
          ...(each.boot === 'not which' && { boots: true }),
          username: true,
        },
        ...(each.deaf && { deaf: true }),
      },
      ...toggle,
    }
  }
}

const POOLS = {
  unmanaged: undefined,
  'by name': 'fast',
  differs: '99999999-2222-3333-4444-555555555555',
  hidden: '99999999-2222-3333-4444-555555555555',
} as const

export const vmModel: Omit<Model<VmWords>, 'ends'> = {
  ...vmService,
  *states() {
    yield* byCreation()
    yield* bySize()
    yield* byFields()
    yield* byDisks()
  },
}
