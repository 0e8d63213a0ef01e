import { describe, expect, test } from 'vitest'
import { failure, until } from './fake-server.ts'
import { event, list, refuse, reset, setUp, stream, streamThatEnds, thing } from './reflector-rig.ts'

describe('410', () => {
  const gone = event('ERROR', failure(410, { reason: 'Expired' }))

  test.each([
    ['in the stream', stream(gone)],
    ['as the answer', refuse(410)],
  ])('%s: relist; what is missing was deleted, what is equal is not told again', async (_, answer) => {
    const { store, seen, lists, watches, drive } = await setUp(
      [
        list(10, [thing('a', 1), thing('b', 2), thing('c', 3)]),
        list(20, [thing('a', 1), thing('b', 15), thing('d', 16)]),
      ],
      [answer, stream()],
    )
    await drive(() => watches().length === 2)
    expect(lists()[1]?.query).toMatchObject({ resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' })
    expect(seen().slice(3)).toEqual(['changed ns/b 15', 'added ns/d 16', 'deleted ns/c 3'])
    expect(store.synced).toBe(true)
    expect(watches()[1]?.query['resourceVersion']).toBe('20')
  })

  test('again and again: the relists are spaced', async () => {
    const { at, drive } = await setUp([list(10, [])], [stream(gone)])
    await drive(() => at.list.length === 6)
    const gaps = at.list.slice(1).map((time, n) => time - (at.list[n] ?? 0))
    expect(gaps[4]).toBeGreaterThan(3_000)
  })

  test('an error in the stream that is no 410: listed again from the position', async () => {
    const { lists, watches, drive } = await setUp(
      [list(10, [])],
      [stream(event('ERROR', failure(500))), stream()],
    )
    await drive(() => watches().length === 2)
    expect(lists().map(({ query }) => query['resourceVersion'])).toEqual([undefined, '10'])
    expect(watches()[1]?.query['resourceVersion']).toBe('10')
  })
})

describe('errors', () => {
  test.each([
    ['500', refuse(500)],
    ['503', refuse(503)],
    ['429', refuse(429)],
    ['a reset', reset],
  ])('%s: 0.8 s doubled to 30 s, spread, at the same position, with the reason shown', async (_, answer) => {
    const { at, watches, lists, drive, reflector, store } = await setUp(
      [list(10, [])],
      [...Array.from({ length: 9 }, () => answer), stream(event('ADDED', thing('a', 11)))],
    )
    await until(() => reflector.problem() !== undefined && store.synced)
    await drive(() => store.size === 1, 250)
    const gaps = at.watch.slice(1).map((time, n) => time - (at.watch[n] ?? 0))
    gaps.forEach((gap, n) => {
      const whole = Math.min(30_000, 800 * 2 ** n)
      expect(gap).toBeGreaterThanOrEqual(whole / 2)
      expect(gap).toBeLessThanOrEqual(whole + 1_000)
    })
    expect(gaps).toHaveLength(9)
    expect(lists()).toHaveLength(1)
    expect(new Set(watches().map(({ query }) => query['resourceVersion']))).toEqual(new Set(['10']))
    expect(reflector.problem()).toBeUndefined()
  })

  test('Retry-After is honoured', async () => {
    const { at, drive } = await setUp(
      [refuse(429, failure(429), { 'retry-after': '7' }), list(10, [])],
      [stream()],
    )
    await drive(() => at.list.length === 2)
    expect(at.list[1]).toBeGreaterThanOrEqual(7_000)
    expect(at.list[1]).toBeLessThan(8_000)
  })

  test.each([403, 404])('%d: half a minute, every time, and counted', async (status) => {
    const { at, drive, metrics, reflector } = await setUp([refuse(status)], [stream()])
    await drive(() => at.list.length === 4, 1_000)
    const gaps = at.list.slice(1).map((time, n) => time - (at.list[n] ?? 0))
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(15_000)
      expect(gap).toBeLessThanOrEqual(32_000)
    }
    const reason = status === 403 ? 'forbidden' : 'notFound'
    await until(() => reflector.problem()?.includes(`it is a ${status}`) === true)
    expect(await metrics.text()).toContain(`watch_restarts_total{resource="things",reason="${reason}"}`)
    expect(await metrics.text()).toContain('watch_synced{resource="things"} 0')
  })

  test('the same trouble is a warning once', async () => {
    const { at, drive, lines } = await setUp([refuse(500)], [stream()])
    await drive(() => at.list.length === 5)
    expect(lines.filter((line) => line.includes('"level":"warn"'))).toHaveLength(1)
  })

  test('a stream that ends at once again and again is not hammered', async () => {
    const { at, drive } = await setUp([list(10, [])], [streamThatEnds()])
    await drive(() => at.watch.length === 6)
    const gaps = at.watch.slice(1).map((time, n) => time - (at.watch[n] ?? 0))
    expect(gaps[4]).toBeGreaterThan(3_000)
  })
})
