import { describe, expect, test } from 'vitest'
import { createProofs } from '../../../src/reconcile/proof.ts'
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts'

const SETTLE_MS = 30_000
const DAY_MS = 86_400_000
const LONG_AGO = Number.NEGATIVE_INFINITY

/** Reads whenever the proof asks for it; the milliseconds until it was proven, and the number of reads. */
async function prove(clock: ManualClock, sinceMs: number): Promise<{ tookMs: number; reads: number }> {
  const proofs = createProofs(clock)
  const begun = clock.monotonic()
  for (let reads = 1; reads < 100; reads++) {
    const proof = proofs.absent('it', SETTLE_MS, sinceMs)
    if (proof === 'proven') return { tookMs: clock.monotonic() - begun, reads }
    await clock.advance(proof.afterMs)
  }
  throw new Error('never proven')
}

describe('absent', () => {
  test('three reads, a thirtieth of the settle time apart, the last after it', async () => {
    const clock = createManualClock()
    const { tookMs, reads } = await prove(clock, clock.now())
    expect(reads).toBe(3)
    expect(tookMs).toBeGreaterThanOrEqual(SETTLE_MS)
    expect(tookMs).toBeLessThan(SETTLE_MS + 10)
  })

  test('of what is old: the three reads are enough', async () => {
    const { tookMs, reads } = await prove(createManualClock(), LONG_AGO)
    expect(reads).toBe(3)
    expect(tookMs).toBeGreaterThanOrEqual((SETTLE_MS / 30) * 2)
    expect(tookMs).toBeLessThan((SETTLE_MS / 30) * 2 + 10)
  })

  test('reads that follow too soon do not count', async () => {
    const clock = createManualClock()
    const proofs = createProofs(clock)
    for (let read = 0; read < 50; read++) expect(proofs.absent('it', SETTLE_MS, LONG_AGO)).not.toBe('proven')
    await clock.advance(SETTLE_MS / 30)
    expect(proofs.absent('it', SETTLE_MS, LONG_AGO)).not.toBe('proven')
    await clock.advance(SETTLE_MS / 30 - 1)
    expect(proofs.absent('it', SETTLE_MS, LONG_AGO)).not.toBe('proven')
    await clock.advance(1)
    expect(proofs.absent('it', SETTLE_MS, LONG_AGO)).toBe('proven')
  })

  test.each([DAY_MS, -DAY_MS])(
    'a wall clock stepped by %d ms neither hurries nor holds it',
    async (jumpMs) => {
      const clock = createManualClock()
      const proofs = createProofs(clock)
      const sinceMs = clock.now()
      const first = proofs.absent('it', SETTLE_MS, sinceMs)
      if (first === 'proven') throw new Error('too soon')
      clock.jumpWall(jumpMs)
      await clock.advance(first.afterMs)
      const second = proofs.absent('it', SETTLE_MS, sinceMs)
      if (second === 'proven') throw new Error('too soon')
      expect(second.afterMs).toBeLessThanOrEqual(SETTLE_MS + 2)
      await clock.advance(second.afterMs)
      expect(clock.monotonic()).toBeGreaterThanOrEqual(SETTLE_MS)
      expect(proofs.absent('it', SETTLE_MS, sinceMs)).toBe('proven')
    },
  )

  test('issued in the future: as if now', async () => {
    const clock = createManualClock()
    const { tookMs } = await prove(clock, clock.now() + DAY_MS)
    expect(tookMs).toBeLessThan(SETTLE_MS + 10)
  })

  test('a reset starts anew; subjects are apart; what is proven is forgotten', async () => {
    const clock = createManualClock()
    const proofs = createProofs(clock)
    const read = (subject: string) => proofs.absent(subject, SETTLE_MS, LONG_AGO)
    read('a')
    read('b')
    await clock.advance(SETTLE_MS)
    read('a')
    read('b')
    proofs.reset('a')
    await clock.advance(SETTLE_MS)
    expect(read('a')).not.toBe('proven')
    expect(read('b')).toBe('proven')
    expect(read('b')).not.toBe('proven')
  })
})

test('agreed: from the second look on, until a reset', () => {
  const proofs = createProofs(createManualClock())
  expect([1, 2, 3].map(() => proofs.agreed('it'))).toEqual([false, true, true])
  proofs.reset('it')
  expect(proofs.agreed('it')).toBe(false)
})
