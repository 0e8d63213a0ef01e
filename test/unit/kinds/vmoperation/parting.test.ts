import { describe, expect, test } from 'vitest'
import { nextOf, partingOf, type Progress } from '../../../../src/kinds/vmoperation/plan.ts'

const base: Progress = {
  purpose: { do: 'restart' },
  stop: { mode: 'Graceful', timeoutMs: 1_000 },
  sent: ['stop'],
  open: undefined,
  refused: undefined,
  machine: { is: 'stopped' },
  settleMs: 10_000,
}
const rescue: Partial<Progress> = { purpose: { do: 'rescueStart' } }
const open = { verb: 'stop', answered: true, ageMs: 0 }
const start = { is: 'step', step: { do: 'start' } }

const rows: readonly (readonly [string, Partial<Progress>, 'start' | 'wait' | 'nothing'])[] = [
  ['a machine that was stopped for a restart is started', {}, 'start'],
  ['a machine that was stopped for the rescue system is started without it', rescue, 'start'],
  ['a stop that has shown no effect is waited for', { open, machine: { is: 'running' } }, 'wait'],
  [
    'a machine that was not stopped yet is not stopped any more',
    { sent: [], machine: { is: 'running' } },
    'nothing',
  ],
  ['a machine that is missing, with nothing open, holds nothing', { machine: { is: 'missing' } }, 'nothing'],
  [
    'what was to be done is not done any more',
    { purpose: { do: 'rebuild', replica: 'r', snapshot: 's' }, sent: [] },
    'nothing',
  ],
]

describe('an operation that is deleted on the way', () => {
  test.each(rows)('%s', (_says, progress, left) => {
    const parting = partingOf({ ...base, ...progress })
    if (left === 'start') expect(parting).toEqual(start)
    else expect(parting?.is ?? 'nothing').toBe(left)
  })
})

test('a machine that was stopped here is started also where the record of how its call ended is gone', () => {
  const lost = { ...base, ...rescue, sent: ['stop', 'rescueStart'] }
  expect(nextOf(lost)).toEqual(start)
  expect(nextOf({ ...lost, machine: { is: 'running' } })).toMatchObject({
    is: 'end',
    verdict: { reason: 'OutcomeUnknown' },
  })
})
