/** Sent or certainly not sent, in each way a call can fail. */
import diagnostics from 'node:diagnostics_channel'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { getBucket, createBucket } from '../../../src/cloud/buckets.ts'
import type { CloudClient, Send } from '../../../src/cloud/client.ts'
import type { ObservedCall } from '../../../src/cloud/attempt.ts'
import { CloudError } from '../../../src/cloud/errors.ts'
import { send, startRecorder, testClient } from './recorder.ts'

const bucket = { name: 'logs', billingAccount: 1 }
const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A raw server; `serve` gets each connection, and each piece of bytes that comes on it. */
async function rawServer(
  serve: (socket: Socket, bytes: Buffer | undefined) => void,
): Promise<{ url: string; seen: Buffer[] }> {
  const seen: Buffer[] = []
  const sockets = new Set<Socket>()
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      seen.push(bytes)
      serve(socket, bytes)
    })
    serve(socket, undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

function clientOf(url: string, timeLimits: { connectMs?: number; readMs?: number; changeMs?: number } = {}) {
  const calls: ObservedCall[] = []
  const client = testClient(url, { timeLimits, observeCall: (call) => calls.push(call) })
  cleanups.push(() => client.close())
  return { client, calls }
}

async function failureOf(call: Promise<unknown>): Promise<CloudError> {
  const failure: unknown = await call.then(
    () => new Error('must fail'),
    (error: unknown) => error,
  )
  if (!(failure instanceof CloudError)) throw failure
  return failure
}

async function closedPort(): Promise<string> {
  const recorder = await startRecorder()
  await recorder.stop()
  return recorder.url
}

describe('a change', () => {
  test('to a port that nobody listens on: not sent, and never asked for its last word', async () => {
    let asked = 0
    const { client, calls } = clientOf(await closedPort())
    const error = await failureOf(
      createBucket(client, bucket, { operationID: 'op', beforeDispatch: () => (asked += 1) }),
    )
    expect(error).toMatchObject({ class: 'notSent', sent: false, method: 'PUT', path: '/v1/storage/bucket' })
    expect(error.text).toContain('ECONNREFUSED')
    expect(asked).toBe(0)
    expect(calls).toMatchObject([{ class: 'notSent', operationID: 'op' }])
  })

  test('to a host name that does not exist: not sent', async () => {
    const { client } = clientOf('http://no-such-host.invalid')
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'notSent',
      sent: false,
    })
  })

  test('to a server that never finishes the TLS handshake: not sent after the connect limit', async () => {
    const { url } = await rawServer(() => undefined)
    const { client } = clientOf(url.replace('http:', 'https:'), { connectMs: 50 })
    const error = await failureOf(createBucket(client, bucket, send()))
    expect(error).toMatchObject({ class: 'notSent', sent: false })
    expect(error.text).toContain('no connection within 0.05 s')
  })

  test('whose connection is reset before the request: sent, since its bytes were on the way', async () => {
    const { url } = await rawServer((socket, bytes) => {
      if (bytes !== undefined) socket.resetAndDestroy()
    })
    const { client } = clientOf(url)
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'unclear',
      sent: true,
    })
  })

  test('whose connection ends without an answer: unclear', async () => {
    const { url, seen } = await rawServer((socket, bytes) => {
      if (bytes !== undefined) socket.end()
    })
    const { client } = clientOf(url)
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'unclear',
      sent: true,
    })
    expect(
      Buffer.concat(seen)
        .toString()
        .match(/PUT \/v1/g),
    ).toHaveLength(1)
  })

  test('whose answer breaks off after the headers: unclear', async () => {
    const { url } = await rawServer((socket, bytes) => {
      if (bytes !== undefined) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"name":')
    })
    const { client } = clientOf(url)
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'unclear',
      sent: true,
    })
  })

  test('that hangs: unclear after its time limit', async () => {
    const { url } = await rawServer(() => undefined)
    const { client } = clientOf(url, { changeMs: 60 })
    const error = await failureOf(createBucket(client, bucket, send()))
    expect(error).toMatchObject({ class: 'unclear', sent: true })
    expect(error.text).toBe('no complete answer within 0.06 s')
  })

  test('that answers something that is no HTTP: unclear', async () => {
    const { url } = await rawServer((socket, bytes) => {
      if (bytes !== undefined) socket.end('hello there\r\n\r\n')
    })
    const { client } = clientOf(url)
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'unclear',
      sent: true,
    })
  })

  test('stopped by its last word: not sent, not a byte arrived, the reason kept', async () => {
    const { url, seen } = await rawServer(() => undefined)
    const { client } = clientOf(url)
    const reason = new Error('the lease is lost')
    const stopped: Send = {
      operationID: 'op',
      beforeDispatch: () => {
        throw reason
      },
    }
    const error = await failureOf(createBucket(client, bucket, stopped))
    expect(error).toMatchObject({ class: 'notSent', sent: false, cause: { kind: 'stopped', cause: reason } })
    expect(error.text).toContain('the lease is lost')
    expect(seen).toHaveLength(0)
  })

  test('the last word comes once, on an open connection, right before the bytes', async () => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const { client } = clientOf(recorder.url)
    recorder.respond(() => ({ body: { name: 'logs' } }))
    const seen: number[] = []
    await createBucket(client, bucket, {
      operationID: 'op',
      beforeDispatch: () => seen.push(recorder.requests.length),
    })
    expect(seen).toEqual([0])
    expect(recorder.requests).toHaveLength(1)
  })

  test('between the last word and the bytes nothing else runs, not even a microtask', async () => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const { client } = clientOf(recorder.url)
    recorder.respond(() => ({ body: { name: 'logs' } }))
    const events: string[] = []
    const onSendHeaders = () => events.push('bytes')
    diagnostics.subscribe('undici:client:sendHeaders', onSendHeaders)
    await createBucket(client, bucket, {
      operationID: 'op',
      beforeDispatch: () => {
        events.push('last word')
        process.nextTick(() => events.push('tick'))
        queueMicrotask(() => events.push('microtask'))
      },
    })
    diagnostics.unsubscribe('undici:client:sendHeaders', onSendHeaders)
    expect(events).toEqual(['last word', 'bytes', 'tick', 'microtask'])
  })

  test.each([429, 500, 502, 503, 504, 408, 307])('is not repeated after %i', async (status) => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const { client } = clientOf(recorder.url)
    recorder.respond(() => ({ status, headers: { location: `${recorder.url}/v1/elsewhere` } }))
    await failureOf(createBucket(client, bucket, send()))
    expect(recorder.requests).toHaveLength(1)
  })

  test.each([
    { body: '', why: 'empty' },
    { body: '<html></html>', why: 'a page' },
    { body: { name: 5 }, why: 'another shape' },
    { body: { errors: { Error: 'it failed' } }, why: 'an error' },
    { body: '{"name":"logs"', why: 'cut off' },
    { body: `${'['.repeat(100)}${']'.repeat(100)}`, why: 'nested too deep' },
  ])('with a success whose body is $why: unclear', async ({ body }) => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const { client } = clientOf(recorder.url)
    recorder.respond(() => ({ status: 200, body }))
    expect(await failureOf(createBucket(client, bucket, send()))).toMatchObject({
      class: 'unclear',
      status: 200,
    })
  })

  test('never uses a connection twice', async () => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const { client } = clientOf(recorder.url)
    recorder.respond(() => ({ body: { name: 'logs' } }))
    for (let n = 0; n < 3; n += 1) await createBucket(client, bucket, send())
    expect(recorder.connections()).toBe(3)
    for (let n = 0; n < 20; n += 1) await getBucket(client, 'logs')
    expect(recorder.connections()).toBeLessThanOrEqual(3 + 2)
  })
})

describe('a read', () => {
  async function countedReads(respond: (count: number) => { status: number; body?: unknown }) {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    recorder.respond(() => respond(recorder.requests.length))
    return { recorder, ...clientOf(recorder.url) }
  }

  test('is repeated after a 5xx, at most twice', async () => {
    const { client, recorder } = await countedReads(() => ({ status: 500 }))
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'unclear', status: 500 })
    expect(recorder.requests).toHaveLength(3)
  })

  test('succeeds on the second try', async () => {
    const { client, recorder } = await countedReads((count) =>
      count === 1 ? { status: 502 } : { status: 200, body: { name: 'logs' } },
    )
    expect(await getBucket(client, 'logs')).toEqual({ name: 'logs' })
    expect(recorder.requests).toHaveLength(2)
  })

  test.each([400, 401, 404, 409, 429, 503])('is not repeated after %i', async (status) => {
    const { client, recorder } = await countedReads(() => ({ status, body: { message: 'no' } }))
    await failureOf(getBucket(client, 'logs'))
    expect(recorder.requests).toHaveLength(1)
  })

  test('is not repeated after a redirect, which is not followed', async () => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    recorder.respond(() => ({ status: 302, headers: { location: `${recorder.url}/v1/elsewhere` } }))
    const { client } = clientOf(recorder.url)
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'refused', status: 302 })
    expect(recorder.requests).toHaveLength(1)
  })

  test('is repeated after a refused connection, as not sent', async () => {
    const { client, calls } = clientOf(await closedPort())
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'notSent', sent: false })
    expect(calls).toHaveLength(3)
  })

  test('that hangs is not repeated', async () => {
    const { url } = await rawServer(() => undefined)
    const { client, calls } = clientOf(url, { readMs: 60 })
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'unclear', sent: true })
    expect(calls).toHaveLength(1)
  })
})

describe('closing', () => {
  test('lets calls in flight finish and refuses new ones', async () => {
    const recorder = await startRecorder()
    cleanups.push(() => recorder.stop())
    const client: CloudClient = testClient(recorder.url)
    let finish: (() => void) | undefined
    const arrived = new Promise<void>((resolve) => {
      recorder.respond((_request, response) => {
        finish = () => response.end('{"name":"logs"}')
        resolve()
        return undefined
      })
    })
    const inFlight = createBucket(client, bucket, send())
    await arrived
    const closing = client.close()
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'notSent', sent: false })
    finish?.()
    expect(await inFlight).toEqual({ name: 'logs' })
    await closing
  })
})
