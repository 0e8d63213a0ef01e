import { expect, test } from 'vitest'
import { createAttempts } from '../../../src/reconcile/attempts.ts'
import type { Verdict } from '../../../src/reconcile/conditions.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const NO: Verdict = { is: 'stalled', reason: 'InvalidSpec', message: 'no' }
const LATER: Verdict = { is: 'working', reason: 'WaitingForCloud', message: 'later', usable: 'unknown' }

test('a refusal holds for exactly its attempt and its time', async () => {
  const clock = createManualClock()
  const attempts = createAttempts(clock)
  attempts.refused('uid', 'a', NO, 1_000)
  expect(attempts.refusal('uid', 'a')).toEqual({ verdict: NO, afterMs: 1_000 })
  expect(attempts.refusal('uid', 'b')).toBeUndefined()
  expect(attempts.refusal('other', 'a')).toBeUndefined()
  await clock.advance(999)
  expect(attempts.refusal('uid', 'a')?.afterMs).toBe(1)
  await clock.advance(1)
  expect(attempts.refusal('uid', 'a')).toBeUndefined()
})

test('two attempts of one object do not take each other’s place', () => {
  const attempts = createAttempts(createManualClock())
  attempts.refused('uid', 'a', NO, 1_000)
  attempts.refused('uid', 'b', LATER, 1_000)
  expect(attempts.refusal('uid', 'a')?.verdict).toBe(NO)
  expect(attempts.refusal('uid', 'b')?.verdict).toBe(LATER)
})

test('postponed: twice as long each time, up to the most, and never sooner than asked', () => {
  const attempts = createAttempts(createManualClock())
  const next = (firstMs: number) => attempts.postponed('uid', 'a', LATER, firstMs, 1_000)
  expect([next(300), next(300), next(300), next(300)]).toEqual([300, 600, 1_000, 1_000])
  expect(next(5_000)).toBe(5_000)
  expect(attempts.refusal('uid', 'a')).toEqual({ verdict: LATER, afterMs: 5_000 })
  expect(attempts.postponed('uid', 'b', LATER, 300, 1_000)).toBe(300)
})

test('accepted: counted by attempt, with the time since the last', async () => {
  const clock = createManualClock()
  const attempts = createAttempts(clock)
  expect(attempts.accepted('uid', 'a')).toBeUndefined()
  attempts.accept('uid', 'a')
  await clock.advance(50)
  expect(attempts.accepted('uid', 'a')).toEqual({ times: 1, agoMs: 50 })
  attempts.accept('uid', 'a')
  expect(attempts.accepted('uid', 'a')).toEqual({ times: 2, agoMs: 0 })
  expect(attempts.accepted('uid', 'b')).toBeUndefined()
})

test('forgotten: everything of the object, nothing of another', () => {
  const attempts = createAttempts(createManualClock())
  for (const uid of ['uid', 'other']) {
    attempts.refused(uid, 'a', NO, 1_000)
    attempts.accept(uid, 'a')
    attempts.postponed(uid, 'b', LATER, 300, 1_000)
  }
  attempts.forget('uid')
  expect(attempts.refusal('uid', 'a')).toBeUndefined()
  expect(attempts.accepted('uid', 'a')).toBeUndefined()
  expect(attempts.postponed('uid', 'b', LATER, 300, 1_000)).toBe(300)
  expect(attempts.postponed('other', 'b', LATER, 300, 1_000)).toBe(600)
})
