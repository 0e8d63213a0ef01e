import { describe, expect, test } from 'vitest'
import { planDisk, planDiskGone, type WantedDisk } from '../../../../src/kinds/disk/plan.ts'
import type { SeenDisk } from '../../../../src/kinds/disk/seen.ts'
import type { DiskStep } from '../../../../src/kinds/disk/steps.ts'
import {
  a,
  attach,
  b,
  bootOfA,
  create,
  detach,
  free,
  grow,
  later,
  onA,
  somewhere,
  unsure,
  wanted,
} from './drive.ts'

interface Outcome {
  readonly steps: readonly DiskStep[]
  readonly wait?: string
  readonly block?: string
  readonly pending?: string
}
type Row = readonly [
  sentence: string,
  want: Partial<WantedDisk>,
  seen: SeenDisk | undefined,
  steps: readonly DiskStep[],
  remark?: Omit<Outcome, 'steps'>,
]
const bigger: Partial<WantedDisk> = { sizeGiB: 80 }

const rows: readonly Row[] = [
  ['nothing there is created', { create }, undefined, [{ do: 'create', disk: create }]],
  [
    'a disk with a machine is created and then attached',
    { create, vm: a },
    undefined,
    [{ do: 'create', disk: create }, attach('a')],
  ],
  ['nothing to take over is said', {}, undefined, [], { block: 'NotFoundToAdopt' }],
  ['a free disk as wished needs no step', {}, free, []],
  [
    'fields the row leaves out are unknown and never different',
    { billingAccount: 7, ...bigger },
    { id: 'disk' },
    [],
  ],
  [
    'a disk in a transition is left alone',
    { vm: a, billingAccount: 7 },
    { ...free, status: 'Creating' },
    [],
    { wait: 'WaitingForCloud' },
  ],

  [
    'another billing account is set',
    { billingAccount: 7 },
    { ...free, billingAccount: 8 },
    [{ do: 'setBillingAccount', billingAccount: 7 }],
  ],
  ['a billing account that nobody asks for is left alone', {}, { ...free, billingAccount: 8 }, []],
  [
    'another name is set where the service shows names',
    {},
    { ...free, label: 'old', showsLabel: true },
    [{ do: 'rename', name: 'data-abcdefghijklmn' }],
  ],
  ['no name is set where the service shows none', {}, { ...free, showsLabel: false }, []],
  ['a name that nobody asks for is left alone', { name: undefined }, { ...free, label: 'old' }, []],

  ['a free disk is attached to its machine', { vm: a }, free, [attach('a')]],
  ['a disk that its machine has needs no step', { vm: a }, onA, []],
  ['a disk without a machine in its wish is detached', {}, onA, [detach('a')]],
  ['a disk moves by being detached first', { vm: b }, onA, [detach('a'), attach('b')]],
  [
    'a disk that two machines show is detached from the other one',
    { vm: b },
    {
      ...free,
      attachments: [
        { vmID: 'a', primary: false },
        { vmID: 'b', primary: false },
      ],
    },
    [detach('a')],
  ],
  [
    'a disk that may be attached elsewhere is not attached',
    { vm: a },
    somewhere,
    [],
    { wait: 'WaitingForCloud' },
  ],
  ['not knowing where a disk is does not matter where it need not be anywhere', {}, somewhere, []],
  [
    'a disk stays where it is until its new machine is there',
    { vm: later },
    onA,
    [],
    { wait: 'WaitingForDependency' },
  ],
  [
    'what needs no machine goes on while the machine is waited for',
    { vm: later, billingAccount: 7 },
    { ...free, billingAccount: 8 },
    [{ do: 'setBillingAccount', billingAccount: 7 }],
  ],
  ['a disk that its machine boots from is never detached', {}, bootOfA, []],
  [
    'a disk that its machine boots from takes no machine of its own',
    { vm: b },
    bootOfA,
    [],
    { block: 'ReferenceInvalid' },
  ],
  ['not even the one that boots from it', { vm: a }, bootOfA, [], { block: 'ReferenceInvalid' }],
  ['a disk that its machine may boot from is not detached', {}, unsure, [], { wait: 'WaitingForCloud' }],
  ['a disk that may be a boot disk is not moved', { vm: b }, unsure, [], { wait: 'WaitingForCloud' }],
  ['it does not matter whether a machine boots from it where it belongs to that one', { vm: a }, unsure, []],

  ['a disk grows through its machine', { ...bigger, vm: a }, onA, [grow('a')]],
  ['a free disk is attached before it grows', { ...bigger, vm: a }, free, [attach('a'), grow('a')]],
  [
    'a disk that moves grows at its new machine',
    { ...bigger, vm: b },
    onA,
    [detach('a'), attach('b'), grow('b')],
  ],
  ['a disk that is to be free grows before it is detached', bigger, onA, [grow('a'), detach('a')]],
  ['a free disk cannot grow', bigger, free, [], { pending: 'AttachRequired' }],
  ['a boot disk grows through the machine that boots from it', bigger, bootOfA, [grow('a')]],
  [
    'a disk grows where it is while its new machine is waited for',
    { ...bigger, vm: later },
    onA,
    [grow('a')],
  ],
  [
    'a free disk whose machine is waited for grows later',
    { ...bigger, vm: later },
    free,
    [],
    { wait: 'WaitingForDependency' },
  ],
  ['a disk that may be anywhere cannot grow yet', bigger, somewhere, [], { wait: 'WaitingForCloud' }],
  ['a disk never shrinks', { sizeGiB: 20, vm: a }, onA, [], { pending: 'Unsupported' }],
  ['a size that nobody asks for is left alone', { sizeGiB: undefined, vm: a }, onA, []],
  [
    'what needs no machine comes first',
    { ...bigger, vm: b, billingAccount: 7 },
    { ...onA, billingAccount: 8, label: 'old', showsLabel: true },
    [
      { do: 'setBillingAccount', billingAccount: 7 },
      { do: 'rename', name: 'data-abcdefghijklmn' },
      detach('a'),
      attach('b'),
      grow('b'),
    ],
  ],
]

function outcome(plan: ReturnType<typeof planDisk>): Outcome {
  return {
    steps: plan.steps,
    ...(plan.wait && { wait: plan.wait.reason }),
    ...(plan.block && { block: plan.block.reason }),
    ...(plan.pending && { pending: plan.pending.reason }),
  }
}

describe('the plan of a disk', () => {
  for (const [sentence, want, seen, steps, remark = {}] of rows) {
    test(sentence, () => {
      expect(outcome(planDisk({ ...wanted, ...want }, seen))).toEqual({ steps, ...remark })
    })
  }
})

const snapshots = [{ uuid: 's1' }]
const gone: readonly (readonly [string, SeenDisk, 'Hold' | 'Delete', readonly DiskStep[], string?])[] = [
  ['a free disk is deleted', free, 'Hold', [{ do: 'delete' }]],
  ['an attached disk is detached before', onA, 'Hold', [detach('a'), { do: 'delete' }]],
  ['a disk with snapshots is held, and stays attached', { ...onA, snapshots }, 'Hold', [], 'NotEmpty'],
  ['snapshots go with the disk where the spec says so', { ...free, snapshots }, 'Delete', [{ do: 'delete' }]],
  ['snapshots that may exist hold the disk', { id: 'disk', attachments: [] }, 'Hold', [], 'WaitingForCloud'],
  [
    'snapshots that may exist do not matter where the spec says so',
    { id: 'disk', attachments: [] },
    'Delete',
    [{ do: 'delete' }],
  ],
  ['a disk that a machine boots from goes with that one', bootOfA, 'Delete', [], 'WaitingForDependents'],
  ['a disk that a machine may boot from is left alone', unsure, 'Delete', [], 'WaitingForDependents'],
  ['a disk that may be attached is left alone', somewhere, 'Delete', [], 'WaitingForCloud'],
  ['a disk in a transition is left alone', { ...free, status: 'Copying' }, 'Delete', [], 'WaitingForCloud'],
]

describe('the plan to delete a disk', () => {
  for (const [sentence, seen, onDelete, steps, wait] of gone) {
    test(sentence, () => {
      const plan = planDiskGone(seen, { status: undefined, appliedBefore: false }, onDelete)
      expect(outcome(plan)).toEqual({ steps, ...(wait !== undefined && { wait }) })
    })
  }
})
