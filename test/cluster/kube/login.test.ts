/** Logins and ways to the API server that work, and how those fail that do not. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect as connectTo, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { isKubeError } from '../../../src/kube/errors.ts'
import { connect, connectAdmin, createNamespace, eventually, uniqueName } from './cluster.ts'

interface Kubeconfig {
  clusters: { cluster: Record<string, unknown> }[]
  users: { user: Record<string, unknown> }[]
}

const admin = connectAdmin()
const CONFIGMAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
let folder = ''
let namespace = ''
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-'))
  namespace = await createNamespace(admin)
})
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
  await admin.client.close()
  await rm(folder, { recursive: true, force: true })
})

/** The admin's kubeconfig with changes. */
async function changed(
  change: (cluster: Record<string, unknown>, user: Record<string, unknown>) => void,
): Promise<string> {
  const config = parse(await readFile(inject('controlPlane').adminKubeconfig, 'utf8')) as Kubeconfig
  change(config.clusters[0]?.cluster ?? {}, config.users[0]?.user ?? {})
  const path = join(folder, uniqueName('config'))
  await writeFile(path, stringify(config))
  return path
}

function connectWith(kubeconfig: string) {
  const connection = connect(kubeconfig)
  cleanups.push(() => connection.client.close())
  return connection
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (isKubeError(error) ? error : undefined),
  )

test('a certificate that nobody vouches for is never trusted, and nothing is sent', async () => {
  const { client } = connectWith(await changed((cluster) => delete cluster['certificate-authority-data']))
  const error = await failureOf(client.getNamespaceUID(namespace))
  expect(error).toMatchObject({ class: 'notSent' })
  expect(error?.message).toContain('certificate')
})

test('the server’s name may be another one, and TLS may be left unverified, when the kubeconfig says so', async () => {
  const wrongName = await changed((cluster) => (cluster['tls-server-name'] = 'elsewhere.example.com'))
  expect(await failureOf(connectWith(wrongName).client.getNamespaceUID(namespace))).toMatchObject({
    class: 'notSent',
  })
  const insecure = await changed((cluster) => {
    delete cluster['certificate-authority-data']
    cluster['insecure-skip-tls-verify'] = true
  })
  expect(await connectWith(insecure).client.getNamespaceUID(namespace)).toBeDefined()
})

test('a token that the server does not know is unauthorized; once the file has the right one, it works', async () => {
  const file = join(folder, uniqueName('token'))
  await writeFile(file, 'wrong-token\n')
  let right = ''
  const kubeconfig = await changed((_, user) => {
    right = String(user['token'])
    delete user['token']
    user['tokenFile'] = file
  })
  const { client } = connectWith(kubeconfig)
  expect(await failureOf(client.getNamespaceUID(namespace))).toMatchObject({
    class: 'unauthorized',
    status: 401,
  })
  await writeFile(file, `${right}\n`)
  await eventually(async () => (await client.getNamespaceUID(namespace)) !== undefined)
})

test('through a proxy: requests, the lease’s connection and watches', async () => {
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', (request, socket: Socket) => {
    tunnels.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url ?? ''}`)
    const upstream = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const each of [socket, upstream]) {
      sockets.add(each)
      each.on('error', () => each.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { client, transport } = connectWith(await changed((cluster) => (cluster['proxy-url'] = url)))

  expect(await client.getNamespaceUID(namespace)).toBeDefined()
  expect(tunnels).toHaveLength(1)
  const path = `/api/v1/namespaces/${namespace}`
  await transport.dedicated()({ method: 'GET', path, verb: 'get', resource: 'namespaces' })
  expect(tunnels).toHaveLength(2)
  const stop = new AbortController()
  const query = { watch: true, resourceVersion: '0' }
  const stream = await transport.watch({
    path: `${path}/configmaps`,
    query,
    resource: 'configmaps',
    signal: stop.signal,
  })
  expect(tunnels).toHaveLength(3)
  const name = uniqueName('c')
  await transport.send({
    method: 'POST',
    path: `${path}/configmaps`,
    body: { metadata: { name } },
    verb: 'create',
    resource: 'configmaps',
  })
  let text = ''
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString()
    if (text.includes(name)) break
  }
  expect(await client.get(CONFIGMAPS, namespace, name)).toBeDefined()
  await client.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => proxy.close(resolve))
})
