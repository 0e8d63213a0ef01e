import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { until } from './fake-server.ts'
import { bookmark, event, list, refuse, setUp, stream, streamThatEnds, thing } from './reflector-rig.ts'

describe('streams', () => {
  test('a line that is no event: nothing after it is taken, the stream is resumed, the event comes again', async () => {
    const { store, watches, lists, seen, drive } = await setUp(
      [list(10, [])],
      [
        stream(
          event('ADDED', thing('a', 11)),
          '{"type":"ADDED","object":{"me\n',
          event('ADDED', thing('c', 13)),
        ),
        stream(event('ADDED', thing('b', 12)), event('ADDED', thing('c', 13))),
      ],
    )
    await drive(() => store.size === 3)
    expect(watches().map(({ query }) => query['resourceVersion'])).toEqual(['10', '11'])
    expect(seen()).toEqual(['added ns/a 11', 'added ns/b 12', 'added ns/c 13'])
    expect(lists()).toHaveLength(1)
  })

  test.each([
    ['an unknown type', event('RENAMED', thing('a', 11))],
    ['no object', '{"type":"ADDED"}\n'],
    ['an object without a version', event('ADDED', { metadata: { name: 'a', uid: 'u' } })],
    ['a bookmark without a version', event('BOOKMARK', { metadata: {} })],
    ['a page of HTML', '<html>\n'],
  ])('%s is no event either', async (_, line) => {
    const { store, watches, lists, drive } = await setUp(
      [list(10, [])],
      [stream(line), stream(event('ADDED', thing('a', 11)))],
    )
    await drive(() => store.size === 1)
    expect(watches().map(({ query }) => query['resourceVersion'])).toEqual(['10', '10'])
    expect(lists()).toHaveLength(1)
  })

  test('an event that can never be read is passed over by a relist after three tries', async () => {
    const { store, watches, lists, drive } = await setUp(
      [list(10, []), list(12, [thing('a', 11)])],
      [stream('broken\n'), stream('broken\n'), stream('broken\n'), stream()],
    )
    await drive(() => store.size === 1)
    expect(lists()).toHaveLength(2)
    await drive(() => watches().length === 4)
    expect(watches().map(({ query }) => query['resourceVersion'])).toEqual(['10', '10', '10', '12'])
  })

  test('an event cut by the end of the connection comes with the list that follows', async () => {
    const half = event('ADDED', thing('b', 12)).slice(0, 40)
    const { store, watches, drive } = await setUp(
      [list(10, []), list(12, [thing('a', 11), thing('b', 12)])],
      [streamThatEnds(event('ADDED', thing('a', 11)), half), stream()],
    )
    await drive(() => store.size === 2 && watches().length === 2)
    expect(watches().map(({ query }) => query['resourceVersion'])).toEqual(['10', '12'])
  })

  test('events may be cut anywhere, also inside a character', async () => {
    const bytes = Buffer.from(event('ADDED', { ...thing('a', 11), status: { text: 'größer als 1 €' } }))
    const { store, open } = await setUp([list(10, [])], [stream()])
    await until(() => open.length === 1)
    for (const byte of bytes) {
      open[0]?.write(Buffer.from([byte]))
      if (byte > 127) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await until(() => store.size === 1)
    expect(store.get('ns/a')?.status).toEqual({ text: 'größer als 1 €' })
  })

  test('a new uid under the same name is a deletion and an addition, also without a DELETED event', async () => {
    const { seen, drive } = await setUp(
      [list(10, [thing('a', 5, { uid: 'old' })])],
      [stream(event('MODIFIED', thing('a', 11, { uid: 'new' })))],
    )
    await drive(() => seen().length === 3)
    expect(seen()).toEqual(['added ns/a 5', 'deleted ns/a 5', 'added ns/a 11'])
  })

  test('an event older than what was seen is refused, and the resource is listed again', async () => {
    const { store, lists, seen, drive } = await setUp(
      [list(10, [thing('a', 10, { n: 2 })]), list(12, [thing('a', 12, { n: 3 })])],
      [stream(event('MODIFIED', thing('a', 9, { n: 1 }))), stream()],
    )
    await drive(() => lists().length === 2 && store.get('ns/a')?.spec.n === 3)
    expect(seen()).toEqual(['added ns/a 10', 'changed ns/a 12'])
    expect(lists()[1]?.query).toMatchObject({ resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' })
  })
})

describe('a server that was away', () => {
  /** A stream that ends after the time it was asked to last, and what comes after it. */
  async function onTime(meanwhile: (rig: Awaited<ReturnType<typeof setUp>>) => void) {
    const rig = await setUp([list(10, [thing('a', 5)]), list(20, [thing('b', 8)])], [stream(), stream()])
    await until(() => rig.open.length === 1)
    for (let n = 1; n <= 10; n += 1) {
      await rig.clock.advance(60_000)
      rig.open[0]?.write(bookmark(10 + n))
      await until(() => rig.store.lastSeenVersion() === String(10 + n))
    }
    meanwhile(rig)
    rig.open[0]?.end()
    await rig.drive(() => rig.watches().length === 2)
    return rig
  }

  test('another stream has seen it: what ended on time is listed too, and what came back is found', async () => {
    const { lists, seen } = await onTime(({ interruptions }) => interruptions.note())
    expect(lists()).toHaveLength(2)
    expect(seen()).toEqual(['added ns/a 5', 'added ns/b 8', 'deleted ns/a 5'])
  })

  test('nobody has seen one: a stream that ended on time is resumed', async () => {
    const { lists } = await onTime(() => undefined)
    expect(lists()).toHaveLength(1)
  })

  test.each([
    ['ended early', (open: ServerResponse | undefined) => void open?.end()],
    ['broke', (open: ServerResponse | undefined) => void open?.destroy()],
  ])('a stream that %s is told to the others', async (_, end) => {
    const { clock, interruptions, lists, open, watches, drive } = await setUp(
      [list(10, [thing('a', 5)])],
      [stream(), stream()],
    )
    await until(() => open.length === 1)
    await clock.advance(10_000)
    const beforeMs = clock.monotonic() - 1
    expect(interruptions.since(beforeMs)).toBe(false)
    end(open[0])
    await drive(() => watches().length === 2)
    expect(interruptions.since(beforeMs)).toBe(true)
    expect(lists()).toHaveLength(2)
  })
})

describe('silence', () => {
  test('150 s without a byte: the stream is given up and the resource listed anew', async () => {
    const { clock, lists, watches, store, at, drive } = await setUp(
      [list(10, [thing('a', 1)]), list(20, [thing('a', 15)])],
      [stream(), stream()],
    )
    await until(() => watches().length === 1)
    await clock.advance(149_000)
    expect(lists()).toHaveLength(1)
    await drive(() => watches().length === 2)
    expect(at.list[1]).toBeGreaterThanOrEqual(150_000)
    expect(at.list[1]).toBeLessThan(152_000)
    expect(lists()[1]?.query).toMatchObject({ resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' })
    expect(store.get('ns/a')?.metadata.resourceVersion).toBe('15')
  })

  test('bookmarks are life, and the position after them is theirs', async () => {
    const { clock, lists, watches, open, store, drive } = await setUp([list(10, [])], [stream(), stream()])
    await until(() => open.length === 1)
    for (let n = 1; n <= 10; n += 1) {
      await clock.advance(60_000)
      open[0]?.write(bookmark(10 + n))
      await until(() => store.lastSeenVersion() === String(10 + n))
    }
    expect(lists()).toHaveLength(1)
    open[0]?.end()
    await drive(() => watches().length === 2)
    expect(watches()[1]?.query['resourceVersion']).toBe('20')
    expect(lists()).toHaveLength(1)
  })

  test('an answer that does not come counts as silence', async () => {
    const { clock, watches, lists, drive } = await setUp([list(10, [])], [() => undefined, stream()])
    await until(() => watches().length === 1)
    await clock.advance(149_000)
    await drive(() => lists().length === 2)
  })
})

describe('stop', () => {
  test('during an open stream, a hanging list, and a back-off', async () => {
    const streaming = await setUp([list(10, [])], [stream()])
    await until(() => streaming.watches().length === 1)
    const listing = await setUp([() => undefined], [stream()])
    await until(() => listing.lists().length === 1)
    const waiting = await setUp([refuse(500)], [stream()])
    await until(() => waiting.reflector.problem()?.includes('500') === true)
    for (const each of [streaming, listing, waiting]) {
      each.stop.abort()
      await each.reflector.stopped
      expect(each.clock.pending()).toBe(0)
    }
    await until(() => streaming.server.sockets.size <= 1)
  })
})
