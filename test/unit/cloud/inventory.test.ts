import { describe, expect, test } from 'vitest'
import type { CloudClient } from '../../../src/cloud/client.ts'
import { CloudError } from '../../../src/cloud/errors.ts'
import { Inventory } from '../../../src/cloud/inventory.ts'
import type { FloatingIpRecord, VmRecord } from '../../../src/cloud/records.ts'
import type { Transport } from '../../../src/cloud/wire.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { testClient } from './recorder.ts'

interface Asked {
  readonly path: string
  readonly at: number
  readonly answer: (rows: readonly object[]) => void
  readonly fail: (status: number) => void
}

/** An inventory over a transport whose answers the test gives when it likes. */
function rig() {
  const clock = createManualClock()
  const asked: Asked[] = []
  const transport: Transport = {
    exchange: async (request, receive) => {
      const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
        asked.push({
          path: request.path,
          at: clock.monotonic(),
          answer: (rows) => resolve({ status: 200, text: JSON.stringify(rows) }),
          fail: (failure) => resolve({ status: failure, text: '{"message":"no"}' }),
        })
      })
      return receive({ status, header: () => undefined, body: once(text) })
    },
    close: () => Promise.resolve(),
  }
  const client: CloudClient = testClient('https://api.example.com', { clock, transport })
  return { clock, asked, inventory: new Inventory(client, clock) }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}

async function settled(clock: { yield(): Promise<void> }): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await clock.yield()
}

function vm(uuid: string, name?: string): VmRecord {
  return { uuid, ...(name === undefined ? {} : { name }), deleted: false }
}

const anyAge = { maxAgeMs: Number.POSITIVE_INFINITY }

describe('freshness', () => {
  test('callers at the same time share one list', async () => {
    const { clock, asked, inventory } = rig()
    const both = Promise.all([
      inventory.list('vm', 'tll01', anyAge),
      inventory.list('vm', 'tll01', { maxAgeMs: 0 }),
    ])
    await settled(clock)
    expect(asked.map(({ path }) => path)).toEqual(['/v1/tll01/user-resource/vm/list'])
    asked[0]?.answer([{ uuid: 'a' }])
    const [one, other] = await both
    expect(one).toBe(other)
    expect(one.rows).toEqual([vm('a')])
    expect(one.byID.get('a')).toEqual(vm('a'))
  })

  test('a snapshot serves until it is too old; its age counts from when the request began', async () => {
    const { clock, asked, inventory } = rig()
    const first = inventory.list('disk', 'tll01', anyAge)
    await settled(clock)
    await clock.advance(3_000)
    asked[0]?.answer([{ uuid: 'd' }])
    expect((await first).startedAt).toBe(0)
    await inventory.list('disk', 'tll01', { maxAgeMs: 3_000 })
    expect(asked).toHaveLength(1)
    const second = inventory.list('disk', 'tll01', { maxAgeMs: 2_999 })
    await settled(clock)
    expect(asked).toHaveLength(2)
    asked[1]?.answer([])
    expect((await second).startedAt).toBe(3_000)
  })

  test('a list begun before the moment is not given to who needs a later one; those wait for one together', async () => {
    const { clock, asked, inventory } = rig()
    const early = inventory.list('vm', 'tll01', anyAge)
    await settled(clock)
    await clock.advance(10)
    const later = [
      inventory.list('vm', 'tll01', { startedAfter: 5 }),
      inventory.list('vm', 'tll01', { startedAfter: 8 }),
    ]
    await settled(clock)
    expect(asked).toHaveLength(1)
    asked[0]?.answer([{ uuid: 'old' }])
    expect((await early).byID.has('old')).toBe(true)
    await settled(clock)
    expect(asked).toHaveLength(2)
    asked[1]?.answer([{ uuid: 'new' }])
    const [one, other] = await Promise.all(later)
    expect(one).toBe(other)
    expect(one?.startedAt).toBe(10)
    expect([...(one?.byID.keys() ?? [])]).toEqual(['new'])
  })

  test('a snapshot begun at the very moment does not count as begun after it', async () => {
    const { clock, asked, inventory } = rig()
    const first = inventory.list('vm', 'tll01', anyAge)
    await settled(clock)
    asked[0]?.answer([])
    await first
    const second = inventory.list('vm', 'tll01', { startedAfter: 0 })
    await settled(clock)
    expect(asked).toHaveLength(2)
    asked[1]?.answer([])
    await second
  })

  test('kinds and locations are apart; buckets have no location', async () => {
    const { clock, asked, inventory } = rig()
    const lists = [
      inventory.list('vm', 'tll01', anyAge),
      inventory.list('vm', 'jkt01', anyAge),
      inventory.list('floatingIP', 'tll01', anyAge),
      inventory.list('network', undefined, anyAge),
      inventory.list('network', 'tll01', anyAge),
      inventory.list('loadBalancer', undefined, anyAge),
      inventory.list('bucket', undefined, anyAge),
      inventory.list('bucket', 'tll01', anyAge),
    ]
    await settled(clock)
    expect(asked.map(({ path }) => path).sort()).toEqual([
      '/v1/jkt01/user-resource/vm/list',
      '/v1/network/load_balancers',
      '/v1/network/networks',
      '/v1/storage/bucket/list',
      '/v1/tll01/network/ip_addresses',
      '/v1/tll01/network/networks',
      '/v1/tll01/user-resource/vm/list',
    ])
    for (const { answer } of asked) answer([])
    await Promise.all(lists)
  })

  test('a failed list reaches all that share it, and the next caller tries again', async () => {
    const { clock, asked, inventory } = rig()
    const both = Promise.allSettled([inventory.list('vm', 'x', anyAge), inventory.list('vm', 'x', anyAge)])
    await settled(clock)
    asked[0]?.fail(403)
    for (const result of await both) {
      expect(result.status === 'rejected' && result.reason instanceof CloudError && result.reason.class).toBe(
        'denied',
      )
    }
    const again = inventory.list('vm', 'x', anyAge)
    await settled(clock)
    asked[1]?.answer([{ uuid: 'a' }])
    expect((await again).rows).toHaveLength(1)
  })

  test('a list that needs a location and has none is a bug that says so, and blocks nothing', async () => {
    const { inventory } = rig()
    await expect(inventory.list('vm', undefined, anyAge)).rejects.toThrow(TypeError)
    await expect(inventory.list('vm', undefined, anyAge)).rejects.toThrow(TypeError)
  })
})

describe('write-through', () => {
  async function listed(rows: readonly object[]) {
    const parts = rig()
    const first = parts.inventory.list('vm', 'tll01', anyAge)
    await settled(parts.clock)
    parts.asked[0]?.answer(rows)
    const before = await first
    await parts.clock.advance(1_000)
    return { ...parts, before, now: () => parts.inventory.list('vm', 'tll01', anyAge) }
  }

  test('a noted row is seen by the next caller; a snapshot in hand does not change', async () => {
    const { inventory, before, now } = await listed([{ uuid: 'a' }])
    inventory.note('vm', 'tll01', vm('b', 'new'))
    inventory.note('vm', 'tll01', vm('a', 'renamed'))
    expect((await now()).rows).toEqual([vm('a', 'renamed'), vm('b', 'new')])
    expect(before.rows).toEqual([vm('a')])
    expect((await now()).startedAt).toBe(before.startedAt)
  })

  test('forgotten rows and tombstones are gone', async () => {
    const { inventory, now } = await listed([{ uuid: 'a' }, { uuid: 'b' }, { uuid: 'c' }])
    inventory.forget('vm', 'tll01', 'a')
    inventory.note('vm', 'tll01', { ...vm('b'), deleted: true })
    expect((await now()).rows).toEqual([vm('c')])
  })

  test('survives a list that began before it, and yields to one that began after it', async () => {
    const { clock, asked, inventory, now } = await listed([{ uuid: 'a' }])
    const stale = inventory.list('vm', 'tll01', { maxAgeMs: 0 })
    await settled(clock)
    await clock.advance(10)
    inventory.note('vm', 'tll01', vm('b'))
    inventory.forget('vm', 'tll01', 'a')
    asked[1]?.answer([{ uuid: 'a' }])
    expect((await stale).rows).toEqual([vm('b')])
    await clock.advance(10)
    const fresh = inventory.list('vm', 'tll01', { maxAgeMs: 0 })
    await settled(clock)
    asked[2]?.answer([{ uuid: 'a' }, { uuid: 'c' }])
    expect((await fresh).rows).toEqual([vm('a'), vm('c')])
    expect((await now()).rows).toEqual([vm('a'), vm('c')])
  })

  test('survives the very first list too', async () => {
    const { clock, asked, inventory } = rig()
    const first = inventory.list('vm', 'tll01', anyAge)
    await settled(clock)
    await clock.advance(10)
    inventory.note('vm', 'tll01', vm('b'))
    asked[0]?.answer([])
    expect((await first).rows).toEqual([vm('b')])
  })

  test('before any list there is nothing to write into', async () => {
    const { clock, asked, inventory } = rig()
    inventory.note('vm', 'tll01', vm('b'))
    await clock.advance(10)
    const first = inventory.list('vm', 'tll01', anyAge)
    await settled(clock)
    asked[0]?.answer([])
    expect((await first).rows).toEqual([])
  })

  test('a floating IP goes by its id: its address can belong to another one by now', async () => {
    const { clock, asked, inventory } = rig()
    const first = inventory.list('floatingIP', 'tll01', anyAge)
    await settled(clock)
    asked[0]?.answer([{ id: 5, address: '203.0.113.1' }])
    const ip: FloatingIpRecord = { id: 6, address: '203.0.113.1', deleted: false }
    expect([...(await first).byID.keys()]).toEqual(['5'])
    inventory.note('floatingIP', 'tll01', ip)
    inventory.forget('floatingIP', 'tll01', '5')
    expect((await inventory.list('floatingIP', 'tll01', anyAge)).rows).toEqual([ip])
  })
})
