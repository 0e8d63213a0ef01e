import { describe, expect, test } from 'vitest'
import { BudgetClosed, createBudget } from '../../../src/cloud/budget.ts'
import type { Budget, Limits, Slot } from '../../../src/cloud/budget.ts'
import type { Lane } from '../../../src/cloud/request.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import type { ManualClock } from '../../support/manual-clock.ts'

interface Rig {
  readonly clock: ManualClock
  readonly budget: Budget
  /** Lanes in the order in which they were let go. */
  readonly granted: Lane[]
  readonly slots: Map<Lane, Slot[]>
  readonly ask: (lane: Lane, times?: number) => void
  /** Lets everything that is already decided happen. */
  readonly settle: () => Promise<void>
}

function rig(limits: Limits, how: { releaseAtOnce?: boolean } = {}): Rig {
  const clock = createManualClock()
  const budget = createBudget(clock, limits)
  const granted: Lane[] = []
  const slots = new Map<Lane, Slot[]>([
    ['change', []],
    ['slow', []],
    ['poll', []],
  ])
  return {
    clock,
    budget,
    granted,
    slots,
    settle: () => clock.yield(),
    ask: (lane, times = 1) => {
      for (let n = 0; n < times; n += 1) {
        void budget.acquire(lane).then((slot) => {
          granted.push(lane)
          if (how.releaseAtOnce === true) slot.release()
          else slots.get(lane)?.push(slot)
        })
      }
    },
  }
}

function count(lanes: readonly Lane[], lane: Lane): number {
  return lanes.filter((other) => other === lane).length
}

describe('slots', () => {
  const roomy = { requestsPerSecond: 100_000, maxInFlight: 64 }

  test('slow calls leave the reserves of the other lanes alone', async () => {
    const { ask, settle, granted } = rig(roomy)
    ask('slow', 500)
    await settle()
    expect(granted).toHaveLength(52)
    ask('change', 6)
    ask('poll', 6)
    await settle()
    expect(count(granted, 'change')).toBe(6)
    expect(count(granted, 'poll')).toBe(6)
    ask('change')
    ask('poll')
    await settle()
    expect(granted).toHaveLength(64)
  })

  test('a quick change goes at once while 500 slow creates wait', async () => {
    const { ask, settle, granted } = rig(roomy)
    ask('slow', 500)
    await settle()
    ask('change')
    await settle()
    expect(granted.at(-1)).toBe('change')
  })

  test('a release lets the next one go; releasing twice frees one slot only', async () => {
    const { ask, settle, granted, slots } = rig({ requestsPerSecond: 1000, maxInFlight: 1 })
    ask('change', 3)
    await settle()
    expect(granted).toHaveLength(1)
    const [slot] = slots.get('change') ?? []
    slot?.release()
    slot?.release()
    await settle()
    expect(granted).toHaveLength(2)
  })

  test.each([1, 2, 3, 5, 10])('with %i in all, never more and every lane moves', async (maxInFlight) => {
    const { budget, clock } = rig({ requestsPerSecond: 100_000, maxInFlight })
    let inFlight = 0
    let most = 0
    const done = { change: 0, slow: 0, poll: 0 }
    const call = async (lane: Lane) => {
      const slot = await budget.acquire(lane)
      inFlight += 1
      most = Math.max(most, inFlight)
      await clock.sleep(10)
      inFlight -= 1
      done[lane] += 1
      slot.release()
    }
    const calls = (['change', 'slow', 'poll'] as const).flatMap((lane) =>
      Array.from({ length: 20 }, () => call(lane)),
    )
    await clock.advance(10_000)
    await Promise.all(calls)
    expect(most).toBeLessThanOrEqual(maxInFlight)
    expect(done).toEqual({ change: 20, slow: 20, poll: 20 })
  })
})

describe('rate', () => {
  test('a burst of one second, then exactly the rate', async () => {
    const { ask, clock, granted, settle } = rig(
      { requestsPerSecond: 10, maxInFlight: 64 },
      { releaseAtOnce: true },
    )
    ask('change', 100)
    await settle()
    expect(granted).toHaveLength(10)
    await clock.advance(1_000)
    expect(granted).toHaveLength(20)
    await clock.advance(5_000)
    expect(granted).toHaveLength(70)
  })

  test('what was not used is kept for one second at most', async () => {
    const { ask, clock, granted, settle } = rig(
      { requestsPerSecond: 10, maxInFlight: 64 },
      { releaseAtOnce: true },
    )
    await clock.advance(60_000)
    ask('poll', 100)
    await settle()
    expect(granted).toHaveLength(10)
  })

  test('with one request a second, changes get nine of ten and reads still move', async () => {
    const { ask, clock, granted } = rig({ requestsPerSecond: 1, maxInFlight: 64 }, { releaseAtOnce: true })
    ask('poll', 100)
    ask('change', 50)
    await clock.advance(49_000)
    expect(granted).toHaveLength(50)
    expect(count(granted, 'change')).toBeGreaterThanOrEqual(45)
    expect(count(granted, 'poll')).toBeGreaterThanOrEqual(4)
  })

  test('slow changes are not starved by quick ones', async () => {
    const { ask, clock, granted } = rig({ requestsPerSecond: 1, maxInFlight: 64 }, { releaseAtOnce: true })
    ask('slow', 100)
    ask('change', 100)
    await clock.advance(39_000)
    expect(count(granted, 'slow')).toBe(10)
  })

  test('nor has one that was paused', async () => {
    const { ask, budget, clock, granted } = rig(
      { requestsPerSecond: 1, maxInFlight: 64 },
      { releaseAtOnce: true },
    )
    budget.pause('poll', 100_000)
    ask('poll', 100)
    ask('change', 200)
    await clock.advance(100_000)
    granted.length = 0
    await clock.advance(20_000)
    expect(count(granted, 'poll')).toBeLessThanOrEqual(4)
    expect(granted.length).toBeGreaterThanOrEqual(20)
  })

  test('a lane that was idle has saved nothing up', async () => {
    const { ask, clock, granted } = rig({ requestsPerSecond: 1, maxInFlight: 64 }, { releaseAtOnce: true })
    ask('change', 200)
    await clock.advance(100_000)
    granted.length = 0
    ask('poll', 100)
    await clock.advance(20_000)
    expect(count(granted, 'poll')).toBeLessThanOrEqual(3)
  })
})

describe('pauses', () => {
  test('stop one lane until they end, and leave the others alone', async () => {
    const { ask, budget, clock, granted, settle } = rig({ requestsPerSecond: 100, maxInFlight: 64 })
    budget.pause('poll', 5_000)
    ask('poll')
    ask('change')
    await settle()
    expect(granted).toEqual(['change'])
    await clock.advance(4_999)
    expect(granted).toEqual(['change'])
    await clock.advance(1)
    expect(granted).toEqual(['change', 'poll'])
  })

  test('a shorter pause does not end a longer one', async () => {
    const { ask, budget, clock, granted } = rig({ requestsPerSecond: 100, maxInFlight: 64 })
    budget.pause('change', 5_000)
    budget.pause('change', 1_000)
    ask('change')
    await clock.advance(4_000)
    expect(granted).toEqual([])
    await clock.advance(1_000)
    expect(granted).toEqual(['change'])
  })

  test('no timer is left when nobody waits', async () => {
    const { ask, budget, clock, settle } = rig(
      { requestsPerSecond: 100, maxInFlight: 64 },
      { releaseAtOnce: true },
    )
    budget.pause('poll', 5_000)
    ask('change', 10)
    await settle()
    expect(clock.pending()).toBe(0)
  })
})

test('closing rejects all that wait and all that come', async () => {
  const { budget, clock } = rig({ requestsPerSecond: 1, maxInFlight: 1 })
  await budget.acquire('change')
  const waiting = budget.acquire('poll')
  budget.close()
  await expect(waiting).rejects.toBeInstanceOf(BudgetClosed)
  await expect(budget.acquire('change')).rejects.toBeInstanceOf(BudgetClosed)
  expect(clock.pending()).toBe(0)
})
