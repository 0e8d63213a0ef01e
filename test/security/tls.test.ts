/** The way to the API server: verified whatever the environment says, unless the kubeconfig itself says otherwise. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KubeAccess } from '../../src/kube/access.ts'
import { createKubeTransport } from '../../src/kube/transport.ts'
import { systemClock } from '../../src/loop/clock.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { cert, key } from '../support/self-signed.ts'
import { credentialsFor } from '../unit/kube/fake-server.ts'

let requests = 0
const server = createServer({ key, cert }, (_request, response) => {
  requests += 1
  response.end('{}')
})
const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  return new Promise<void>((resolve) => server.close(() => resolve()))
})

async function asked(tls: KubeAccess['tls'], proxied = false): Promise<void> {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  const here = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const access = { tls, headers: { authorization: 'Bearer token' }, ...(proxied && { proxyUrl: here }) }
  const transport = createKubeTransport({
    credentials: credentialsFor(proxied ? 'https://api.example.com' : here, () => access),
    clock: systemClock,
    log: silentLog,
  })
  try {
    await transport.send({ method: 'GET', path: '/api', verb: 'get', resource: 'things' })
    await transport.dedicated()({ method: 'GET', path: '/api', verb: 'get', resource: 'things' })
  } finally {
    await transport.close()
  }
}

test('the environment does not make the operator trust an API server that nobody vouches for', async () => {
  await expect(asked({})).rejects.toMatchObject({ class: 'notSent' })
  expect(requests).toBe(0)
})

test('nor a proxy on the way to it', async () => {
  await expect(asked({}, true)).rejects.toMatchObject({ class: 'notSent' })
  expect(requests).toBe(0)
})

test('the same server is asked when its certificate is named', async () => {
  await asked({ ca: cert })
  expect(requests).toBe(2)
})
