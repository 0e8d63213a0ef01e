import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/simulator/faults.ts'
import { largestBody, type Served } from '../../src/simulator/http/serve.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { billing, open } from './kit.ts'

const form = `size_gb=10&billing_account_id=${billing}`
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

function createDisk({ apiKey, serve }: Simulator, signal?: AbortSignal): Promise<Served> {
  const headers = { apikey: apiKey, ...formType }
  return serve({
    method: 'POST',
    target: '/v1/storage/disks',
    headers,
    body: form,
    ...(signal !== undefined && { signal }),
  })
}

async function listedDisks({ apiKey, serve }: Simulator): Promise<number> {
  const served = await serve({ method: 'GET', target: '/v1/storage/disks', headers: { apikey: apiKey } })
  return served.outcome === 'answered' ? (JSON.parse(served.body) as unknown[]).length : -1
}

function withFault(fault: Partial<Fault> & Pick<Fault, 'action'>): Simulator {
  const simulator = createSimulator()
  simulator.control.addFault({ method: 'POST', path: '/storage/disks', point: 'before', ...fault })
  return simulator
}

describe('without sockets', () => {
  test('a request has an answer', async () => {
    const served = await createDisk(createSimulator())
    expect(served).toMatchObject({ outcome: 'answered', status: 201 })
    if (served.outcome !== 'answered') return
    expect(served.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(served.body.length),
    })
    expect(JSON.parse(served.body)).toMatchObject({ size_gb: 10 })
  })

  test('the answer is the one that a socket carries', async () => {
    const api = await open({ seed: 5 })
    const overHttp = await api.raw('POST', '/storage/disks', formType['content-type'], form)
    const clock = createManualClock()
    const [one, two] = await Promise.all([5, 5].map((seed) => createDisk(createSimulator({ seed, clock }))))
    expect(two).toEqual(one)
    if (one?.outcome !== 'answered') throw new Error('no answer')
    for (const name of ['content-type', 'content-length', 'x-correlation-id'])
      expect(overHttp.headers.get(name)).toBe(one.headers[name])
    expect(overHttp.status).toBe(one.status)
    expect(Object.keys(overHttp.body as object)).toEqual(Object.keys(JSON.parse(one.body) as object))
  })

  test('names of headers may be in any case, and a body may be bytes', async () => {
    const simulator = createSimulator()
    const served = await simulator.serve({
      method: 'POST',
      target: '/v1/storage/disks',
      headers: { ApiKey: [simulator.apiKey, 'other'], 'Content-Type': formType['content-type'] },
      body: new TextEncoder().encode(form),
    })
    expect(served).toMatchObject({ outcome: 'answered', status: 201 })
  })

  test('a body over the limit is refused and changes nothing, here and over a socket', async () => {
    const { serve, apiKey, control } = createSimulator()
    const before = control.inventory()
    const body = new Uint8Array(largestBody + 1)
    const headers = { apikey: apiKey, ...formType }
    const served = await serve({ method: 'POST', target: '/v1/storage/disks', headers, body })
    expect(served).toMatchObject({ outcome: 'answered', status: 413 })
    expect(control.inventory()).toEqual(before)
    const api = await open()
    expect(
      (await api.raw('POST', '/storage/disks', 'text/plain', 'x'.repeat(largestBody + 100_000))).status,
    ).toBe(413)
    expect((await api.get('/storage/disks')).status).toBe(200)
  })
})

describe('the outcome of a fault', () => {
  test.each([
    ['before', 0],
    ['afterCommit', 1],
  ] as const)('a reset %s the commit', async (point, disks) => {
    const simulator = withFault({ point, action: { reset: true } })
    expect(await createDisk(simulator)).toEqual({ outcome: 'reset' })
    expect(await listedDisks(simulator)).toBe(disks)
  })

  test('a hang', async () => {
    expect(await createDisk(withFault({ action: { hang: true } }))).toEqual({ outcome: 'hang' })
  })

  test('half of an answer, and half of one without a body', async () => {
    const simulator = withFault({ method: '*', path: '*', action: { truncate: true }, times: 2 })
    const served = await createDisk(simulator)
    if (served.outcome !== 'truncated') throw new Error(served.outcome)
    expect(served.body.length).toBe(Math.floor(Number(served.headers['content-length']) / 2))
    const uuid = simulator.control.inventory().disks[0]?.['uuid']
    const headers = { apikey: simulator.apiKey }
    const target = `/v1/storage/disks/${String(uuid)}`
    expect(await simulator.serve({ method: 'DELETE', target, headers })).toEqual({ outcome: 'reset' })
    expect(await listedDisks(simulator)).toBe(0)
  })

  test('an effect that comes after the refusal', async () => {
    const clock = createManualClock()
    const simulator = createSimulator({ clock })
    const action = { answer: { status: 502 } }
    const fault = { method: 'POST', path: '/storage/disks', point: 'before', action } as const
    simulator.control.addFault({ ...fault, effectAfterMs: 30_000 })
    expect(await createDisk(simulator)).toMatchObject({ outcome: 'answered', status: 502 })
    expect(await listedDisks(simulator)).toBe(0)
    await clock.advance(30_000)
    expect(await listedDisks(simulator)).toBe(1)
  })

  test('a client that goes away while it is held', async () => {
    const simulator = createSimulator()
    const { id } = simulator.control.hold({ method: 'POST', path: '/storage/disks', point: 'before' })
    const client = new AbortController()
    const served = createDisk(simulator, client.signal)
    await simulator.control.waitHeld(id, 5000)
    client.abort()
    expect(await served).toEqual({ outcome: 'reset' })
    expect(await listedDisks(simulator)).toBe(0)
  })
})

test('HEAD is answered without a body', async () => {
  const api = await open()
  const target = new URL('/v1/storage/disks', api.simulator.url)
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(target, { method: 'HEAD', agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    request.on('error', reject)
    request.end()
  })
  expect(status).toBe(405)
})
