/** What a client does when the service asks to slow down, on a manual clock and a transport of the test's own. */
import { expect, test } from 'vitest'
import { createBucket, getBucket } from '../../../src/cloud/buckets.ts'
import type { Transport, WireReply } from '../../../src/cloud/wire.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { send, testClient } from './recorder.ts'

interface Canned {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

function rig(replies: Canned[]) {
  const clock = createManualClock()
  const times: number[] = []
  const transport: Transport = {
    exchange: (_request, receive) => {
      times.push(clock.monotonic())
      const { status, headers = {} } = replies.shift() ?? { status: 200 }
      const reply: WireReply = { status, header: (name) => headers[name], body: body('{"name":"logs"}') }
      return receive(reply)
    },
    close: () => Promise.resolve(),
  }
  return { clock, times, client: testClient('https://api.example.com', { clock, transport }) }
}

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}

test.each([
  { says: 'seconds', header: '7', pauseMs: 7_000 },
  { says: 'a date', header: 'Thu, 01 Jan 2026 00:00:09 GMT', pauseMs: 9_000 },
  { says: 'a date in the past', header: 'Thu, 01 Jan 2015 00:00:09 GMT', pauseMs: 0 },
  { says: 'a day: not believed', header: '86400', pauseMs: 900_000 },
])('Retry-After as $says pauses the lane that long', async ({ header, pauseMs }) => {
  const { clock, times, client } = rig([{ status: 429, headers: { 'retry-after': header } }])
  await expect(getBucket(client, 'logs')).rejects.toMatchObject({ class: 'slowDown', retryAfterMs: pauseMs })
  const next = getBucket(client, 'logs')
  await createBucket(client, { name: 'logs', billingAccount: 1 }, send())
  await clock.advance(1_000_000)
  await next
  expect(times.sort((a, b) => a - b)).toEqual([0, 0, pauseMs])
})

test('without Retry-After the pause doubles each time in a row, and a success ends the row', async () => {
  const slow = { status: 429 }
  const { clock, times, client } = rig([slow, slow, slow, { status: 200 }, slow, { status: 200 }])
  const reading = (async () => {
    for (let n = 0; n < 6; n += 1) await getBucket(client, 'logs').catch(() => undefined)
  })()
  await clock.advance(60_000)
  await reading
  expect(times).toEqual([0, 1_000, 3_000, 7_000, 7_000, 8_000])
})

test('a 503 of a change is unclear, and pauses its lane all the same', async () => {
  const { clock, times, client } = rig([{ status: 503, headers: { 'retry-after': '3' } }])
  const bucket = { name: 'logs', billingAccount: 1 }
  await expect(createBucket(client, bucket, send())).rejects.toMatchObject({
    class: 'unclear',
    retryAfterMs: 3_000,
  })
  const next = createBucket(client, bucket, send())
  await clock.advance(3_000)
  await next
  expect(times).toEqual([0, 3_000])
})
