import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBucket, getBucket } from '../../../src/cloud/buckets.ts'
import { send, testClient } from './recorder.ts'

/** Made for this test alone; it protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguYhRfmDEpJr+2n0V
pcWyK2GunBV3t1LiICtSPkzowB+hRANCAASXy+OJvp/nun7ty8o4byvxIb5EzM7K
0VwpxQRTQLQzr6zSwB10zkx45CUBO6wAXV19tqWmEQ0TRXuvjDNKcF+4
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUBm4Q7sTj19bquRpTJ138LiQkkjwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzIyMzMzMFoYDzIxMjYxMTAz
MjIzMzMwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASXy+OJvp/nun7ty8o4byvxIb5EzM7K0VwpxQRTQLQzr6zSwB10zkx4
5CUBO6wAXV19tqWmEQ0TRXuvjDNKcF+4o28wbTAdBgNVHQ4EFgQUTICCYQ+7CerH
WOVw8fZIq5phD7kwHwYDVR0jBBgwFoAUTICCYQ+7CerHWOVw8fZIq5phD7kwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgbDO4Dfmtyky/yxSZTfo9n6n0A/rrw4g7/hhx7j0DnPICIQC+
Oa4jbzioS9Us4eTCXDGrpG+cLHjTdGVguOeqXIYpHA==
-----END CERTIFICATE-----`

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
