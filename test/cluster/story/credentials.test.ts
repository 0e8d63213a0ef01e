/** The account's key: missing, misplaced, wrong, somebody else's. Objects wait for it, and nothing is touched meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { changes, endOrderly, lastCall } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('credentials')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message

async function setKey(secret: string, key: string, value: string | null): Promise<void> {
  const patch = JSON.stringify({ data: { [key]: value === null ? null : btoa(value) } })
  await story.run('patch', 'secret', secret, '--type=merge', `--patch=${patch}`)
}

const holds = (type: string, status: string, reason: string) => (each: AnyObject) => {
  const condition = conditionOf(each, type)
  return condition?.status === status && condition.reason === reason
}

test('no Secret, then one without the key, then a wrong key, then the right one', async () => {
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  await story.apply(
    manifest('CloudNetwork', 'waits', { accountRef: { name: 'second' } }),
    manifest('CloudAccount', 'second', { ...spec, tokenSecretRef: { name: 'second', key: 'token' } }),
  )
  const missing = await story.reason('cloudaccount', 'second', 'WaitingForDependency')
  expect(message(missing)).toMatch(
    /^spec\.tokenSecretRef: Secret second does not exist in namespace .*create it/,
  )
  const waits = await story.reason('cloudnetwork', 'waits', 'AccountUnavailable')
  expect(message(waits)).toContain('Secret second does not exist')

  await story.run('create', 'secret', 'generic', 'second', '--from-literal=tokens=oops')
  const keyless = await story.reason('cloudaccount', 'second', 'ReferenceInvalid')
  expect(message(keyless)).toMatch(/Secret second has no key token, or it is empty; add it/)

  await setKey('second', 'token', 'not-a-key-of-anybody')
  const wrong = await story.reason('cloudaccount', 'second', 'CredentialsInvalid')
  expect(message(wrong)).toMatch(/the service does not accept the key.*put a valid one into the Secret/)
  expect(JSON.stringify(wrong)).not.toContain('not-a-key-of-anybody')
  const still = await story.get('cloudnetwork', 'waits')
  expect(still && conditionOf(still, 'Ready')?.reason).toBe('AccountUnavailable')

  await setKey('second', 'token', story.account.apiKey)
  await story.ready('cloudaccount', 'second')
  await story.ready('cloudnetwork', 'waits')
})

test('a service that the operator may not talk to: the key is not sent there, and an edit heals it', async () => {
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  const endpoint = 'https://cloud.example.com'
  await story.apply(manifest('CloudAccount', 'elsewhere', { ...spec, endpoint }))
  const stalled = await story.reason('cloudaccount', 'elsewhere', 'InvalidSpec')
  expect(message(stalled)).toMatch(/^spec\.endpoint: .*cloud\.example\.com.*allow/)
  await story.edit('cloudaccount', 'elsewhere', { spec: { endpoint: story.simulator.url } })
  await story.ready('cloudaccount', 'elsewhere')
})

test('a key that is revoked and replaced, without a restart: what exists stays as it was', async () => {
  await story.apply(manifest('CloudNetwork', 'kept', {}))
  await story.ready('cloudnetwork', 'kept')
  const since = lastCall(story)
  await setKey('cloud-token', 'apikey', 'revoked')
  await story.reason('cloudaccount', 'default', 'CredentialsInvalid')
  const unknown = await story.until(
    'cloudnetwork',
    'kept',
    'Synced unknown',
    holds('Synced', 'Unknown', 'AccountUnavailable'),
  )
  expect(conditionOf(unknown, 'Ready')?.status).toBe('True')
  await story.edit('cloudnetwork', 'kept', { spec: { name: 'renamed' } })
  await story.reason('cloudnetwork', 'kept', 'AccountUnavailable')
  expect(changes(story, since)).toEqual([])
  await setKey('cloud-token', 'apikey', story.account.apiKey)
  await story.ready('cloudaccount', 'default')
  await story.ready('cloudnetwork', 'kept')
  expect(changes(story, since)).toHaveLength(1)
})

test("another user's key is refused, and nothing is touched under it", async () => {
  const { control } = story.simulator
  const other = control.createAccount()
  const theirs = control.inventory(other.apiKey)
  const mine = control.inventory(story.account.apiKey)
  await story.apply(manifest('CloudNetwork', 'private', {}))
  await story.ready('cloudnetwork', 'private')
  await setKey('cloud-token', 'apikey', other.apiKey)
  const mismatch = await story.reason('cloudaccount', 'default', 'IdentityMismatch')
  expect(message(mismatch)).toContain(`user ${other.userId}`)
  expect(message(mismatch)).toContain(`put a key of user ${story.account.userId} into the Secret`)
  const since = lastCall(story)
  await story.edit('cloudnetwork', 'private', { spec: { name: 'moved' } })
  await story.run('delete', 'cloudnetwork', 'kept', '--wait=false')
  await story.apply(manifest('CloudNetwork', 'new', {}))
  for (const name of ['private', 'kept', 'new'])
    await story.reason('cloudnetwork', name, 'AccountUnavailable')
  expect(changes(story, since)).toEqual([])
  expect(control.inventory(other.apiKey)).toEqual(theirs)
  expect(control.inventory(story.account.apiKey).networks).toHaveLength(mine.networks.length + 1)

  await setKey('cloud-token', 'apikey', story.account.apiKey)
  await story.ready('cloudnetwork', 'private')
  await story.ready('cloudnetwork', 'new')
  await story.gone('cloudnetwork', 'kept')
  expect(control.inventory(other.apiKey)).toEqual(theirs)
})

test('an object moved to an account of another user is not touched', async () => {
  const { control } = story.simulator
  const other = control.createAccount()
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  await story.apply(manifest('CloudNetwork', 'bound', {}))
  const bound = await story.ready('cloudnetwork', 'bound')
  expect(bound.status?.['account']).toEqual({
    endpoint: story.simulator.url,
    userID: story.account.userId,
  })
  // The account is deleted with its finalizer taken off by hand, and made anew for somebody else.
  const since = lastCall(story)
  await story.run('delete', 'cloudaccount', 'default', '--wait=false')
  await story.reason('cloudaccount', 'default', 'WaitingForDependents')
  await story.edit('cloudaccount', 'default', { metadata: { finalizers: null } })
  await story.gone('cloudaccount', 'default')
  await setKey('cloud-token', 'apikey', other.apiKey)
  await story.apply(manifest('CloudAccount', 'default', { ...spec, billingAccount: other.billingAccount }))
  const mismatch = await story.reason('cloudnetwork', 'bound', 'IdentityMismatch')
  expect(message(mismatch)).toMatch(
    /nothing is done under another identity; give the account its old key back/,
  )
  await story.run('delete', 'cloudnetwork', 'bound', '--wait=false')
  await story.until('cloudnetwork', 'bound', 'held', (each) => {
    const deleting = each.metadata.deletionTimestamp !== undefined
    return deleting && each.status?.observedGeneration === each.metadata.generation
  })
  expect(changes(story, since)).toEqual([])
  expect((await story.get('cloudnetwork', 'bound'))?.metadata.finalizers).toHaveLength(1)
})
