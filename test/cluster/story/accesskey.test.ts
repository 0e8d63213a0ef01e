/** Key pairs of the object storage: into a Secret that S3 clients read, rotated, and never one too many or too few. */
import { S3Client, ListBucketsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { sent } from './calls.ts'
import { expectUnsaid } from './canary.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall } from './six.ts'
import { startS3 } from './s3.ts'

let story: Story
beforeAll(async () => void (story = await startStory('keys', { withoutOperator: true })))
afterAll(() => story.end())

const said = new Set<string>()

interface SecretObject {
  readonly metadata: { readonly uid: string; readonly ownerReferences?: readonly { readonly uid: string }[] }
  readonly data: Readonly<Record<string, string>>
}

async function secretOf(
  name: string,
): Promise<{ readonly object: SecretObject; readonly values: Record<string, string> }> {
  const object = JSON.parse(await story.run('get', 'secret', name, '-o', 'json')) as SecretObject
  const values = Object.fromEntries(
    Object.entries(object.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  )
  if (values['AWS_SECRET_ACCESS_KEY'] !== undefined) said.add(values['AWS_SECRET_ACCESS_KEY'])
  return { object, values }
}

const cloudKeys = () =>
  story.simulator.control.inventory(story.account.apiKey).keys.map((row) => String(row['accessKey']))
/** Asking for the user is a create only where it made one. */
const creates = (since: number): string[] =>
  story.simulator.control
    .calls({ since, mutationsOnly: true })
    .filter(({ method, path, effect }) =>
      path === '/storage/user' ? effect !== undefined : method === 'POST',
    )
    .map(({ method, path }) => `${method} ${path}`)
const key = (name: string, spec: object = {}) =>
  manifest('CloudAccessKey', name, { secretName: `${name}-s3`, ...spec })
const idOf = (object: AnyObject) => String(object.status?.['id'])

test('the first pair comes with the user of the object storage, and a client signs with what the Secret holds', async () => {
  story.operator = await story.start(['--log-level=trace'])
  await story.apply(key('first'))
  const object = await story.ready('cloudaccesskey', 'first')
  const first = onProfile(story, 'key pairs at once', {
    extended: () => 'GET /storage/user',
    documented: () => 'POST /storage/user/keys',
  })
  expect(creates(0)).toEqual([first])
  expect(cloudKeys()).toEqual([idOf(object)])
  const { object: secret, values } = await secretOf('first-s3')
  expect(secret.metadata.ownerReferences).toEqual([expect.objectContaining({ uid: object.metadata.uid })])
  expect(Object.keys(values).toSorted()).toEqual([
    ...[
      'AWS_ACCESS_KEY_ID',
      'AWS_DEFAULT_REGION',
      'AWS_ENDPOINT_URL_S3',
      'AWS_REGION',
      'AWS_SECRET_ACCESS_KEY',
    ],
  ])
  expect(values['AWS_ACCESS_KEY_ID']).toBe(idOf(object))

  const s3 = await startS3({
    id: values['AWS_ACCESS_KEY_ID'] ?? '',
    secret: values['AWS_SECRET_ACCESS_KEY'] ?? '',
  })
  try {
    // As a pod would with envFrom; only the address is the test's own.
    for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value)
    vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url)
    const client = new S3Client({})
    const { Buckets } = await client.send(new ListBucketsCommand({}))
    expect(Buckets?.map((each) => each.Name)).toEqual(['proof'])
    expect(s3.seen).toEqual({ right: 1, wrong: 0 })
    client.destroy()
  } finally {
    vi.unstubAllEnvs()
    await s3.stop()
  }
})

test('two at once get one each', async () => {
  const since = lastCall(story)
  await story.apply(key('left'), key('right'))
  const [left, right] = [
    await story.ready('cloudaccesskey', 'left'),
    await story.ready('cloudaccesskey', 'right'),
  ]
  expect(idOf(left)).not.toBe(idOf(right))
  expect(creates(since)).toHaveLength(2)
  expect(cloudKeys()).toHaveLength(3)
  expect((await secretOf('left-s3')).values['AWS_ACCESS_KEY_ID']).toBe(idOf(left))
  expect((await secretOf('right-s3')).values['AWS_ACCESS_KEY_ID']).toBe(idOf(right))
})

test('a Secret that is gone or was changed is put right without a new pair', async () => {
  const before = await secretOf('left-s3')
  const since = lastCall(story)
  await story.run('delete', 'secret', 'left-s3')
  await story.run('annotate', 'cloudaccesskey', 'left', 'cloud-operator.dev/reconcile-requested-at=1')
  await vi.waitFor(async () => expect((await secretOf('left-s3')).values).toEqual(before.values), 20_000)
  const changed = { stringData: { AWS_SECRET_ACCESS_KEY: 'something else', extra: 'x' } }
  await story.run('patch', 'secret', 'left-s3', `--patch=${JSON.stringify(changed)}`)
  await story.run(
    'annotate',
    '--overwrite',
    'cloudaccesskey',
    'left',
    'cloud-operator.dev/reconcile-requested-at=2',
  )
  await vi.waitFor(async () => expect((await secretOf('left-s3')).values).toEqual(before.values), 20_000)
  expect(sent(story, since)).toEqual([])
})

test("somebody else's Secret is never written, and nothing is made for it", async () => {
  await story.run('create', 'secret', 'generic', 'theirs-s3', '--from-literal=password=keep')
  const since = lastCall(story)
  await story.apply(key('theirs'))
  const told = await story.reason('cloudaccesskey', 'theirs', 'NameTaken')
  expect(conditionOf(told, 'Ready')?.message).toMatch(
    /^spec\.secretName: Secret theirs-s3 exists .* delete it, or/,
  )
  expect(sent(story, since)).toEqual([])
  expect((await secretOf('theirs-s3')).values).toEqual({ password: 'keep' })
  await story.run('delete', 'secret', 'theirs-s3')
  const made = await story.ready('cloudaccesskey', 'theirs')
  expect((await secretOf('theirs-s3')).values['AWS_ACCESS_KEY_ID']).toBe(idOf(made))
})

test('a rotation makes the new pair, switches the Secret, and removes the old pair after its time', async () => {
  await story.edit('cloudaccesskey', 'right', { spec: { rotation: { graceSeconds: 60 } } })
  const old = idOf(await story.ready('cloudaccesskey', 'right'))
  const since = lastCall(story)
  await story.run('annotate', 'cloudaccesskey', 'right', 'cloud-operator.dev/rotate=autumn')
  const switched = await story.until('cloudaccesskey', 'right', 'switched', (each) => {
    return idOf(each) !== old && conditionOf(each, 'Ready')?.status === 'True'
  })
  expect(switched.status).toMatchObject({ lastHandledRotateAt: 'autumn', retiring: [{ id: old }] })
  expect((await secretOf('right-s3')).values['AWS_ACCESS_KEY_ID']).toBe(idOf(switched))
  expect(cloudKeys()).toContain(old)
  // Sixty seconds there are six here.
  const over = await story.until(
    'cloudaccesskey',
    'right',
    'over',
    (each) => each.status?.['retiring'] === undefined,
  )
  expect(idOf(over)).toBe(idOf(switched))
  expect(cloudKeys()).not.toContain(old)
  expect(cloudKeys()).toContain(idOf(switched))
  expect(sent(story, since)).toEqual([
    ['POST /storage/user/keys', {}],
    ['DELETE /storage/user/keys', { access_key: old }],
  ])
})

/** The next call is held at that point until the operator is dead; another one takes over. */
async function killedAt(point: 'before' | 'afterCommit', begin: () => Promise<void>): Promise<void> {
  const { control } = story.simulator
  const { id } = control.hold({ method: 'POST', path: '/storage/user/keys', point })
  await begin()
  await control.waitHeld(id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(id, 'reset')
  story.operator = await story.start(['--log-level=trace'])
}

const asked = (name: string) =>
  story.until('cloudaccesskey', name, 'asked', (each) => {
    return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
  })

test('killed after the pair was made and before the answer: one pair, and a question that an annotation answers', async () => {
  const before = cloudKeys()
  const since = lastCall(story)
  await killedAt('afterCommit', () => story.apply(key('killed')))
  const object = await asked('killed')
  const operation = object.status?.['operation'] as { id: string; candidates: string[] }
  const made = cloudKeys().filter((each) => !before.includes(each))
  expect(operation.candidates).toEqual(made)
  expect(made).toHaveLength(1)
  await story.run('annotate', 'cloudaccesskey', 'killed', `cloud-operator.dev/resolve=wrong=${made[0] ?? ''}`)
  await story.until('cloudaccesskey', 'killed', 'told', (each) => {
    return conditionOf(each, 'Ready')?.message.includes('answers another question') === true
  })
  const answer = `cloud-operator.dev/resolve=${operation.id}=${made[0] ?? ''}`
  await story.run('annotate', '--overwrite', 'cloudaccesskey', 'killed', answer)
  const ready = await story.ready('cloudaccesskey', 'killed')
  expect(idOf(ready)).toBe(made[0])
  expect((await secretOf('killed-s3')).values['AWS_ACCESS_KEY_ID']).toBe(made[0])
  expect(creates(since)).toHaveLength(1)
}, 180_000)

test('killed before the pair was made: made by the second call', async () => {
  const before = cloudKeys()
  const since = lastCall(story)
  await killedAt('before', () => story.apply(key('never')))
  const ready = await story.ready('cloudaccesskey', 'never')
  expect(cloudKeys().filter((each) => !before.includes(each))).toEqual([idOf(ready)])
  expect(creates(since)).toHaveLength(2)
}, 180_000)

test('answered with none: the candidate stays where it is and a pair is made', async () => {
  const since = lastCall(story)
  await killedAt('afterCommit', () => story.apply(key('none')))
  const object = await asked('none')
  const { id, candidates } = object.status?.['operation'] as { id: string; candidates: string[] }
  await story.run('annotate', 'cloudaccesskey', 'none', `cloud-operator.dev/resolve=${id}=none`)
  const ready = await story.ready('cloudaccesskey', 'none')
  expect(candidates).toHaveLength(1)
  expect(candidates).not.toContain(idOf(ready))
  expect(cloudKeys()).toEqual(expect.arrayContaining([candidates[0], idOf(ready)]))
  expect(creates(since)).toHaveLength(2)
}, 180_000)

test('deleted behind our back it is told, and made again only where that is asked for', async () => {
  const id = idOf(await story.ready('cloudaccesskey', 'never'))
  story.simulator.control.mutate({ do: 'deleteKey', accessKey: id })
  const told = await story.reason('cloudaccesskey', 'never', 'ExternallyDeleted')
  expect(conditionOf(told, 'Ready')?.message).toContain(`cloud-operator.dev/recreate=${id}`)
  await story.run('annotate', 'cloudaccesskey', 'never', `cloud-operator.dev/recreate=${id}`)
  const made = await story.ready('cloudaccesskey', 'never')
  expect(idOf(made)).not.toBe(id)
  expect((await secretOf('never-s3')).values['AWS_ACCESS_KEY_ID']).toBe(idOf(made))
}, 120_000)

test('deleted it is gone from the cloud; with Retain key and Secret stay', async () => {
  const kept = idOf(await story.ready('cloudaccesskey', 'killed'))
  const gone = idOf(await story.ready('cloudaccesskey', 'left'))
  await story.edit('cloudaccesskey', 'killed', { spec: { lifecycle: { onDelete: 'Retain' } } })
  await story.run('delete', 'cloudaccesskey', 'killed', 'left', '--wait=false')
  await story.gone('cloudaccesskey', 'killed')
  await story.gone('cloudaccesskey', 'left')
  expect(cloudKeys()).toContain(kept)
  expect(cloudKeys()).not.toContain(gone)
  const { object, values } = await secretOf('killed-s3')
  expect(object.metadata.ownerReferences ?? []).toEqual([])
  expect(values['AWS_ACCESS_KEY_ID']).toBe(kept)
})

test('deleted in the middle of a rotation nothing stays behind', async () => {
  const { control } = story.simulator
  const old = idOf(await story.ready('cloudaccesskey', 'first'))
  const { id } = control.hold({ method: 'POST', path: '/storage/user/keys', point: 'before' })
  await story.run('annotate', 'cloudaccesskey', 'first', 'cloud-operator.dev/rotate=now')
  await control.waitHeld(id, 60_000)
  await story.run('delete', 'cloudaccesskey', 'first', '--wait=false')
  const before = cloudKeys()
  control.release(id, 'answer')
  await story.gone('cloudaccesskey', 'first')
  expect(cloudKeys()).toEqual(before.filter((each) => each !== old))
}, 120_000)

test('no secret was said anywhere', async () => {
  await expectUnsaid(story, [...said])
  expectOrderly(story)
})
