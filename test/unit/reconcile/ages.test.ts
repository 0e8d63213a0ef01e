import { expect, test } from 'vitest'
import { rfc3339 } from '../../../src/loop/clock.ts'
import { createAges } from '../../../src/reconcile/ages.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const INTENT_MS = 10_000

const issued = (ms: number, id = 'op') => ({ id, verb: 'stop', issuedAt: rfc3339(ms) })

test('the age of an operation that this process began is its own time', async () => {
  const clock = createManualClock()
  const ages = createAges(clock, INTENT_MS)
  const operation = issued(clock.now())
  ages.begin(operation)
  expect(ages.of(operation)).toBe(0)
  await clock.advance(7_000)
  expect(ages.of(operation)).toBe(7_000)
})

test('it counts from the moment at which the request left, however long the intent was waiting', async () => {
  const clock = createManualClock()
  const ages = createAges(clock, INTENT_MS)
  const operation = issued(clock.now())
  ages.begin(operation)
  await clock.advance(9_000)
  ages.begin(operation)
  await clock.advance(500)
  expect(ages.of(operation)).toBe(500)
})

test('the request of another process may have left as late as its intent allowed', () => {
  const clock = createManualClock()
  const ages = createAges(clock, INTENT_MS)
  const operation = issued(clock.now() - 4_000)
  expect(ages.of(operation)).toBe(0)
  expect(ages.of(issued(clock.now() - INTENT_MS - 3_000, 'older'))).toBe(2_001)
})

test('a clock that is set five minutes on or back changes nothing once it was met', async () => {
  for (const step of [300_000, -300_000]) {
    const clock = createManualClock()
    let offset = 0
    const ages = createAges({ ...clock, now: () => clock.now() + offset }, INTENT_MS)
    const operation = issued(clock.now() - INTENT_MS - 10_000)
    // Times on record lack the milliseconds.
    expect(ages.of(operation)).toBe(9_001)
    offset = step
    await clock.advance(1_000)
    expect(ages.of(operation)).toBe(10_001)
  }
})

test('one from the future, or without a readable time, is new', () => {
  const clock = createManualClock()
  const ages = createAges(clock, INTENT_MS)
  expect(ages.of(issued(clock.now() + 60_000))).toBe(0)
  expect(ages.of({ ...issued(0, 'other'), issuedAt: 'soon' })).toBe(0)
})
