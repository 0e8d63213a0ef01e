/** What a hostile value or a hostile service can make of a request and its answer. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getBucket, createBucket } from '../../src/cloud/buckets.ts'
import type { CloudClient } from '../../src/cloud/client.ts'
import { deleteDisk, getDisk } from '../../src/cloud/disks.ts'
import { pathOf, unsendable } from '../../src/cloud/encode.ts'
import { CloudError } from '../../src/cloud/errors.ts'
import { deleteFloatingIp, getFloatingIp } from '../../src/cloud/floatingips.ts'
import { deleteNetwork, getNetwork } from '../../src/cloud/networks.ts'
import type { CloudRequest } from '../../src/cloud/request.ts'
import { getVm, listVms } from '../../src/cloud/vms.ts'
import { send, startRecorder, testClient, testKey, type Recorder } from '../unit/cloud/recorder.ts'

let recorder: Recorder
let client: CloudClient
const cleanups: (() => Promise<void>)[] = []
beforeEach(async () => {
  recorder = await startRecorder()
  client = testClient(recorder.url)
  cleanups.push(
    () => client.close(),
    () => recorder.stop(),
  )
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function failureOf(call: Promise<unknown>): Promise<CloudError> {
  const failure: unknown = await call.then(
    () => new Error('must fail'),
    (error: unknown) => error,
  )
  if (!(failure instanceof CloudError)) throw failure
  return failure
}

const hostile = [
  '../../v1/user-resource/token',
  '..',
  '.',
  'a/../b',
  'a/b',
  String.raw`a\b`,
  'a%2fb',
  'a%2F..%2Fb',
  '%2e%2e',
  'a%00b',
  'a\0b',
  'a\r\nx-evil: 1',
  'a\n',
  'a b',
  'a?b=c',
  'a#b',
  'a;b',
  '@evil.example',
  '//evil.example',
  'http://evil.example',
  'ａ／ｂ',
  'a․․b',
  'ı',
  'å',
  '\u202eabc',
  '\ud800',
  '',
  'x'.repeat(129),
]

describe('as an id, a name or an address', () => {
  test.each(hostile)('%j never leaves the process', async (value) => {
    const calls = [
      getVm(client, 'tll01', value),
      getDisk(client, 'tll01', value),
      deleteDisk(client, 'tll01', value, send()),
      getFloatingIp(client, 'tll01', value),
      deleteFloatingIp(client, 'tll01', value, send()),
      getNetwork(client, undefined, value),
      deleteNetwork(client, undefined, value, send()),
      getBucket(client, value),
      createBucket(client, { name: value, billingAccount: 1 }, send()),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ class: 'notSent', sent: false })
    expect(recorder.requests).toEqual([])
  })
})

const slugs = [
  ...hostile,
  'user-resource',
  'storage',
  'network',
  'config',
  '-a',
  'a_b',
  'a.b',
  'A'.repeat(64),
]

describe('as a location', () => {
  test.each(slugs)('%j as a slug never leaves the process', async (slug) => {
    const failure = await failureOf(listVms(client, slug))
    expect(failure).toMatchObject({ class: 'notSent', sent: false, field: 'location' })
    expect(recorder.requests).toEqual([])
  })
})

test('whatever a value is: not sent, or one segment of the path and one value of the query', () => {
  const answer = { shape: 'ignored', result: undefined } as const
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...hostile))
  fc.assert(
    fc.property(text, text, text, (location, id, word) => {
      const request: CloudRequest<undefined> = {
        family: 'disk',
        method: 'GET',
        location,
        route: 'storage/disks/{disk}/x',
        ids: { disk: id },
        query: { word },
        answer,
      }
      if (unsendable(request) !== undefined) return
      const url = new URL(pathOf(request), 'https://api.example.com')
      expect(url.origin).toBe('https://api.example.com')
      expect(url.pathname).toBe(`/v1/${location}/storage/disks/${encodeURIComponent(id)}/x`)
      expect(pathOf(request)).toMatch(/^[\x21-\x7e]+$/)
      expect([...url.searchParams]).toEqual([['word', word]])
    }),
    { numRuns: 2_000 },
  )
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i to another place is followed by no call, and the key stays',
    async (status) => {
      const other = await startRecorder()
      cleanups.push(() => other.stop())
      for (const location of [
        `${other.url}/v1/storage/bucket`,
        `//${new URL(other.url).host}/v1`,
        '/v1/elsewhere',
      ]) {
        recorder.respond(() => ({ status, headers: { location, refresh: `0; url=${other.url}` } }))
        const before = recorder.requests.length
        expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'refused', status })
        const change = createBucket(client, { name: 'logs', billingAccount: 1 }, send())
        expect(await failureOf(change)).toMatchObject({ class: 'unclear', status })
        expect(recorder.requests).toHaveLength(before + 2)
      }
      expect(other.requests).toEqual([])
      expect(other.connections()).toBe(0)
    },
  )
})

describe('a proxy in the environment', () => {
  afterAll(() => void vi.unstubAllEnvs())

  test('is not given the key', async () => {
    const proxy = await startRecorder()
    cleanups.push(() => proxy.stop())
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    recorder.respond(() => ({ body: { name: 'logs' } }))
    const fresh = testClient(recorder.url)
    cleanups.push(() => fresh.close())
    await getBucket(fresh, 'logs')
    await createBucket(fresh, { name: 'logs', billingAccount: 1 }, send())
    expect(recorder.requests.map(({ headers }) => headers['apikey'])).toEqual([testKey, testKey])
    expect(proxy.connections()).toBe(0)
  })
})

describe('an answer that is too large', () => {
  const large = (bytes: number) => 'x'.repeat(bytes)

  test('of one record is unreadable', async () => {
    recorder.respond(() => ({ body: { name: 'logs', more: large(4 * 2 ** 20) } }))
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ text: 'the answer is too large' })
  })

  test('of a list is unreadable, and is not read to its end', async () => {
    let written = 0
    recorder.respond((_request, response) => {
      const row = `{"uuid":"a","more":"${large(2 ** 20)}"},`
      const more = (): void => {
        while (!response.destroyed && written < 256) {
          written += 1
          if (!response.write(row)) {
            response.once('drain', more)
            return
          }
        }
      }
      response.write('[')
      more()
      return undefined
    })
    expect(await failureOf(listVms(client, 'tll01'))).toMatchObject({ class: 'unclear' })
    expect(written).toBeLessThan(100)
  }, 60_000)

  test('of a row is unreadable', async () => {
    recorder.respond(() => ({ body: `[{"uuid":"${large(5 * 2 ** 20)}"}]` }))
    expect(await failureOf(listVms(client, 'tll01'))).toMatchObject({ class: 'unclear' })
  })

  test('of an error says nothing', async () => {
    recorder.respond(() => ({ status: 400, body: { errors: { Error: large(64 * 2 ** 10) } } }))
    expect((await failureOf(getBucket(client, 'logs'))).text).toBe('no readable error body')
  })

  test('in its headers is no answer', async () => {
    recorder.respond(() => ({ headers: { 'x-more': large(128 * 2 ** 10) }, body: { name: 'logs' } }))
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'unclear' })
  })
})

describe('an answer that is nested too deep', () => {
  const deep = (inner: string) => `${'{"a":'.repeat(10_000)}${inner}${'}'.repeat(10_000)}`

  test('is unreadable, as a record, a row and an error', async () => {
    recorder.respond(() => ({ body: deep('1') }))
    expect(await failureOf(getBucket(client, 'logs'))).toMatchObject({ class: 'unclear' })
    recorder.respond(() => ({ body: `[${deep('1')}]` }))
    expect(await failureOf(listVms(client, 'tll01'))).toMatchObject({ class: 'unclear' })
    recorder.respond(() => ({ status: 400, body: deep('"no"') }))
    expect((await failureOf(getBucket(client, 'logs'))).text).toBe('no readable error body')
  })
})
