import { expect, test } from 'vitest'
import { byTime, mayBeSameTime, timeMs } from '../../../src/reconcile/times.ts'

const MOMENT = Date.UTC(2026, 0, 2, 3, 4, 5)

test.each([
  ['2026-01-02 03:04:05', MOMENT],
  ['2026-01-02 03:04:05.123456', MOMENT + 123],
  ['2026-01-02T03:04:05.123+0000', MOMENT + 123],
  ['2026-01-02T03:04:05Z', MOMENT],
  ['2026-01-02T10:04:05+07:00', MOMENT],
  ['yesterday', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (text, expected) => {
  expect(timeMs(text)).toBe(expected)
})

test('sorted by the moment, not by the text', () => {
  const times = ['2026-01-02T01:00:00+07:00', '2026-01-01 19:00:00', undefined, '2026-01-01T18:30:00Z']
  expect(times.slice().sort(byTime)).toEqual([
    // Sorting puts what is undefined last by itself.
    '2026-01-02T01:00:00+07:00',
    '2026-01-01T18:30:00Z',
    '2026-01-01 19:00:00',
    undefined,
  ])
})

test.each([
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05.999+0000', true],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:06.000+0000', false],
  ['2026-01-02T03:04:05.001+0000', '2026-01-02T03:04:05.002+0000', false],
  ['2026-01-02T03:04:05.123+0000', '2026-01-02 03:04:05.123456', true],
  ['2026-01-02 03:04:05', '2026-01-02 03:04:06', false],
  ['2026-01-02 03:04:05', undefined, true],
  ['2026-01-02 03:04:05', 'unknown', true],
])('%s and %s: %s', (a, b, expected) => {
  expect(mayBeSameTime(a, b)).toBe(expected)
  expect(mayBeSameTime(b, a)).toBe(expected)
})
