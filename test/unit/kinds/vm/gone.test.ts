import { describe, expect, test } from 'vitest'
import type { VmStatus } from '../../../../src/api/vm.ts'
import { planVmGone } from '../../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import type { StopMode, VmStep } from '../../../../src/kinds/vm/steps.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'
import { boot, data, there, off, remembered, stop, cut } from './machine.ts'

const detach: VmStep = { do: 'detachDisk', diskID: 'data' }
const gone: readonly (readonly [string, SeenVm, readonly VmStep[], StopMode?, Memory<VmStatus>?])[] = [
  ['a stopped machine with its boot disk alone is deleted', off, [{ do: 'delete' }]],
  ['a running machine is stopped first', there, [stop('deletion'), { do: 'delete' }]],
  ['it is stopped as the spec says', there, [cut('deletion', 'Force'), { do: 'delete' }], 'Force'],
  [
    'a stop that does not end is forced in every mode',
    there,
    [cut('deletion', 'Graceful'), { do: 'delete' }],
    'Graceful',
    remembered({}, 'stop'),
  ],
  [
    'every disk but its own boot disk is detached before, because it could be destroyed with it',
    { ...off, storage: [data, boot, { uuid: 'more' }] },
    [detach, { do: 'detachDisk', diskID: 'more' }, { do: 'delete' }],
  ],
  [
    'the boot disk is the recorded one where the service does not show which',
    { ...off, storage: [{ uuid: 'boot' }, { uuid: 'data' }] },
    [detach, { do: 'delete' }],
    'Graceful',
    remembered({ disks: [{ id: 'boot', primary: true }] }),
  ],
  ['a machine in a transition is left alone', { ...there, power: 'between' }, []],
  ['a machine whose power state is not shown is left alone', { id: 'vm', storage: [boot] }, []],
  ['a machine whose disks are not shown is not deleted', { id: 'vm', power: 'stopped' }, []],
  ['a machine that shows no boot disk among its disks is not deleted', { ...off, storage: [data] }, []],
  [
    'a machine that shows several boot disks is not deleted: one may be data',
    { ...off, storage: [boot, { ...data, primary: true }] },
    [],
  ],
  ['a machine that shows no disk at all is not deleted', { ...off, storage: [] }, []],
]

describe('the steps that delete a virtual machine', () => {
  for (const [sentence, seen, steps, mode = 'Graceful', memory = remembered()] of gone) {
    test(sentence, () => {
      const plan = planVmGone(seen, memory, mode)
      expect(plan.steps).toEqual(steps)
      expect(plan.wait === undefined).toBe(steps.length > 0)
    })
  }
})
