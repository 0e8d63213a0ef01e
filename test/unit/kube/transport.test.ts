import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { KubeAccess } from '../../../src/kube/access.ts'
import { CredentialsError } from '../../../src/kube/credentials.ts'
import { isKubeError, type KubeError } from '../../../src/kube/errors.ts'
import { createKubeTransport, type KubeRequest } from '../../../src/kube/transport.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { credentialsFor, failure, json, startFakeServer, until, type Call } from './fake-server.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Login {
  readonly access?: () => Partial<KubeAccess>
  readonly refresh?: () => void
  readonly path?: string
}

async function setUp(answer: (call: Call, response: ServerResponse) => void, login: Login = {}) {
  const clock = createManualClock()
  const server = await startFakeServer(answer)
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const credentials = credentialsFor(server.url + (login.path ?? ''), login.access, login.refresh)
  const metrics = createMetrics()
  const transport = createKubeTransport({ credentials, clock, log, metrics })
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  )
  return { clock, server, transport, metrics, log, lines }
}

const GET: KubeRequest = { method: 'GET', path: '/api/v1/things', verb: 'get', resource: 'things' }

async function failed(promise: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (!isKubeError(error)) throw error
  return error
}

describe('requests', () => {
  test('path below the base URL, query, body, headers and login go out as given', async () => {
    const { server, transport } = await setUp((_, response) => json(response, 200, { ok: true }), {
      access: () => ({ headers: { authorization: 'Bearer abcd' } }),
      path: '/clusters/one/',
    })
    const query = { limit: 5, continue: 'a b&c', absent: undefined }
    const answer = await transport.send({
      ...GET,
      method: 'PATCH',
      query,
      body: { a: 'ü' },
      contentType: 'application/merge-patch+json',
    })
    expect(answer).toEqual({ ok: true })
    expect(server.calls[0]).toMatchObject({
      method: 'PATCH',
      path: '/clusters/one/api/v1/things',
      query: { limit: '5', continue: 'a b&c' },
      body: { a: 'ü' },
      headers: {
        authorization: 'Bearer abcd',
        'content-type': 'application/merge-patch+json',
        'user-agent': 'cloud-operator',
      },
    })
  })

  test.each([
    [400, 'invalid'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [405, 'rejected'],
    [408, 'unclear'],
    [409, 'conflict'],
    [410, 'gone'],
    [422, 'invalid'],
    [429, 'throttled'],
    [500, 'unclear'],
    [503, 'unclear'],
    [307, 'unclear'],
  ])('%d is %s, with the server’s message', async (status, kind) => {
    const { transport, metrics } = await setUp((_, response) =>
      json(response, status, failure(status, { reason: 'Why' })),
    )
    expect(await failed(transport.send(GET))).toMatchObject({
      class: kind,
      status,
      reason: 'Why',
      message: `get things: ${status} it is a ${status}`,
    })
    expect(await metrics.text()).toContain(
      `kube_requests_total{verb="get",resource="things",outcome="${kind}"} 1`,
    )
  })

  test('an answer that is no Status is told by its text', async () => {
    const { transport } = await setUp((_, response) => response.writeHead(404).end('404 page not found\n'))
    const error = await failed(transport.send(GET))
    expect(error).toMatchObject({ class: 'notFound', message: 'get things: 404 404 page not found' })
    expect(error.reason).toBeUndefined()
  })

  test('a success that cannot be read is unclear', async () => {
    const { transport } = await setUp((_, response) => response.writeHead(200).end('{"kind":'))
    expect(await failed(transport.send(GET))).toMatchObject({ class: 'unclear', status: 200 })
  })

  test('a connection that is reset is unclear, one that is refused was never sent', async () => {
    const { transport, server } = await setUp((_, response) => response.socket?.destroy())
    expect(await failed(transport.send(GET))).toMatchObject({ class: 'unclear' })
    await server.close()
    expect(await failed(transport.send(GET))).toMatchObject({ class: 'notSent' })
  })

  test('no answer within half a minute is unclear, and the connection is not used again', async () => {
    let hang = true
    const { transport, server, clock } = await setUp((_, response) => {
      if (!hang) json(response, 200, {})
    })
    const request = failed(transport.send(GET))
    await until(() => server.calls.length === 1)
    const [socket] = server.sockets
    await clock.advance(30_000)
    expect(await request).toMatchObject({
      class: 'unclear',
      message: 'get things: no answer within the time limit',
    })
    hang = false
    await transport.send(GET)
    await until(() => socket !== undefined && !server.sockets.has(socket))
    expect(clock.pending()).toBe(0)
  })

  test('no more than 16 connections, whatever is asked; the lease and watches have their own', async () => {
    const held: ServerResponse[] = []
    const { transport, server } = await setUp((call, response) => {
      if (call.path === '/held') held.push(response)
      else json(response, 200, { ok: true })
    })
    const requests = Array.from({ length: 40 }, () => transport.send({ ...GET, path: '/held' }))
    await until(() => held.length === 16)
    expect(server.sockets.size).toBe(16)
    expect(await transport.dedicated()({ ...GET, path: '/lease' })).toEqual({ ok: true })
    const stream = await transport.watch({
      path: '/w',
      query: {},
      resource: 'things',
      signal: new AbortController().signal,
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe('{"ok":true}')
    expect(held).toHaveLength(16)
    let answered = 0
    await until(() => {
      for (; answered < held.length; answered += 1) {
        const response = held[answered]
        if (response !== undefined) json(response, 200, {})
      }
      return answered === 40
    })
    await Promise.all(requests)
    expect(server.sockets.size).toBeLessThanOrEqual(17)
  })
})

describe('401', () => {
  const strict = (call: Call, response: ServerResponse) =>
    call.headers.authorization === 'Bearer new!' ? json(response, 200, {}) : json(response, 401, failure(401))

  test('the credentials are refreshed and the request is sent once more', async () => {
    let access = { headers: { authorization: 'Bearer old!' } }
    let refreshes = 0
    const { transport, server } = await setUp(strict, {
      access: () => access,
      refresh: () => {
        refreshes += 1
        access = { headers: { authorization: 'Bearer new!' } }
      },
    })
    await transport.send({ ...GET, method: 'PUT', body: {} })
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old!', 'Bearer new!'])
    expect(refreshes).toBe(1)
  })

  test('a watch does the same', async () => {
    let access = { headers: { authorization: 'Bearer old!' } }
    const { transport } = await setUp(strict, {
      access: () => access,
      refresh: () => void (access = { headers: { authorization: 'Bearer new!' } }),
    })
    const stream = await transport.watch({
      path: '/w',
      query: {},
      resource: 'things',
      signal: new AbortController().signal,
    })
    for await (const chunk of stream) expect(Buffer.from(chunk).toString()).toBe('{}')
  })

  test('refused again: unauthorized, no third time', async () => {
    const { transport, server } = await setUp(strict)
    expect(await failed(transport.send(GET))).toMatchObject({ class: 'unauthorized', status: 401 })
    expect(server.calls).toHaveLength(2)
  })

  test('credentials that cannot be read: never sent, and the reason is told', async () => {
    const { transport, server } = await setUp(strict, {
      access: () => {
        throw new CredentialsError('cannot log in as x: no such file')
      },
    })
    expect(await failed(transport.send(GET))).toMatchObject({
      class: 'notSent',
      message: 'get things: cannot log in as x: no such file',
    })
    expect(server.calls).toHaveLength(0)
  })
})

test('when the access needs other connections, new ones are made and the old ones end', async () => {
  let generation = 1
  const { transport, server } = await setUp((_, response) => json(response, 200, {}), {
    access: () => ({ generation }),
  })
  await transport.send(GET)
  await transport.send(GET)
  const old = [...server.sockets]
  generation = 2
  await transport.send(GET)
  await until(() => server.sockets.size === 1 && !old.some((socket) => server.sockets.has(socket)))
})

test('the token never reaches the log', async () => {
  const { transport, log, lines } = await setUp((_, response) => json(response, 200, {}), {
    access: () => ({ headers: { authorization: 'Bearer s3cr3t-token' } }),
  })
  await transport.send(GET)
  log.info({ error: new Error('oops: Bearer s3cr3t-token') }, 'echo')
  expect(lines.join('')).not.toContain('s3cr3t-token')
  expect(lines.join('')).toContain('Bearer [hidden]')
})

test('a stream ends with its signal, and its connection with it', async () => {
  const { transport, server } = await setUp((_, response) => {
    response.writeHead(200)
    response.write('one')
  })
  const stop = new AbortController()
  const stream = await transport.watch({ path: '/w', query: {}, resource: 'things', signal: stop.signal })
  const read = async () => {
    for await (const chunk of stream) if (chunk.length > 0) stop.abort()
  }
  expect(await failed(read())).toMatchObject({ class: 'unclear' })
  await until(() => server.sockets.size === 0)
})
