/** The account itself: the profile behind the key, a key that is rotated, what else has a name already, and its end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import { expectUnsaid } from './canary.ts'
import { annotate, changes, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('account')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const account = (spec: object) => story.edit('cloudaccount', 'default', { spec })
const NUMBER = '3171-4242-0007'

/** Asks the service itself, as another program of the same user. */
async function asked(method: string, path: string, form: Record<string, string> = {}): Promise<unknown> {
  const body = method === 'GET' ? {} : { body: new URLSearchParams(form).toString() }
  const headers = {
    apikey: story.account.apiKey,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const reply = await fetch(`${story.simulator.url}/v1/${path}`, { method, headers, ...body })
  return reply.json()
}

async function profile(): Promise<Record<string, unknown>> {
  const user = (await asked('GET', 'user-resource/user')) as { profile_data: Record<string, unknown> }
  return user.profile_data
}

test('a profile: only what differs is written, its number from a Secret that is waited for, and shown nowhere', async () => {
  await story.apply(manifest('CloudNetwork', 'bystander', {}))
  await story.ready('cloudnetwork', 'bystander')
  const since = lastCall(story)
  await account({
    profile: {
      firstName: 'Test',
      lastName: 'Lovelace',
      personalIDNumberSecretRef: { name: 'person', key: 'number' },
    },
  })
  const waits = await story.reason('cloudaccount', 'default', 'WaitingForDependency')
  expect(message(waits)).toMatch(/^spec\.profile\.personalIDNumberSecretRef: Secret person does not exist/)
  // The account is used all the same.
  await story.edit('cloudnetwork', 'bystander', { spec: { name: 'other' } })
  await story.ready('cloudnetwork', 'bystander')
  await story.run('create', 'secret', 'generic', 'person', `--from-literal=number=${NUMBER}`)
  const object = await story.ready('cloudaccount', 'default')
  expect(await profile()).toMatchObject({ last_name: 'Lovelace', personal_id_number: NUMBER })
  const written = sent(story, since).filter(([call]) => call.endsWith('/user/profile'))
  expect(written).toHaveLength(1)
  expect(Object.keys(written[0]?.[1] ?? {}).sort()).toEqual(['last_name', 'personal_id_number'])
  expect(object.status?.['user']).toMatchObject({ id: story.account.userId })

  // Changed in the console: put back at the next look; what the spec does not name stays.
  await asked('PATCH', 'user-resource/user/profile', { first_name: 'Eva', phone_number: '62' })
  await lookedAt(story, 'cloudaccount', 'default')
  await story.ready('cloudaccount', 'default')
  expect(await profile()).toMatchObject({ first_name: 'Test', phone_number: '62' })
  const after = lastCall(story)
  await lookedAt(story, 'cloudaccount', 'default')
  expect(changes(story, after)).toEqual([])
  await expectUnsaid(story, [NUMBER])
})

test('a profile that is refused or paused is said so, and the account is used all the same', async () => {
  const { control } = story.simulator
  const refusal = { status: 400, body: { errors: { phone_number: 'Must be a telephone number' } } }
  const path = '/user-resource/user/profile'
  control.addFault({ method: 'PATCH', path, point: 'before', times: 9, action: { answer: refusal } })
  await account({ profile: { phoneNumber: 'none' } })
  const refused = await story.reason('cloudaccount', 'default', 'InvalidSpec')
  expect(message(refused)).toContain('Must be a telephone number')
  await story.edit('cloudnetwork', 'bystander', { spec: { name: 'third' } })
  await story.ready('cloudnetwork', 'bystander')
  control.clearFaults()
  await annotate(story, 'cloudaccount', 'default', 'paused', 'true')
  const since = lastCall(story)
  await account({ profile: { phoneNumber: '+62 21' } })
  await story.until('cloudaccount', 'default', 'paused', (each) => conditionOf(each, 'Paused') !== undefined)
  expect(changes(story, since)).toEqual([])
  await annotate(story, 'cloudaccount', 'default', 'paused')
  await story.ready('cloudaccount', 'default')
  expect(await profile()).toMatchObject({ phone_number: '+62 21' })
})

test('the number of buckets is shown once the storage has a user; looking makes none', async () => {
  await lookedAt(story, 'cloudaccount', 'default')
  const { control } = story.simulator
  expect(control.inventory(story.account.apiKey).keys).toEqual([])
  await asked('GET', 'storage/user')
  const keys = control.inventory(story.account.apiKey).keys
  expect(keys).toHaveLength(1)
  const object = await lookedAt(story, 'cloudaccount', 'default')
  expect(object.status?.['objectStorage']).toEqual({
    url: expect.stringMatching(/^http/) as string,
    maxBuckets: expect.any(Number) as number,
  })
  expect(control.inventory(story.account.apiKey).keys).toEqual(keys)
})

test('a namesake of an object that the cluster does not have any more: held, and taken over', async () => {
  await story.apply(manifest('CloudVM', 'again', { ...SMALL_VM, lifecycle: { onDelete: 'Retain' } }))
  const id = idOf(await story.ready('cloudvm', 'again'))
  await story.run('delete', 'cloudvm', 'again')
  const since = lastCall(story)
  await story.apply(manifest('CloudVM', 'again', SMALL_VM))
  const held = await story.reason('cloudvm', 'again', 'AdoptionConflict')
  expect(message(held)).toContain(`set spec.adopt.id: ${id} and spec.adopt.takeover: true`)
  expect(changes(story, since)).toEqual([])
  await story.edit('cloudvm', 'again', { spec: { adopt: { id, takeover: true } } })
  expect(idOf(await story.ready('cloudvm', 'again'))).toBe(id)
  expect(changes(story, since)).toEqual([])
})

test('a namesake of another cluster: held until a person says that it is another one, or the account ignores them', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const stranger = (name: string) =>
    control.mutate({ do: 'create', kind: 'network', name, apiKey }).ids[0] ?? ''
  const mine = stranger('twin-abcdefghij2345')
  stranger('triplet-abcdefghij2345')
  const since = lastCall(story)
  await story.apply(manifest('CloudNetwork', 'twin', {}), manifest('CloudNetwork', 'triplet', {}))
  const twin = await story.reason('cloudnetwork', 'twin', 'AdoptionConflict')
  expect(message(twin)).toContain('with the marker abcdefghij2345 of another cluster')
  expect(message(twin)).toContain(`cloud-operator.dev/resolve=${mine}=none`)
  await story.reason('cloudnetwork', 'triplet', 'AdoptionConflict')
  expect(changes(story, since)).toEqual([])

  await annotate(story, 'cloudnetwork', 'twin', 'resolve', `${mine}=none`)
  const made = await story.ready('cloudnetwork', 'twin')
  expect(idOf(made)).not.toBe(mine)
  expect(made.status?.['answered']).toEqual([`${mine}=none`])
  await account({ namesakesOfOtherClusters: 'Ignore' })
  await story.ready('cloudnetwork', 'triplet')
  expect(changes(story, since)).toHaveLength(2)
})

test('an account that is being deleted: nothing new begins with it, and what waits for it does not hold it', async () => {
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  const accountRef = { name: 'leaving' }
  await story.apply(
    manifest('CloudAccount', 'leaving', { ...spec, profile: undefined }),
    manifest('CloudNetwork', 'holder', { accountRef }),
  )
  const holder = idOf(await story.ready('cloudnetwork', 'holder'))
  await story.run('delete', 'cloudaccount', 'leaving', '--wait=false')
  await story.reason('cloudaccount', 'leaving', 'WaitingForDependents')
  const since = lastCall(story)
  await story.apply(manifest('CloudNetwork', 'late', { accountRef }))
  const late = await story.reason('cloudnetwork', 'late', 'AccountUnavailable')
  expect(message(late)).toContain('CloudAccount leaving is being deleted, and nothing new is made with it')
  expect(late.metadata.finalizers ?? []).toEqual([])
  await story.run('delete', 'cloudnetwork', 'holder', '--wait=false')
  await story.gone('cloudnetwork', 'holder')
  await story.gone('cloudaccount', 'leaving')
  expect(cloudRow(story, 'networks', holder)).toBeUndefined()
  expect(changes(story, since)).toHaveLength(1)
  await story.edit('cloudnetwork', 'late', { spec: { accountRef: { name: 'default' } } })
  await story.ready('cloudnetwork', 'late')
})

test('a key that is rotated: nothing is written, nothing looks absent, and the new one is used', async () => {
  await story.apply(manifest('CloudVM', 'kept', SMALL_VM))
  const kept = await story.ready('cloudvm', 'kept')
  await story.ready('cloudnetwork', 'bystander')
  const before = await story.run(
    'get',
    'cloudvm,cloudnetwork',
    '-o',
    'jsonpath={.items[*].metadata.resourceVersion}',
  )
  const tokens = (await asked('POST', 'user-resource/token', { description: 'second' })) as {
    id: number
    token: string
    description: string
  }[]
  const second = tokens.find((each) => each.description === 'second')?.token ?? ''
  const first = tokens.find((each) => each.token === story.account.apiKey)?.id
  const since = lastCall(story)
  const patch = JSON.stringify({ data: { apikey: btoa(second) } })
  await story.run('patch', 'secret', 'cloud-token', '--type=merge', `--patch=${patch}`)
  await lookedAt(story, 'cloudaccount', 'default')
  await lookedAt(story, 'cloudaccount', 'default')
  expect(
    await story.run('get', 'cloudvm,cloudnetwork', '-o', 'jsonpath={.items[*].metadata.resourceVersion}'),
  ).toBe(before)
  expect(changes(story, since).filter((each) => !each.includes('/storage/user '))).toEqual([])
  // The old one is no longer needed.
  story.simulator.control.mutate({ do: 'delete', kind: 'token', id: String(first) })
  await story.edit('cloudvm', 'kept', { spec: { name: 'renamed' } })
  await story.ready('cloudvm', 'kept')
  expect(sent(story, since).filter(([call]) => call.startsWith('PATCH'))).toEqual([
    ['PATCH /user-resource/vm', { uuid: idOf(kept), name: 'renamed' }],
  ])
  await expectUnsaid(story, [second, story.account.apiKey])
})
