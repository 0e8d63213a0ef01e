import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { CredentialsError, loadCredentials } from '../../../src/kube/credentials.ts'
import { createManualClock } from '../../support/manual-clock.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Parts {
  readonly cluster?: object
  readonly user?: object
  readonly context?: object
  readonly current?: string | undefined
}

function config({ cluster = {}, user = {}, context = {}, current = 'main' }: Parts = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://server:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', namespace: 'home', ...context } }],
    'current-context': current,
  }
}

async function write(content: object | string, name = 'config'): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : stringify(content))
  return path
}

async function headersOf(user: object) {
  const access = await loadCredentials({ kubeconfig: await write(config({ user })) }).access()
  return access.headers
}

describe('what a kubeconfig says', () => {
  test('server without a trailing slash, and the namespace of the context', async () => {
    const credentials = loadCredentials({ kubeconfig: await write(config()) })
    expect(credentials).toMatchObject({ server: 'https://server:6443', namespace: 'home' })
  })

  test('a token, a user name with a password, and impersonation', async () => {
    expect(await headersOf({ token: 'tok' })).toEqual({ authorization: 'Bearer tok' })
    expect(await headersOf({ username: 'me', password: 'pw' })).toEqual({
      authorization: `Basic ${Buffer.from('me:pw').toString('base64')}`,
    })
    expect(await headersOf({ token: 'tok', as: 'other' })).toMatchObject({ 'impersonate-user': 'other' })
  })

  test('certificates from data and from files beside the kubeconfig', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    await write('CA', 'ca.pem')
    const cluster = {
      'certificate-authority': 'ca.pem',
      'tls-server-name': 'other',
      'insecure-skip-tls-verify': true,
    }
    const user = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }
    const { tls } = await loadCredentials({ kubeconfig: await write(config({ cluster, user })) }).access()
    expect({ ca: String(tls.ca), cert: String(tls.cert), key: String(tls.key) }).toEqual({
      ca: 'CA',
      cert: 'CERT',
      key: 'KEY',
    })
    expect(tls).toMatchObject({ servername: 'other', rejectUnauthorized: false })
  })

  test('TLS is verified unless it says otherwise; plain http and a proxy are taken as they are', async () => {
    const plain = await loadCredentials({ kubeconfig: await write(config()) }).access()
    expect(plain.tls).toEqual({})
    const cluster = { server: 'http://127.0.0.1:8001', 'proxy-url': 'http://proxy:3128' }
    const credentials = loadCredentials({ kubeconfig: await write(config({ cluster })) })
    expect(credentials.server).toBe('http://127.0.0.1:8001')
    expect((await credentials.access()).proxyUrl).toBe('http://proxy:3128')
  })

  test('another context may be asked for', async () => {
    const two = {
      ...config(),
      contexts: [
        ...['main', 'other'].map((name) => ({ name, context: { cluster: 'c', user: 'u', namespace: name } })),
      ],
    }
    const path = await write(two)
    expect(loadCredentials({ kubeconfig: path, context: 'other' }).namespace).toBe('other')
    expect(loadCredentials({ kubeconfig: path }).namespace).toBe('main')
  })

  test('several files: the first that names something wins, the rest is added', async () => {
    const first = await write({ ...config({ user: { token: 'first' } }), contexts: [] }, 'first')
    const second = await write(
      config({ user: { token: 'second' }, cluster: { server: 'https://second' } }),
      'second',
    )
    const credentials = loadCredentials({ kubeconfig: `${first}:${second}` })
    expect(credentials.server).toBe('https://server:6443')
    expect((await credentials.access()).headers).toEqual({ authorization: 'Bearer first' })
  })
})

describe('a kubeconfig that cannot be used is told in one line', () => {
  test.each<[string, object | string, RegExp]>([
    ['empty', '', /config: it is empty or no mapping$/],
    ['no YAML', 'a: [b', /config: .+/],
    ['another kind of file', 'kind: Secret', /config: it has no list of clusters$/],
    [
      'no server',
      { clusters: [{ name: 'c', cluster: {} }] },
      /config: clusters\[0\]\.cluster\.server is missing$/,
    ],
    ['no context', config({ current: '' }), /config: no current-context, and none was given$/],
    ['an unknown context', config({ current: 'nope' }), /config: no context named nope$/],
    [
      'an unknown cluster',
      config({ context: { cluster: 'x' } }),
      /context main names the cluster x, which is missing$/,
    ],
    [
      'an unknown user',
      config({ context: { user: 'x' } }),
      /context main names the user x, which is missing$/,
    ],
    [
      'a server that is no URL',
      config({ cluster: { server: 'nowhere' } }),
      /the server of cluster c is no URL: nowhere$/,
    ],
  ])('%s', async (_, content, message) => {
    const path = await write(content)
    const load = () => loadCredentials({ kubeconfig: path })
    expect(load).toThrow(CredentialsError)
    expect(load).toThrow(message)
    expect(load).toThrow(/^kubeconfig [^\n]+$/)
  })

  test('no such file', () => {
    expect(() => loadCredentials({ kubeconfig: join(folder, 'none') })).toThrow(/^kubeconfig .+none: ENOENT/)
  })

  test('a file it names that is missing is told at the login', async () => {
    const path = await write(config({ cluster: { 'certificate-authority': 'none.pem' } }))
    await expect(loadCredentials({ kubeconfig: path }).access()).rejects.toThrow(
      /^cannot log in as u: ENOENT.+none\.pem/,
    )
  })
})

describe('tokens that change', () => {
  test('a token file is read again after a minute, and at once after a refusal', async () => {
    const clock = createManualClock()
    await write('one\n', 'token')
    const credentials = loadCredentials({
      kubeconfig: await write(config({ user: { tokenFile: 'token' } })),
      clock,
    })
    const token = async () => (await credentials.access()).headers['authorization']
    expect(await token()).toBe('Bearer one')
    await write('two\n', 'token')
    await clock.advance(59_000)
    expect(await token()).toBe('Bearer one')
    await clock.advance(1_000)
    expect(await token()).toBe('Bearer two')
    await write('three', 'token')
    await credentials.refresh()
    expect(await token()).toBe('Bearer three')
  })

  test('the generation rises when certificates change, and not with the token', async () => {
    const clock = createManualClock()
    await write('CA', 'ca.pem')
    await write('one', 'token')
    const content = config({ user: { tokenFile: 'token' }, cluster: { 'certificate-authority': 'ca.pem' } })
    const credentials = loadCredentials({ kubeconfig: await write(content), clock })
    const first = (await credentials.access()).generation
    await write('two', 'token')
    await clock.advance(60_000)
    expect((await credentials.access()).generation).toBe(first)
    await write('NEW', 'ca.pem')
    await clock.advance(60_000)
    expect((await credentials.access()).generation).toBe(first + 1)
  })

  test('a kubeconfig that was written anew counts after a refusal; an unreadable one is an error until it is mended', async () => {
    const clock = createManualClock()
    const path = await write(config({ user: { token: 'one' } }))
    const credentials = loadCredentials({ kubeconfig: path, clock })
    expect((await credentials.access()).headers).toEqual({ authorization: 'Bearer one' })
    await write('')
    await credentials.refresh()
    await expect(credentials.access()).rejects.toThrow('it is empty')
    await write(config({ user: { token: 'two' } }))
    expect((await credentials.access()).headers).toEqual({ authorization: 'Bearer two' })
  })
})

describe('exec plugins', () => {
  /** A plugin that counts its runs and gives a token with the count. */
  async function plugin(expires?: string) {
    const script = await write(
      [
        '#!/bin/sh',
        `echo run >> "${folder}/runs"`,
        `echo "$KUBERNETES_EXEC_INFO" > "${folder}/info"`,
        `N=$(wc -l < "${folder}/runs" | tr -d ' ')`,
        `echo '{"kind":"ExecCredential","status":{"token":"tok'$N'"${expires === undefined ? '' : `,"expirationTimestamp":"${expires}"`}}}'`,
        '',
      ].join('\n'),
      'plugin.sh',
    )
    await chmod(script, 0o755)
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin.sh',
      provideClusterInfo: true,
    }
    const clock = createManualClock()
    const credentials = loadCredentials({ kubeconfig: await write(config({ user: { exec } })), clock })
    return { clock, credentials, token: async () => (await credentials.access()).headers['authorization'] }
  }

  test('the token is kept until a refusal; then the plugin runs again', async () => {
    const { clock, credentials, token } = await plugin()
    expect(await token()).toBe('Bearer tok1')
    await clock.advance(600_000)
    expect(await token()).toBe('Bearer tok1')
    await credentials.refresh()
    expect(await token()).toBe('Bearer tok2')
  })

  test('an expired token is not kept', async () => {
    const { clock, token } = await plugin('2020-01-01T00:00:00Z')
    expect(await token()).toBe('Bearer tok1')
    await clock.advance(60_000)
    expect(await token()).toBe('Bearer tok2')
  })

  test('refusals in a row do not run it in a loop', async () => {
    const { clock, credentials, token } = await plugin()
    for (let n = 0; n < 10; n += 1) {
      await credentials.refresh()
      await token()
    }
    expect(await token()).toBe('Bearer tok1')
    await clock.advance(5_000)
    await credentials.refresh()
    expect(await token()).toBe('Bearer tok2')
  })

  test('it is told what it is asked for', async () => {
    const { token } = await plugin()
    await token()
    expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8'))).toMatchObject({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { interactive: false, cluster: { server: 'https://server:6443' } },
    })
  })

  test('one that fails or is missing is told in one line', async () => {
    const failing = config({
      user: { exec: { command: 'sh', args: ['-c', 'echo "no session" >&2; exit 1'] } },
    })
    await expect(loadCredentials({ kubeconfig: await write(failing) }).access()).rejects.toThrow(
      'cannot log in as u: no session',
    )
    const missing = config({ user: { exec: { command: 'no-such-plugin' } } })
    await expect(loadCredentials({ kubeconfig: await write(missing) }).access()).rejects.toThrow(
      /^cannot log in as u: .*no-such-plugin.*$/,
    )
  })
})
