import { expect, test } from 'vitest'
import { createBackoff, jittered } from '../../../src/loop/backoff.ts'
import { createManualClock } from '../../support/manual-clock.ts'

test('delays double from a second to five minutes, spread over their upper half, each key for itself', () => {
  const backoff = createBackoff({ clock: createManualClock() })
  for (let n = 0; n < 12; n += 1) {
    const whole = Math.min(300_000, 1_000 * 2 ** n)
    const delay = backoff.next('a')
    expect(delay).toBeGreaterThanOrEqual(whole / 2)
    expect(delay).toBeLessThanOrEqual(whole)
  }
  expect(backoff.next('b')).toBeLessThanOrEqual(1_000)
})

test('after a success the first delay is back', () => {
  const backoff = createBackoff({ clock: createManualClock(), firstMs: 10, maxMs: 1_000 })
  for (let n = 0; n < 5; n += 1) backoff.next('a')
  backoff.forget('a')
  expect(backoff.next('a')).toBeLessThanOrEqual(10)
})

test('jitter parts keys that failed together', () => {
  const clock = createManualClock()
  const delays = new Set(Array.from({ length: 100 }, () => Math.round(jittered(clock, 10_000))))
  expect(delays.size).toBeGreaterThan(80)
})
