import { describe, expect, test } from 'vitest'
import { Queue } from '../../../src/loop/queue.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function setUp() {
  const clock = createManualClock()
  const queue = new Queue(clock)
  const takeAll = () => {
    const keys: string[] = []
    for (let taken = queue.take(); taken !== undefined; taken = queue.take()) keys.push(taken.key)
    return keys
  }
  return { clock, queue, takeAll }
}

describe('one worker per key', () => {
  test('a key that is added twice is taken once', () => {
    const { queue, takeAll } = setUp()
    queue.add('a', 'change')
    queue.add('a', 'change')
    expect(takeAll()).toEqual(['a'])
  })

  test('a key that is added while it runs is taken again after done, not before', () => {
    const { queue, takeAll } = setUp()
    queue.add('a', 'change')
    expect(takeAll()).toEqual(['a'])
    queue.add('a', 'change')
    expect(takeAll()).toEqual([])
    queue.done('a')
    expect(takeAll()).toEqual(['a'])
  })

  test('a key that was not added while it ran is not taken again', () => {
    const { queue, takeAll } = setUp()
    queue.add('a', 'change')
    takeAll()
    queue.done('a')
    expect(takeAll()).toEqual([])
    expect(queue.depth()).toEqual({ ready: 0, delayed: 0, running: 0 })
  })
})

describe('delays', () => {
  test('a delayed key is taken when its time has come, not before', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.add('a', 'retry', 1_000)
    expect(queue.depth()).toEqual({ ready: 0, delayed: 1, running: 0 })
    await clock.advance(999)
    expect(takeAll()).toEqual([])
    await clock.advance(1)
    expect(takeAll()).toEqual(['a'])
  })

  test.each([
    ['the later one comes second', 1_000, 5_000],
    ['the later one comes first', 5_000, 1_000],
  ])('the earliest delay wins when %s', async (_, first, second) => {
    const { clock, queue, takeAll } = setUp()
    queue.add('a', 'requeue', first)
    queue.add('a', 'requeue', second)
    await clock.advance(1_000)
    expect(takeAll()).toEqual(['a'])
    queue.done('a')
    await clock.advance(10_000)
    expect(takeAll()).toEqual([])
  })

  test('a change now overtakes the delay of the same key', () => {
    const { queue } = setUp()
    queue.add('a', 'requeue', 60_000)
    queue.add('a', 'change')
    expect(queue.take()).toMatchObject({ key: 'a', priority: 'change' })
  })

  test('delays added while the key runs count from when they were added', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.add('a', 'change')
    takeAll()
    queue.add('a', 'requeue', 5_000)
    await clock.advance(5_000)
    queue.done('a')
    expect(takeAll()).toEqual(['a'])
  })

  test('the listener is called when a key falls due, with one timer for all of them', async () => {
    const { clock, queue, takeAll } = setUp()
    let calls = 0
    queue.onReady(() => (calls += 1))
    for (let at = 100; at > 0; at -= 1) queue.add(`k${at}`, 'requeue', at * 1_000)
    expect(clock.pending()).toBe(1)
    expect(calls).toBe(0)
    await clock.advance(1_000)
    expect(calls).toBe(1)
    expect(takeAll()).toEqual(['k1'])
    await clock.advance(1_000)
    expect(takeAll()).toEqual(['k2'])
  })
})

describe('priorities', () => {
  test('change, retry, requeue, resync, in this order, and first come first served within one', () => {
    const { queue, takeAll } = setUp()
    for (const name of ['1', '2']) {
      queue.add(`resync${name}`, 'resync')
      queue.add(`requeue${name}`, 'requeue')
      queue.add(`retry${name}`, 'retry')
      queue.add(`change${name}`, 'change')
    }
    expect(takeAll()).toEqual([
      'change1',
      'change2',
      'retry1',
      'retry2',
      'requeue1',
      'requeue2',
      'resync1',
      'resync2',
    ])
  })

  test('a waiting resync becomes a change when its object changes', () => {
    const { queue, takeAll } = setUp()
    queue.add('a', 'resync')
    queue.add('b', 'resync')
    queue.add('c', 'retry')
    queue.add('b', 'change')
    expect(takeAll()).toEqual(['b', 'c', 'a'])
  })

  test('a change is not demoted by a resync of the same key', () => {
    const { queue } = setUp()
    queue.add('a', 'change')
    queue.add('a', 'resync')
    expect(queue.take()).toMatchObject({ priority: 'change' })
  })

  test('a key that has waited 30 s goes before every change that comes after', async () => {
    const { clock, queue } = setUp()
    queue.add('old', 'resync')
    await clock.advance(30_001)
    for (let n = 0; n < 100; n += 1) queue.add(`new${n}`, 'change')
    expect(queue.take()).toMatchObject({ key: 'old', waitedMs: 30_001 })
  })
})

test('after close nothing is taken and no timer is left', () => {
  const { clock, queue, takeAll } = setUp()
  queue.add('a', 'change')
  queue.add('b', 'change', 1_000)
  queue.close()
  queue.add('c', 'change')
  expect(takeAll()).toEqual([])
  expect(clock.pending()).toBe(0)
})

test('100,000 keys are added, moved and taken without a long stretch', () => {
  const { queue, takeAll } = setUp()
  const startedAt = performance.now()
  for (let n = 0; n < 100_000; n += 1) queue.add(`k${n}`, 'resync')
  for (let n = 0; n < 100_000; n += 1) queue.add(`k${n}`, 'change')
  expect(takeAll()).toHaveLength(100_000)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
