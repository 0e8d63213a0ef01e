import { describe, expect, test } from 'vitest'
import { operations } from './operations.ts'
import { nameOf } from './operation.ts'
import { runSeed, type Run } from './run.ts'
import { settings } from './settings.ts'

/** A share of what `npm run test:fuzz` runs: each setting once. */
const calls = 600
const seeds = settings.map((_, index) => index)

function replay({ seed }: Run): string {
  return `to replay: npm run test:fuzz -- --seed ${seed} --calls ${calls} --trace`
}

describe('whatever is asked, the service holds its rules', () => {
  const accepted = new Set<string>()

  test.each(seeds)('seed %i', async (seed) => {
    const run = await runSeed({ seed, calls })
    expect(run.violations, replay(run)).toEqual([])
    expect(run.outcomes['2xx']).toBeGreaterThan(calls / 10)
    expect(run.outcomes['4xx']).toBeGreaterThan(calls / 10)
    for (const name of Object.keys(run.accepted)) accepted.add(name)
  })

  test('nearly every operation was carried out in one of them', () => {
    const never = operations.map(nameOf).filter((name) => !accepted.has(name))
    expect(never.length, never.join(', ')).toBeLessThan(operations.length / 10)
  })
})

describe('the same seed gives the same transcript', () => {
  test.each(seeds)('setting of seed %i, run twice', async (seed) => {
    const [first, second] = [await runSeed({ seed, calls: 150 }), await runSeed({ seed, calls: 150 })]
    expect(second.transcript).toBe(first.transcript)
    expect((await runSeed({ seed: seed + settings.length, calls: 150 })).transcript).not.toBe(
      first.transcript,
    )
  })

  test.each([0, 1, 2, 3, 6])('setting of seed %i, dumped and loaded on the way', async (seed) => {
    const straight = await runSeed({ seed, calls: 300 })
    const reloaded = await runSeed({ seed, calls: 300, reloadAt: 150 })
    expect(reloaded.transcript).toBe(straight.transcript)
  })
})
