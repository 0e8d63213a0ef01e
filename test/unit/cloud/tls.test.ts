import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBucket, getBucket } from '../../../src/cloud/buckets.ts'
import { cert, key } from '../../support/self-signed.ts'
import { send, testClient } from './recorder.ts'

let requests = 0
const server = createServer({ key, cert }, (_request, response) => {
  requests += 1
  response.end('{"name":"logs"}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

test.each(['1', '0'])(
  'a certificate nobody vouches for is refused (NODE_TLS_REJECT_UNAUTHORIZED=%s)',
  async (reject) => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = reject
    const client = testClient(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const refused = {
      class: 'notSent',
      sent: false,
      text: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    }
    await expect(createBucket(client, { name: 'logs', billingAccount: 1 }, send())).rejects.toMatchObject(
      refused,
    )
    await expect(getBucket(client, 'logs')).rejects.toMatchObject(refused)
    expect(requests).toBe(0)
    await client.close()
  },
)
