import { describe, expect, test } from 'vitest'
import type { VmStatus } from '../../../../src/api/vm.ts'
import { planVm, type WantedVm } from '../../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'
import {
  wanted,
  there,
  off,
  secret,
  POOL,
  remembered,
  target,
  bigger,
  stoppedForSize,
  refused,
} from './machine.ts'

type Remark = { readonly wait?: string; readonly block?: string; readonly pending?: string }
type RemarkRow = readonly [
  sentence: string,
  want: Partial<WantedVm>,
  seen: SeenVm | undefined,
  remark: Remark,
  memory?: Memory<VmStatus>,
]

const remarks: readonly RemarkRow[] = [
  ['everything as wished is done', {}, there, {}],
  ['nothing to take over is said', {}, undefined, { block: 'NotFoundToAdopt' }],
  ['a transition is waited for', {}, { ...there, power: 'between' }, { wait: 'WaitingForCloud' }],
  [
    'a change of size waits while the power state is not shown',
    bigger,
    { id: 'vm', vcpus: 2 },
    { wait: 'WaitingForCloud' },
  ],
  [
    'a guest that does not shut down is waited for in mode Graceful',
    bigger,
    there,
    { wait: 'WaitingForCloud' },
    remembered(stoppedForSize, 'stop'),
  ],
  [
    'steps that need no stop are not held by a guest that does not shut down',
    { ...bigger, name: 'shop' },
    there,
    {},
    remembered(stoppedForSize, 'stop'),
  ],
  ['a refused quota is said', bigger, there, { block: 'QuotaExceeded' }, remembered(refused)],
  [
    'a refusal of another kind is said',
    bigger,
    off,
    { block: 'InvalidSpec' },
    remembered({ resize: { target, wasRunning: true, refused: 'vcpu must be a power of two' } }),
  ],
  ['a refusal of another size is over', { vcpus: 3 }, there, {}, remembered(refused)],
  ['a password waits for the start of a machine', { password: secret }, off, { pending: 'StartRequired' }],
  [
    'a password that is set after the start waits for nobody',
    { password: secret, powerState: 'Running' },
    off,
    {},
  ],
  [
    'a password without a user name cannot be set',
    { password: secret },
    { id: 'vm', power: 'running' },
    { pending: 'Unsupported' },
  ],
  ['a boot disk above its wish cannot shrink', { bootDiskGiB: 10 }, there, { pending: 'Unsupported' }],
  [
    'a machine charged to another account cannot be moved',
    { billingAccount: 7 },
    { ...there, billingAccount: 8 },
    { block: 'ReplacementRequired' },
  ],
  ['an unknown billing account is not different', { billingAccount: 7 }, there, {}],
  [
    'another pool by uuid cannot be had',
    { pool: POOL },
    { ...there, poolID: 'other' },
    { block: 'ReplacementRequired' },
  ],
  [
    'a pool by name proves no difference',
    { pool: 'fast' },
    { ...there, poolID: 'other', poolName: 'slow' },
    {},
  ],
]

describe('what is said beside the steps', () => {
  for (const [sentence, want, seen, remark, memory = remembered()] of remarks) {
    test(sentence, () => {
      const plan = planVm({ ...wanted, ...want }, seen, memory)
      expect({
        ...(plan.wait && { wait: plan.wait.reason }),
        ...(plan.block && { block: plan.block.reason }),
        ...(plan.pending && { pending: plan.pending.reason }),
      }).toEqual(remark)
    })
  }

  test('a plan that waits for a guest says what to set', () => {
    const plan = planVm({ ...wanted, ...bigger }, there, remembered(stoppedForSize, 'stop'))
    expect(plan.wait?.message).toContain('spec.stop.mode: GracefulThenForce')
  })

  test("a refusal is said in the service's own words", () => {
    const plan = planVm({ ...wanted, ...bigger }, there, remembered(refused))
    expect(plan.block?.message).toContain('"Quota exceeded"')
  })
})
