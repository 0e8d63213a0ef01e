/** Virtual machines that are not there yet, and what a deletion takes along. */
import type { NewMachine, NewVmWish } from '../../../src/kinds/vm/steps.ts'
import type { State } from '../model.ts'
import { product } from '../product.ts'
import {
  OPEN_STOPS,
  POWER,
  SECRET,
  STOPS,
  base,
  boot,
  data,
  more,
  opened,
  powerOf,
  there,
} from './vm-parts.ts'
import type { VmDisk, VmWords } from './vm.ts'

const DISKS: readonly (readonly VmDisk[])[] = [[], [boot], [boot, data], [data, boot, more], [data]]

const OPEN_DETACHES = [
  ...OPEN_STOPS,
  ['detachDisk', 'arrives'],
  ['detachDisk', 'lost'],
  ['detachDisk', 'overdue'],
] as const

/** What a deletion takes along. */
export function* byDisks(): Generator<State<VmWords>> {
  const axes = {
    power: POWER,
    disks: DISKS,
    shown: ['all', 'no disks', 'not which', 'all boot'],
    recorded: [[], [{ id: 'boot', primary: true }], [{ id: 'gone', primary: true }]],
    stop: STOPS,
    open: OPEN_DETACHES,
    slowDisks: [false, true],
  } as const
  for (const each of product(axes)) {
    const [verb, fate] = each.open
    const [stopMode, guest] = each.stop
    const stops = verb === 'stop' || verb === 'forceStop'
    if (stops && each.power !== 'running' && each.power !== 'stopping') continue
    if (fate === 'arrives' && guest === 'deaf') continue
    if (verb === 'stop' && fate === 'overdue' && guest !== 'deaf') continue
    if (each.shown === 'all boot' && each.disks.length < 2) continue
    const isOn = each.power === 'running' || each.power === 'starting'
    if (!isOn && each.stop !== STOPS[0]) continue
    const detaches = verb === 'detachDisk'
    if (detaches && (!each.disks.includes(data) || each.shown === 'no disks' || each.slowDisks)) continue
    const open = verb === 'none' ? { status: {} } : opened(verb, fate, { because: 'deletion', disk: 'data' })
    const { power, hides } = powerOf(each.power)
    yield {
      want: { ...base, stopMode },
      cloud: {
        ...there,
        power,
        disks: each.disks,
        guest,
        hides: {
          ...hides,
          ...(each.shown === 'no disks' && { disks: true }),
          ...(each.shown === 'not which' && { boots: true }),
        },
        ...(each.shown === 'all boot' && { allBoot: true }),
        ...(each.slowDisks && { slowDisks: true }),
      },
      ...open,
      status: { ...open.status, ...(each.recorded.length > 0 && { disks: [...each.recorded] }) },
    }
  }
}

const create: NewVmWish = {
  name: 'web',
  description: 'k8s-marker',
  vcpus: 2,
  memoryMiB: 2048,
  from: { os: 'ubuntu', version: '24.04', bootDiskGiB: 20 },
  reservePublicIP: false,
  billingAccount: 1,
}

const CREATES: readonly (NewMachine | undefined)[] = [
  undefined,
  create,
  { ...create, from: { diskID: 'disk' } },
  { ...create, from: { replicaID: 'replica', vmID: 'original' } },
  { cloneOf: 'original', original: 'first', name: 'web-marker', withAddress: false },
]

/** Nothing is there. */
export function* byCreation(): Generator<State<VmWords>> {
  const axes = {
    create: CREATES,
    powerState: [undefined, 'Running', 'Stopped'],
    stop: STOPS.filter(([, guest]) => guest === 'obeys'),
    sizeGiB: [undefined, 20],
    sized: [false, true],
    backups: [undefined, false, true],
    password: [undefined, SECRET],
  } as const
  for (const each of product(axes)) {
    const [stopMode] = each.stop
    yield {
      want: {
        ...base,
        create: each.create,
        name: 'web',
        vcpus: each.sized ? 2 : undefined,
        memoryMiB: each.sized ? 2048 : undefined,
        bootDiskGiB: each.sizeGiB,
        backups: each.backups,
        powerState: each.powerState,
        stopMode,
        password: each.password,
      },
      cloud: undefined,
      status: {},
    }
  }
}
