/**
 * Every secret there is goes through an operator that says all it can, against a service that gives back in its errors what
 * it was sent, and stands nowhere afterwards but in its Secret.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { operatorCalls } from '../audit.ts'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { idOf } from './calls.ts'
import { expectUnsaid } from './canary.ts'
import { confirmed, ended, operation } from './operations.ts'
import { annotate, expectOrderly, lookedAt, SMALL_VM } from './six.ts'

const TRACE = ['--log-level=trace']

const PASSWORD = `Pa55"word/+ one\\ü&=`
const SECOND_PASSWORD = `Pa55"word/+ two\\ü&=`
const PERSONAL_ID = '3171-4242 0007/"x'
const WRONG_KEY = 'not-a-key+of/anybody=7'
const INNER_TOKEN = 'tok_5ecret-Value.42'
const CLOUD_INIT = `#cloud-config
runcmd:
  - [curl, -H, 'Authorization: Bearer ${INNER_TOKEN}', 'https://example.com/join']
write_files:
  - path: /etc/app.env
    content: |
      APP_TOKEN=${INNER_TOKEN}
      MODE=live
`

let story: Story
/** All that must stand nowhere. */
const secrets = new Set([
  PASSWORD,
  SECOND_PASSWORD,
  PERSONAL_ID,
  WRONG_KEY,
  INNER_TOKEN,
  CLOUD_INIT,
  `APP_TOKEN=${INNER_TOKEN}`,
  operatorToken(),
])

beforeAll(async () => {
  story = await startStory('canary', { withoutOperator: true })
  secrets.add(story.account.apiKey)
  story.operator = await story.start(TRACE)
})
afterAll(() => story.end())

/** The operator's own login at the API server. */
function operatorToken(): string {
  const text = readFileSync(inject('controlPlane').operatorKubeconfig, 'utf8')
  const config = parse(text) as { users: { user: { token: string } }[] }
  return config.users[0]?.user.token ?? ''
}

async function setSecret(name: string, key: string, value: string): Promise<void> {
  const data = { [key]: Buffer.from(value).toString('base64') }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data }
  await story.run('apply', '--server-side', '--force-conflicts', '-f', await file(secret))
}

/** A file of a manifest, for kubectl: applied by the server, no value stands in an annotation. */
async function file(object: unknown): Promise<string> {
  const path = `${inject('controlPlane').directory}/${story.namespace}-secret.json`
  await writeFile(path, JSON.stringify(object), { mode: 0o600 })
  return path
}

async function valueIn(secret: string, key: string): Promise<string> {
  const text = await story.run('get', 'secret', secret, '-o', `jsonpath={.data.${key}}`)
  const value = Buffer.from(text, 'base64').toString()
  expect(value).not.toBe('')
  secrets.add(value)
  return value
}

/** The next calls of this kind are refused with an error that says these values in every way there is. */
function echo(method: string, path: string, values: readonly string[], status = 400): void {
  const said = values.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    JSON.stringify(value),
  ])
  const errors = { [values[0] ?? '']: said, second: `got ${said.join(' and ')}`, Third: [{ msg: said[0] }] }
  const headers = { 'x-correlation-id': story.account.apiKey }
  const answer = { status, body: { errors, message: said.join(' ') }, headers }
  story.simulator.control.addFault({ method, path, point: 'before', times: 1_000, action: { answer } })
}

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message ?? ''

/** Waits for the refusal to be told, lets the service be kind again, and has the object looked at anew. */
async function toldAndHealed(kind: string, name: string, reason: string): Promise<void> {
  const told = await story.until(kind, name, `told: ${reason}`, (each) => {
    return each.status?.conditions?.some((condition) => condition.reason === reason) === true
  })
  expect(JSON.stringify(told.status)).toContain('[hidden]')
  story.simulator.control.clearFaults()
}

test('a password and a cloud-init document are refused with their own words, and taken', async () => {
  await setSecret('password', 'text', PASSWORD)
  await setSecret('init', 'user-data', CLOUD_INIT)
  echo('POST', '/user-resource/vm', [PASSWORD, INNER_TOKEN, `APP_TOKEN=${INNER_TOKEN}`, story.account.apiKey])
  await story.apply(
    manifest('CloudVM', 'zebra-vm', {
      ...SMALL_VM,
      powerState: 'Running',
      passwordSecretRef: { name: 'password', key: 'text' },
      cloudInit: { secretRef: { name: 'init', key: 'user-data' } },
    }),
  )
  await toldAndHealed('cloudvm', 'zebra-vm', 'InvalidSpec')
  // An edit is tried at once.
  await story.edit('cloudvm', 'zebra-vm', { spec: { name: 'zebra' } })
  await story.ready('cloudvm', 'zebra-vm')
}, 120_000)

test('a password that is rotated is refused with its own words, and applied', async () => {
  echo('PATCH', '/user-resource/vm/user', [SECOND_PASSWORD, PASSWORD])
  await setSecret('password', 'text', SECOND_PASSWORD)
  await annotate(story, 'cloudvm', 'zebra-vm', 'reconcile-requested-at', 'rotated')
  await toldAndHealed('cloudvm', 'zebra-vm', 'InvalidSpec')
  const before = (await story.get('cloudvm', 'zebra-vm'))?.status?.['passwordApplied']
  // The same value again is another version: tried at once.
  await story.run('annotate', 'secret', 'password', 'touched=1')
  await annotate(story, 'cloudvm', 'zebra-vm', 'reconcile-requested-at', 'touched')
  await story.until('cloudvm', 'zebra-vm', 'the new password', (each) => {
    return JSON.stringify(each.status?.['passwordApplied']) !== JSON.stringify(before)
  })
  await story.ready('cloudvm', 'zebra-vm')
}, 120_000)

test('the password is applied anew after a reinstall, refused with its own words in between', async () => {
  const id = idOf(await story.ready('cloudvm', 'zebra-vm'))
  echo('PATCH', '/user-resource/vm/user', [SECOND_PASSWORD])
  const image = { os: 'debian', version: '12' }
  await story.apply(operation('zebra-anew', 'zebra-vm', { reinstall: { image }, ...confirmed(id) }))
  const done = await ended(story, 'zebra-anew', 'Complete')
  await toldAndHealed('cloudvm', 'zebra-vm', 'InvalidSpec')
  await story.run('annotate', 'secret', 'password', 'touched=2', '--overwrite')
  await annotate(story, 'cloudvm', 'zebra-vm', 'reconcile-requested-at', 'anew')
  await story.until('cloudvm', 'zebra-vm', 'its password set again', (each) => {
    const applied = each.status?.['passwordApplied'] as { operations?: string[] } | undefined
    return applied?.operations?.includes(done.metadata.uid) === true
  })
  await story.ready('cloudvm', 'zebra-vm')
}, 180_000)

test('a personal id number is refused with its own words, and written', async () => {
  await setSecret('person', 'number', PERSONAL_ID)
  echo('PATCH', '/user-resource/user/profile', [PERSONAL_ID])
  const profile = { personalIDNumberSecretRef: { name: 'person', key: 'number' } }
  await story.edit('cloudaccount', 'default', { spec: { profile } })
  await toldAndHealed('cloudaccount', 'default', 'InvalidSpec')
  await story.edit('cloudaccount', 'default', { spec: { profile: { lastName: 'Lovelace' } } })
  await story.ready('cloudaccount', 'default')
}, 120_000)

test('key pairs and tokens are delivered, rotated, and said back by a service in trouble', async () => {
  await story.apply(
    manifest('CloudAccessKey', 'zebra-keys', { secretName: 'zebra-s3', rotation: { graceSeconds: 60 } }),
    manifest('CloudAPIToken', 'zebra-token', { secretName: 'zebra-api', rotation: { graceSeconds: 60 } }),
  )
  const both = [
    ['cloudaccesskey', 'zebra-keys', 'zebra-s3', 'AWS_SECRET_ACCESS_KEY'],
    ['cloudapitoken', 'zebra-token', 'zebra-api', 'token'],
  ] as const
  const delivered: string[] = []
  for (const [kind, name, secret, key] of both) {
    const old = idOf(await story.ready(kind, name))
    await valueIn(secret, key)
    await annotate(story, kind, name, 'rotate', 'autumn')
    await story.until(kind, name, 'switched', (each) => {
      return idOf(each) !== old && conditionOf(each, 'Ready')?.status === 'True'
    })
    delivered.push(await valueIn(secret, key))
  }
  // A new process has not written these Secrets, and must know their values all the same.
  await story.operator.stop('SIGKILL')
  story.operator = await story.start(TRACE)
  for (const [kind, name] of both) {
    await lookedAt(story, kind, name)
    await story.ready(kind, name)
  }
  // What it knows: no more than it has read itself.
  const values = [story.account.apiKey, SECOND_PASSWORD, PERSONAL_ID, ...delivered]
  echo('GET', '/storage/user/keys', values)
  echo('GET', '/user-resource/token/list', values)
  echo('GET', '/user-resource/vm/list', values, 500)
  for (const [kind, name] of both) {
    await annotate(story, kind, name, 'reconcile-requested-at', 'trouble')
    await toldOfTrouble(kind, name)
  }
  story.simulator.control.clearFaults()
  for (const [kind, name] of both) await story.ready(kind, name)
}, 180_000)

async function toldOfTrouble(kind: string, name: string): Promise<void> {
  await story.until(kind, name, 'told that it cannot be read', (each) => {
    return conditionOf(each, 'Synced')?.reason === 'CloudUnreachable'
  })
}

test('a wrong key, the key of another account and a new one of our own: refused, refused, used', async () => {
  const { control } = story.simulator
  const other = control.createAccount().apiKey
  secrets.add(other)
  const own = await valueIn('zebra-api', 'token')
  const asked = async (key: string, word: string) => {
    await setSecret('cloud-token', 'apikey', `${key}\n`)
    await annotate(story, 'cloudaccount', 'default', 'reconcile-requested-at', word)
  }
  await asked(WRONG_KEY, 'wrong')
  await story.reason('cloudaccount', 'default', 'CredentialsInvalid')
  await asked(other, 'foreign')
  const foreign = await story.reason('cloudaccount', 'default', 'IdentityMismatch')
  expect(message(foreign)).toContain('put a key of user')
  echo('GET', '/user-resource/user', [own, other, WRONG_KEY, story.account.apiKey], 401)
  await asked(own, 'echoed')
  await toldAndHealed('cloudaccount', 'default', 'CredentialsInvalid')
  await annotate(story, 'cloudaccount', 'default', 'reconcile-requested-at', 'own')
  await story.ready('cloudaccount', 'default')
  await lookedAt(story, 'cloudvm', 'zebra-vm')
  await asked(story.account.apiKey, 'back')
  await story.until('cloudaccount', 'default', 'back', (each) => {
    return each.status?.['lastHandledReconcileAt'] === 'back'
  })
  await story.ready('cloudaccount', 'default')
}, 120_000)

test('none of it was said anywhere', async () => {
  expect(secrets.size).toBeGreaterThanOrEqual(14)
  await expectUnsaid(story, secrets)
  // The secrets were there to be found: the log tells of the calls that carried them.
  expect(story.logs().join('\n')).toContain('/user-resource/vm/user')
  expect(story.statuses().join('\n')).toContain('[hidden]')
})

test('metrics name kinds and operations, and no object', async () => {
  const text = await (await fetch(`http://127.0.0.1:${story.operator.metricsPort}/metrics`)).text()
  const id = idOf(await story.ready('cloudvm', 'zebra-vm'))
  expect(text).toContain('kind="CloudVM"')
  for (const name of ['zebra', story.namespace, id, 'cloud-token']) expect(text).not.toContain(name)
})

test('Secrets were read by name, never listed, and only our own were written', async () => {
  const calls = await operatorCalls(inject('controlPlane').auditLog, story.namespace, 'secrets')
  const names = (verbs: readonly string[]) =>
    new Set(calls.filter(({ verb }) => verbs.includes(verb)).map(({ name }) => name))
  expect(new Set(calls.map(({ verb }) => verb))).toEqual(new Set(['get', 'create', 'update']))
  expect([...names(['get'])].toSorted()).toEqual(
    ['cloud-token', 'init', 'password', 'person', 'zebra-api', 'zebra-s3'].toSorted(),
  )
  expect([...names(['create', 'update'])].toSorted()).toEqual(['zebra-api', 'zebra-s3'])
})

test('and all of it went on in good order', () => {
  expectOrderly(story)
})
