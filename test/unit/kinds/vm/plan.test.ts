import { describe, expect, test } from 'vitest'
import type { VmStatus } from '../../../../src/api/vm.ts'
import { planVm, type WantedVm } from '../../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import type { VmStep } from '../../../../src/kinds/vm/steps.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'
import {
  create,
  wanted,
  data,
  there,
  off,
  secret,
  remembered,
  target,
  bigger,
  resize,
  start,
  setPassword,
  stop,
  cut,
  stoppedForSize,
  refused,
} from './machine.ts'

type Row = readonly [
  sentence: string,
  want: Partial<WantedVm>,
  seen: SeenVm | undefined,
  steps: readonly VmStep[],
  memory?: Memory<VmStatus>,
]

const rows: readonly Row[] = [
  ['nothing there is created', { create }, undefined, [{ do: 'create', vm: create }]],
  [
    'a machine that is to be off is created and then stopped, because a new one runs',
    { create, powerState: 'Stopped' },
    undefined,
    [{ do: 'create', vm: create }, stop('power')],
  ],
  ['everything as wished needs no step', {}, there, []],
  ['fields the row leaves out are unknown and never different', { backups: true }, { id: 'vm' }, []],
  ['unset fields are not managed', { name: undefined, vcpus: undefined, memoryMiB: undefined }, there, []],
  ['another name is set', { name: 'shop' }, there, [{ do: 'rename', name: 'shop' }]],
  ['a stopped machine can be renamed', { name: 'shop' }, off, [{ do: 'rename', name: 'shop' }]],

  ['the boot disk grows', { bootDiskGiB: 30 }, there, [{ do: 'growBootDisk', diskID: 'boot', sizeGiB: 30 }]],
  ['the boot disk never shrinks', { bootDiskGiB: 10 }, there, []],
  ['a disk that is not primary is not the boot disk', { bootDiskGiB: 30 }, { ...there, storage: [data] }, []],
  ['backups are toggled when they differ', { backups: true }, there, [{ do: 'toggleBackups', to: true }]],
  ['backups are left alone when they are as wished', { backups: false }, there, []],

  [
    'a running machine is stopped for its size and started again',
    bigger,
    there,
    [stop('size'), resize, start],
  ],
  [
    'only what differs is sent',
    { vcpus: 2, memoryMiB: 4096 },
    off,
    [{ do: 'resize', memoryMiB: 4096, target: { vcpus: 2, memoryMiB: 4096 } }],
  ],
  ['a machine that is already off is changed without a stop and stays off', bigger, off, [resize]],
  [
    'a machine that is to run is started after the change',
    { ...bigger, powerState: 'Running' },
    off,
    [resize, start],
  ],
  [
    'a machine stopped for its size is changed and started, whoever goes on with it',
    bigger,
    off,
    [resize, start],
    remembered(stoppedForSize),
  ],
  [
    'a machine that has its size after a crash is still started again',
    bigger,
    { ...off, vcpus: 4 },
    [start],
    remembered(stoppedForSize),
  ],
  [
    'a machine whose change was taken back while it was off is started again',
    {},
    off,
    [start],
    remembered(stoppedForSize),
  ],
  [
    'a machine that did not run before its change is not started',
    bigger,
    { ...off, vcpus: 4 },
    [],
    remembered({ resize: { target, wasRunning: false } }),
  ],
  [
    'a machine that is to be off by now stays off after its change',
    { ...bigger, powerState: 'Stopped' },
    off,
    [resize],
    remembered(stoppedForSize),
  ],
  ['after a refusal the machine is started at its old size', bigger, off, [start], remembered(refused)],
  ['a size that was refused is not stopped for again', bigger, there, [], remembered(refused)],
  [
    'another size than the refused one is stopped for',
    { vcpus: 3 },
    there,
    [
      { do: 'stop', because: 'size', mode: 'Graceful', target: { vcpus: 3, memoryMiB: 2048 } },
      { do: 'resize', vcpus: 3, target: { vcpus: 3, memoryMiB: 2048 } },
      start,
    ],
    remembered(refused),
  ],
  [
    'a refused size is tried again while the machine is off anyway',
    { ...bigger, powerState: 'Stopped' },
    off,
    [resize],
    remembered({ resize: { ...refused.resize, wasRunning: false } }),
  ],
  [
    'what stops nothing comes before a stop',
    { ...bigger, name: 'shop', bootDiskGiB: 30, backups: true, password: secret },
    there,
    [
      { do: 'rename', name: 'shop' },
      { do: 'growBootDisk', diskID: 'boot', sizeGiB: 30 },
      { do: 'toggleBackups', to: true },
      setPassword,
      stop('size'),
      resize,
      start,
    ],
  ],

  ['a machine that is to run is started', { powerState: 'Running' }, off, [start]],
  ['a machine that is to be off is stopped', { powerState: 'Stopped' }, there, [stop('power')]],
  ['without a wish for its power state it is left off', {}, off, []],
  [
    'a machine that is to be off is changed without a start',
    { ...bigger, powerState: 'Stopped' },
    there,
    [stop('power'), resize],
  ],
  [
    'mode Force cuts the power at once',
    { powerState: 'Stopped', stopMode: 'Force' },
    there,
    [cut('power', 'Force')],
  ],
  [
    'a graceful stop that does not end is forced where the mode allows it',
    { powerState: 'Stopped', stopMode: 'GracefulThenForce' },
    there,
    [cut('power', 'GracefulThenForce')],
    remembered({}, 'stop'),
  ],
  [
    'the forced stop of a change of size still leads to the change and the start',
    { ...bigger, stopMode: 'GracefulThenForce' },
    there,
    [cut('size', 'GracefulThenForce'), resize, start],
    remembered(stoppedForSize, 'stop'),
  ],
  [
    'a graceful stop that does not end is not forced in mode Graceful',
    bigger,
    there,
    [],
    remembered(stoppedForSize, 'stop'),
  ],
  [
    'while a stop does not end, what needs no stop goes on',
    { ...bigger, name: 'shop' },
    there,
    [{ do: 'rename', name: 'shop' }],
    remembered(stoppedForSize, 'stop'),
  ],
  [
    'a power cut without an effect is repeated',
    { powerState: 'Stopped', stopMode: 'GracefulThenForce' },
    there,
    [cut('power', 'GracefulThenForce')],
    remembered({}, 'forceStop'),
  ],
  [
    'an unknown word for the power state means a transition: nothing is sent',
    bigger,
    { ...there, power: 'between' },
    [],
  ],

  ['a password is set while the machine runs', { password: secret }, there, [setPassword]],
  [
    'a password that was applied is not set again',
    { password: secret },
    there,
    [],
    remembered({ passwordApplied: { secretUID: 's', secretVersion: '2' } }),
  ],
  [
    'a changed Secret is applied',
    { password: secret },
    there,
    [setPassword],
    remembered({ passwordApplied: { secretUID: 's', secretVersion: '1' } }),
  ],
  [
    'a Secret made anew under the same name is applied',
    { password: secret },
    there,
    [setPassword],
    remembered({ passwordApplied: { secretUID: 'old', secretVersion: '2' } }),
  ],
  [
    'a password goes with the disk it was on: after an operation that replaced it, it is set anew',
    { password: { ...secret, operations: ['one', 'two'] } },
    there,
    [{ ...setPassword, operations: ['one', 'two'] }],
    remembered({ passwordApplied: { secretUID: 's', secretVersion: '2', operations: ['one'] } }),
  ],
  [
    'one operation less to remember is no reason to set it anew',
    { password: { ...secret, operations: ['two'] } },
    there,
    [],
    remembered({ passwordApplied: { secretUID: 's', secretVersion: '2', operations: ['one', 'two'] } }),
  ],
  [
    'what this pass has set counts, although the cloud never shows it',
    { password: secret },
    { ...there, passwordSet: { secretUID: 's', secretVersion: '2' } },
    [],
  ],
  [
    'the user of the spec goes before the one the service shows',
    { password: secret, username: 'root2' },
    there,
    [{ do: 'setPassword', username: 'root2', secretUID: 's', secretVersion: '2' }],
  ],
  ['a machine is not started for a password', { password: secret }, off, []],
  [
    'a machine that is started anyway gets its password afterwards',
    { password: secret, powerState: 'Running' },
    off,
    [start, setPassword],
  ],
  [
    'a machine that is to be off gets its password before it is stopped',
    { password: secret, powerState: 'Stopped' },
    there,
    [setPassword, stop('power')],
  ],
]

describe('the steps of a virtual machine', () => {
  for (const [sentence, want, seen, steps, memory = remembered()] of rows) {
    test(sentence, () => {
      expect(planVm({ ...wanted, ...want }, seen, memory).steps).toEqual(steps)
    })
  }
})
