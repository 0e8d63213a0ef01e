import { describe, expect, test } from 'vitest'
import { failure, tooLarge, until } from './fake-server.ts'
import {
  bookmark,
  event,
  list,
  listOf,
  refuse,
  setUp,
  stream,
  streamThatEnds,
  thing,
  type Answer,
} from './reflector-rig.ts'

describe('the requests', () => {
  test('the first list asks for the newest in pages of 500; the watch for bookmarks and a random end', async () => {
    const { lists, watches, drive } = await setUp(
      Array.from({ length: 7 }, (_, n) => list(10 + n, [thing('a', 5)])),
      Array.from({ length: 6 }, (_, n) => streamThatEnds(bookmark(11 + n))),
    )
    await drive(() => watches().length >= 6)
    // The next list may be under way by now.
    const [asked, watched] = [lists().slice(0, 6), watches().slice(0, 6)]
    expect(asked[0]?.query).toEqual({ limit: '500' })
    // Streams that end before their time: the server may have come back as it was before.
    expect(asked.map(({ query }) => query['resourceVersion'])).toEqual([
      undefined,
      '11',
      '12',
      '13',
      '14',
      '15',
    ])
    const seconds = watched.map(({ query }) => Number(query['timeoutSeconds']))
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(300)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(600)
    expect(new Set(seconds).size).toBeGreaterThan(2)
    expect(watched.map(({ query }) => query['allowWatchBookmarks'])).toEqual(seconds.map(() => 'true'))
    expect(watched.map(({ query }) => query['resourceVersion'])).toEqual(['10', '11', '12', '13', '14', '15'])
  })
})

describe('lists', () => {
  const page = (items: readonly unknown[], next?: string): Answer => list(10, items, next)

  test('pages are read to the end before the store is in step', async () => {
    const { store, lists, seen } = await setUp(
      [page([thing('a', 1)], 'p2'), page([thing('b', 2)], 'p3'), page([thing('c', 3)])],
      [stream()],
    )
    await until(() => store.synced)
    expect(lists().map(({ query }) => query['continue'])).toEqual([undefined, 'p2', 'p3'])
    expect(seen()).toEqual(['added ns/a 1', 'added ns/b 2', 'added ns/c 3'])
    expect(store.lastSeenVersion()).toBe('10')
  })

  test('a 410 on a later page starts over, once', async () => {
    const { store, lists, seen } = await setUp(
      [
        page([thing('a', 1), thing('x', 1)], 'p2'),
        refuse(410),
        list(20, [thing('a', 1)], 'p2'),
        list(20, [thing('b', 12)]),
      ],
      [stream()],
    )
    await until(() => store.synced)
    expect(lists().map(({ query }) => query['continue'])).toEqual([undefined, 'p2', undefined, 'p2'])
    expect(seen()).toEqual(['added ns/a 1', 'added ns/x 1', 'added ns/b 12', 'deleted ns/x 1'])
    expect(store.lastSeenVersion()).toBe('20')
  })

  test('a second 410 is an error: the store stays out of step until a list is whole', async () => {
    const { store, lists, drive, reflector } = await setUp(
      [page([], 'p2'), refuse(410), page([], 'p2'), refuse(410), page([thing('a', 1)])],
      [stream()],
    )
    await until(() => reflector.problem()?.includes('410') === true)
    expect(lists()).toHaveLength(4)
    expect(store.synced).toBe(false)
    await drive(() => store.synced)
    expect(reflector.problem()).toBeUndefined()
  })

  test.each([
    ['an object without a uid', listOf(10, [{ metadata: { name: 'a', resourceVersion: '1' } }])],
    ['no list', { kind: 'Thing' }],
    ['no items', { metadata: { resourceVersion: '10' }, items: null }],
  ])('an answer with %s is not taken for an empty list', async (_, body) => {
    const { store, lists, drive, reflector } = await setUp(
      [refuse(200, body), list(10, [thing('a', 1)])],
      [stream()],
    )
    await until(() => reflector.problem() !== 'the first list is not in yet')
    expect(store.synced).toBe(false)
    await drive(() => store.synced)
    expect(lists()).toHaveLength(2)
  })
})

describe('etcd was restored', () => {
  test('the silent watch is followed by a list that the server cannot serve: what it has now is taken, all of it anew', async () => {
    const { clock, store, seen, lists, watches, drive } = await setUp(
      [
        list(1_000, [thing('a', 100), thing('b', 900), thing('c', 200)]),
        refuse(504, tooLarge),
        list(500, [thing('a', 100), thing('b', 400)]),
      ],
      [stream(), stream(event('ADDED', thing('d', 501)))],
    )
    await until(() => watches().length === 1)
    await clock.advance(150_000)
    await drive(() => store.get('ns/d') !== undefined)
    expect(lists().map(({ query }) => query['resourceVersion'])).toEqual([undefined, '1000', undefined])
    expect(watches()[1]?.query['resourceVersion']).toBe('500')
    expect(seen().slice(3)).toEqual([
      'changed ns/a 100',
      'changed ns/b 400',
      'deleted ns/c 200',
      'added ns/d 501',
    ])
    expect(store.epoch).toBe(1)
    expect(store.atLeast('1000')).toBe(false)
  })

  test('a single list that is older is not believed: it may come from a replica that lags', async () => {
    const gone = event('ERROR', failure(410))
    const { store, seen, drive, lists, reflector } = await setUp(
      [list(1_000, [thing('a', 900)]), list(500, [thing('a', 400)]), list(1_001, [thing('a', 900)])],
      [stream(gone), stream()],
    )
    await until(() => lists().length === 2)
    await until(() => reflector.problem()?.includes('older than what was seen') === true)
    expect(store.get('ns/a')?.metadata.resourceVersion).toBe('900')
    await drive(() => lists().length === 3 && store.lastSeenVersion() === '1001')
    expect(seen()).toEqual(['added ns/a 900'])
    expect(store.epoch).toBe(0)
    expect(reflector.problem()).toBeUndefined()
  })

  test('two in a row are believed', async () => {
    const gone = event('ERROR', failure(410))
    const { store, seen, drive } = await setUp(
      [list(1_000, [thing('a', 900)]), list(500, [thing('a', 400)]), list(501, [thing('a', 400)])],
      [stream(gone), stream()],
    )
    await drive(() => store.lastSeenVersion() === '501')
    expect(seen()).toEqual(['added ns/a 900', 'changed ns/a 400'])
    expect(store.epoch).toBe(1)
  })
})
