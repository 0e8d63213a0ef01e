/** Whether an operation may begin: its time, the machine it means, and what its CloudVM says. */
import { describe, expect, test } from 'vitest'
import type { CloudSnapshot } from '../../../../src/api/snapshot.ts'
import type { CloudVM } from '../../../../src/api/vm.ts'
import { contradiction, expiredAt, foreignSnapshot } from '../../../../src/kinds/vmoperation/may.ts'
import { object } from '../../reconcile/objects.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const at = Date.parse('2026-03-01T12:00:00Z')
const vmRef = { name: 'web' }
const spec = { vmRef, reinstall: {}, confirmVMID: 'vm', expiresAt: '2026-03-01T12:00:00Z' }
const vm = (more: Readonly<Record<string, unknown>> = {}) =>
  object({ spec: more, status: { id: 'vm' } }) as CloudVM

describe('the time after which nothing is begun', () => {
  test.each([
    ['a moment before it', -1, undefined],
    ['at it', 0, 'Expired'],
    ['after it', 1, 'Expired'],
    ['seven days before it', -7 * DAY, undefined],
    ['more than seven days before it', -7 * DAY - 1, 'Expired'],
  ])('%s', (_when, fromThenMs, reason) => {
    expect(expiredAt(spec, at + fromThenMs)?.reason).toBe(reason)
  })

  test('a clock that jumps five minutes: ahead, the last five minutes are lost; back, it may begin up to five minutes late', () => {
    const jump = 5 * MINUTE
    expect(expiredAt(spec, at - jump + 1 + jump)?.reason).toBe('Expired')
    expect(expiredAt(spec, at - jump - 1 + jump)).toBeUndefined()
    expect(expiredAt(spec, at + jump - 1 - jump)).toBeUndefined()
    expect(expiredAt(spec, at + jump - jump)?.reason).toBe('Expired')
    // A time seven days ahead is then more than that, and nothing is done.
    expect(expiredAt(spec, at - 7 * DAY)).toBeUndefined()
    expect(expiredAt(spec, at - 7 * DAY - jump)?.message).toContain('more than 7 days ahead')
  })

  test('zones count; what is no time does not begin; without one there is no end', () => {
    expect(expiredAt({ ...spec, expiresAt: '2026-03-01T13:00:00+01:00' }, at)?.reason).toBe('Expired')
    expect(expiredAt({ ...spec, expiresAt: '2026-03-01T13:00:00Z' }, at)).toBeUndefined()
    expect(expiredAt({ ...spec, expiresAt: '2026-13-41T12:00:00Z' }, at)?.reason).toBe('InvalidSpec')
    expect(expiredAt({ vmRef, restart: {} }, at)).toBeUndefined()
  })
})

describe('what the CloudVM says', () => {
  test.each<[string, Parameters<typeof contradiction>[0], Record<string, unknown>, string | undefined]>([
    [
      'a restart of a machine that is to be off',
      { vmRef, restart: {} },
      { powerState: 'Stopped' },
      'InvalidSpec',
    ],
    ['a rescue of one', { vmRef, rescue: {} }, { powerState: 'Stopped' }, 'InvalidSpec'],
    ['a reinstall of one', spec, { powerState: 'Stopped' }, undefined],
    ['a restart of one that is to run', { vmRef, restart: {} }, { powerState: 'Running' }, undefined],
    [
      'anything with one that is only observed',
      spec,
      { lifecycle: { management: 'ObserveOnly' } },
      'ReferenceInvalid',
    ],
    ['another machine confirmed', { ...spec, confirmVMID: 'other' }, {}, 'InvalidSpec'],
    ['this machine confirmed', spec, {}, undefined],
  ])('%s', (_what, asked, more, reason) => {
    expect(contradiction(asked, vm(more), 'vm')?.reason).toBe(reason)
  })

  test('both machines are named', () => {
    const message = contradiction({ ...spec, confirmVMID: 'other' }, vm(), 'vm')?.message
    expect(message).toMatch(/^spec\.confirmVMID: is other, and CloudVM web is vm/)
  })
})

test('a snapshot goes back to the machine it is of', () => {
  const of = (status: object) =>
    object({ kind: 'CloudSnapshot', name: 'nightly', status }) as unknown as CloudSnapshot
  expect(foreignSnapshot(of({ vm: { id: 'vm' } }), vm(), 'vm')).toBeUndefined()
  expect(foreignSnapshot(of({ vm: { id: 'other', name: 'db' } }), vm(), 'vm')).toMatchObject({
    reason: 'ReferenceInvalid',
    message: expect.stringContaining('is of the virtual machine db (other)') as string,
  })
})
