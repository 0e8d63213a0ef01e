import { expect, test } from 'vitest'
import { accessKeyKind } from '../../../../src/kinds/accesskey/kind.ts'
import { accessKeyFacts, planAccessKey, planAccessKeyGone } from '../../../../src/kinds/accesskey/plan.ts'
import { seenAccessKey } from '../../../../src/kinds/accesskey/seen.ts'
import type { AccessKeyStatus } from '../../../../src/api/accesskey.ts'
import type { Memory } from '../../../../src/reconcile/kind.ts'

const want = { secretName: 's3' }
const memory = (more: Partial<Memory<AccessKeyStatus>> = {}): Memory<AccessKeyStatus> => ({
  status: { retiring: [{ id: 'OLD', since: '2026-01-01T00:00:00Z' }, { id: 'OLDER' }] },
  appliedBefore: false,
  ...more,
})
const seen = seenAccessKey('NEW', ['OLD', 'NEW', 'OLDER', 'THEIRS'])

test('a pair that does not exist is created', () => {
  expect(planAccessKey(want, undefined, memory()).steps).toEqual([{ do: 'create' }])
})

test('an old pair stays until its time is over', () => {
  expect(planAccessKey(want, seen, memory()).steps).toEqual([])
  expect(planAccessKey(want, seen, memory({ outlived: ['OLD'] })).steps).toEqual([
    { do: 'retire', id: 'OLD' },
  ])
})

test('an old pair that is gone already takes no call', () => {
  const alone = seenAccessKey('NEW', ['NEW'])
  expect(planAccessKey(want, alone, memory({ outlived: ['OLD'] })).steps).toEqual([])
})

test('a deletion takes the old pairs along, and nobody else’s', () => {
  expect(planAccessKeyGone(seen, memory()).steps).toEqual([
    { do: 'retire', id: 'OLD' },
    { do: 'retire', id: 'OLDER' },
    { do: 'delete' },
  ])
})

test('an old pair is told of until it is gone and the settle time after its end is over', () => {
  const told = (ids: readonly string[], forgettable: readonly string[]) =>
    accessKeyKind
      .report(seenAccessKey('NEW', ids), memory({ outlived: ['OLD', 'OLDER'], forgettable }), want)
      .retiring?.map(({ id }) => id)
  expect(told(['NEW', 'OLD', 'OLDER'], ['OLD'])).toEqual(['OLD', 'OLDER'])
  expect(told(['NEW', 'OLDER'], ['OLD'])).toEqual(['OLDER'])
  // A list may omit it.
  expect(told(['NEW'], [])).toEqual(['OLD', 'OLDER'])
  expect(told(['NEW'], ['OLD', 'OLDER'])).toBeUndefined()
})

test('whether an old pair is gone shows the list', () => {
  const operation = { id: 'x', verb: 'retire', issuedAt: '', details: { old: 'OLD' } }
  expect(accessKeyKind.effect(operation, seen)).toBe(false)
  expect(accessKeyKind.effect(operation, seenAccessKey('NEW', ['NEW']))).toBe(true)
})

test('only a create makes something, and what deletes has an intent', () => {
  expect(accessKeyFacts({ do: 'create' }).nature).toBe('create')
  expect(accessKeyFacts({ do: 'retire', id: 'OLD' })).toMatchObject({
    nature: 'move',
    details: { old: 'OLD' },
  })
  expect(accessKeyFacts({ do: 'delete' }).nature).toBe('destroy')
})
