import { describe, expect, test } from 'vitest'
import { startController, type ControllerOptions } from '../../../src/loop/controller.ts'
import { Queue } from '../../../src/loop/queue.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function setUp(reconcile: ControllerOptions['reconcile'], more: Partial<ControllerOptions> = {}) {
  const clock = createManualClock()
  const queue = new Queue(clock)
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const controller = startController({ name: 'CloudVM', queue, reconcile, clock, log, metrics, ...more })
  return { clock, queue, controller, lines, metrics }
}

describe('passes', () => {
  test('each key runs once at a time, and again when it changed meanwhile', async () => {
    const open: (() => void)[] = []
    const starts: string[] = []
    const { clock, queue } = setUp(async (key) => {
      starts.push(key)
      await new Promise<void>((resolve) => open.push(resolve))
      return {}
    })
    queue.add('a', 'change')
    queue.add('b', 'change')
    await clock.yield()
    expect(starts).toEqual(['a', 'b'])
    queue.add('a', 'change')
    queue.add('a', 'change')
    await clock.yield()
    expect(starts).toEqual(['a', 'b'])
    open[0]?.()
    await clock.yield()
    expect(starts).toEqual(['a', 'b', 'a'])
  })

  test('a pass without an outcome is woken by events only; one with afterMs comes back', async () => {
    const starts: string[] = []
    const { clock, queue } = setUp((key) => {
      starts.push(key)
      return Promise.resolve(key === 'again' ? { afterMs: 60_000 } : {})
    })
    queue.add('again', 'change')
    queue.add('once', 'change')
    await clock.advance(59_999)
    expect(starts).toEqual(['again', 'once'])
    await clock.advance(1)
    expect(starts).toEqual(['again', 'once', 'again'])
  })

  test('no more run at once than allowed', async () => {
    let running = 0
    let most = 0
    const open: (() => void)[] = []
    const { clock, queue, controller } = setUp(
      async () => {
        most = Math.max(most, (running += 1))
        await new Promise<void>((resolve) => open.push(resolve))
        running -= 1
        return {}
      },
      { maxConcurrent: 3 },
    )
    for (let n = 0; n < 10; n += 1) queue.add(`k${n}`, 'change')
    await clock.yield()
    expect(controller.running()).toBe(3)
    for (let n = 0; n < 10; n += 1) {
      open.shift()?.()
      await clock.yield()
    }
    expect(most).toBe(3)
    expect(controller.running()).toBe(0)
  })

  test('who adds a key is never inside its pass', async () => {
    let inside = false
    let sawInside = false
    const { clock, queue } = setUp(() => {
      sawInside = inside
      return Promise.resolve({})
    })
    inside = true
    queue.add('a', 'change')
    inside = false
    await clock.yield()
    expect(sawInside).toBe(false)
  })
})

describe('errors', () => {
  test('a bug: logged with its stack, counted, tried again from half a minute on and ever later', async () => {
    const startedAt: number[] = []
    const { clock, queue, lines, metrics } = setUp(() => {
      startedAt.push(clock.monotonic())
      return Promise.reject(new Error('boom'))
    })
    queue.add('ns/a', 'change')
    await clock.advance(600_000)
    const gaps = startedAt.slice(1).map((at, n) => at - (startedAt[n] ?? 0))
    expect(gaps.length).toBeGreaterThanOrEqual(4)
    gaps.slice(0, 4).forEach((gap, n) => {
      expect(gap).toBeGreaterThanOrEqual(15_000 * 2 ** n)
      expect(gap).toBeLessThanOrEqual(30_000 * 2 ** n)
    })
    const line = JSON.parse(lines[0] ?? '') as { level: string; key: string; error: { stack: string } }
    expect(line).toMatchObject({ level: 'error', kind: 'CloudVM', key: 'ns/a' })
    expect(line.error.stack).toContain('boom')
    expect(line.error.stack).toContain('controller.test')
    expect(await metrics.text()).toMatch(/reconcile_total\{kind="CloudVM",outcome="bug"\} [4-9]/)
  })

  test('a failure at a boundary: no stack, a short back-off, or a quick one that grows too', async () => {
    const startedAt: number[] = []
    const { clock, queue, lines } = setUp(
      () => {
        startedAt.push(clock.monotonic())
        return Promise.reject(new Error('api server away'))
      },
      {
        expected: () =>
          startedAt.length === 1
            ? { reason: 'unclear', message: 'the API server did not answer' }
            : { reason: 'conflict', message: 'changed meanwhile', quick: true },
      },
    )
    queue.add('ns/a', 'change')
    for (let ms = 0; ms < 20_000; ms += 10) await clock.advance(10)
    const gaps = startedAt.slice(1).map((at, n) => at - (startedAt[n] ?? 0))
    expect(gaps[0]).toBeGreaterThanOrEqual(500)
    expect(gaps[1]).toBeLessThanOrEqual(100)
    expect(gaps[6]).toBeGreaterThan(1_000)
    expect(lines.join('')).not.toContain('"stack"')
    expect(lines[0]).toContain('the API server did not answer')
  })

  test('a throw before the first await is the same', async () => {
    const { clock, queue, lines } = setUp(() => {
      throw new Error('at once')
    })
    queue.add('a', 'change')
    await clock.yield()
    expect(lines[0]).toContain('at once')
  })

  test('success forgets the failures', async () => {
    let fail = true
    const startedAt: number[] = []
    const { clock, queue } = setUp(
      () => {
        startedAt.push(clock.monotonic())
        return fail ? Promise.reject(new Error('no')) : Promise.resolve({})
      },
      { expected: () => ({ reason: 'unclear', message: 'no' }) },
    )
    queue.add('a', 'change')
    await clock.advance(20_000)
    fail = false
    await clock.advance(300_000)
    fail = true
    startedAt.length = 0
    queue.add('a', 'change')
    await clock.advance(1_000)
    expect(startedAt).toHaveLength(2)
  })
})

test('drain: the signal aborts, nothing new starts, and it resolves when the last pass has ended', async () => {
  let finish: () => void = () => undefined
  let aborted = false
  const starts: string[] = []
  const { clock, queue, controller } = setUp(async (key, signal) => {
    starts.push(key)
    signal.addEventListener('abort', () => (aborted = true))
    await new Promise<void>((resolve) => (finish = resolve))
    return { afterMs: 1 }
  })
  queue.add('a', 'change')
  await clock.yield()
  let drained = false
  const draining = controller.drain().then(() => (drained = true))
  queue.add('b', 'change')
  await clock.advance(10_000)
  expect({ aborted, drained }).toEqual({ aborted: true, drained: false })
  finish()
  await draining
  await clock.advance(10_000)
  expect(starts).toEqual(['a'])
  expect(clock.pending()).toBe(0)
})

test('starting many passes gives the event loop back', async () => {
  let turns = 0
  let done = 0
  const { queue, clock } = setUp(
    () => {
      const until = performance.now() + 1
      while (performance.now() < until);
      done += 1
      return Promise.resolve({})
    },
    { clock: { ...createManualClock(), monotonic: () => performance.now() }, maxConcurrent: 1_000 },
  )
  for (let n = 0; n < 100; n += 1) queue.add(`k${n}`, 'change')
  while (done < 100) {
    await clock.yield()
    turns += 1
  }
  expect(turns).toBeGreaterThan(5)
})
