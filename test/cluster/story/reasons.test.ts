/** Each thing a person can get wrong has its reason, says what to do, and is healed by putting it right: nothing else is needed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { changes, endOrderly, lastCall, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('reasons')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message

const vm = (name: string, more: Readonly<Record<string, unknown>>) =>
  manifest('CloudVM', name, { ...SMALL_VM, ...more })

test('a reference that is not there is waited for, and names what is missing', async () => {
  await story.apply(
    vm('lonely', { networkRef: { name: 'later' } }),
    manifest('CloudFloatingIP', 'lonely', { vmRef: { name: 'lonely' } }),
  )
  const waiting = await story.reason('cloudvm', 'lonely', 'WaitingForDependency')
  expect(message(waiting)).toBe('spec.networkRef: CloudNetwork later does not exist yet')
  expect(conditionOf(waiting, 'Reconciling')?.status).toBe('True')
  const address = await story.reason('cloudfloatingip', 'lonely', 'WaitingForDependency')
  expect(message(address)).toBe('spec.vmRef: CloudVM lonely is not created yet')
  await story.apply(manifest('CloudNetwork', 'later', {}))
  await story.ready('cloudvm', 'lonely')
  await story.ready('cloudfloatingip', 'lonely')
})

test('a location the service does not have: the known ones are named, an edit heals it', async () => {
  await story.apply(manifest('CloudDisk', 'astray', { sizeGiB: 10, location: 'jkt1' }))
  const stalled = await story.reason('clouddisk', 'astray', 'InvalidSpec')
  expect(message(stalled)).toBe('spec.location: the service has no location jkt1; it has jkt01, sgp01, tll01')
  expect(conditionOf(stalled, 'Stalled')?.status).toBe('True')
  await story.edit('clouddisk', 'astray', { spec: { location: 'sgp01' } })
  const ready = await story.ready('clouddisk', 'astray')
  expect(ready.status?.['location']).toBe('sgp01')
})

test('an image the service does not have: its words are shown, an edit heals it', async () => {
  const since = lastCall(story)
  await story.apply(vm('typo', { image: { os: 'ubuntu', version: '42.04' } }))
  const stalled = await story.reason('cloudvm', 'typo', 'InvalidSpec')
  expect(message(stalled)).toMatch(/42\.04.*24\.04.*an edit is tried at once/)
  expect(stalled.status?.['id']).toBeUndefined()
  expect(stalled.status?.['operation']).toBeUndefined()
  expect(changes(story, since)).toHaveLength(1)
  await story.edit('cloudvm', 'typo', { spec: { image: { version: '24.04' } } })
  await story.ready('cloudvm', 'typo')
})

test('a pool the location does not have: the known ones are named, nothing is sent, an edit heals it', async () => {
  const since = lastCall(story)
  await story.apply(vm('pooled', { pool: 'slow' }))
  const stalled = await story.reason('cloudvm', 'pooled', 'InvalidSpec')
  expect(message(stalled)).toBe('spec.pool: jkt01 has no pool slow; known: general, fast')
  expect(changes(story, since)).toEqual([])
  await story.edit('cloudvm', 'pooled', { spec: { pool: 'fast' } })
  expect((await story.ready('cloudvm', 'pooled')).status?.['pool']).toBe('fast')
})

test('a quota: nothing is lost by waiting, and it is tried again by itself', async () => {
  const { control } = story.simulator
  const used = control.inventory(story.account.apiKey).buckets.length
  control.setQuota({ buckets: used })
  await story.apply(manifest('CloudBucket', 'crowded', { bucketName: `${story.namespace}-crowded` }))
  const stalled = await story.reason('cloudbucket', 'crowded', 'QuotaExceeded')
  expect(message(stalled)).toMatch(/Quota exceeded: at most \d+ buckets.*have the quota raised/)
  control.setQuota({ buckets: 100 })
  await story.ready('cloudbucket', 'crowded')
})

test("a bucket name that somebody's bucket has: never taken, another name heals it", async () => {
  const { control } = story.simulator
  const [mine, theirs] = [`${story.namespace}-mine`, `${story.namespace}-theirs`]
  control.mutate({ do: 'create', kind: 'bucket', name: mine, apiKey: story.account.apiKey })
  control.mutate({ do: 'create', kind: 'bucket', name: theirs, apiKey: control.createAccount().apiKey })
  await story.apply(
    manifest('CloudBucket', 'mine', { bucketName: mine }),
    manifest('CloudBucket', 'theirs', { bucketName: theirs }),
  )
  const conflict = await story.reason('cloudbucket', 'mine', 'AdoptionConflict')
  expect(message(conflict)).toContain(`to take it over set spec.adopt.id: ${mine}, or choose another name`)
  const taken = await story.reason('cloudbucket', 'theirs', 'NameTaken')
  expect(message(taken)).toContain('choose another name')

  await story.edit('cloudbucket', 'mine', { spec: { adopt: { id: mine } } })
  await story.ready('cloudbucket', 'mine')
  await story.edit('cloudbucket', 'theirs', { spec: { bucketName: `${theirs}-2` } })
  await story.ready('cloudbucket', 'theirs')
})

test('a password: the Secret is waited for, a weak one is refused, and correcting the Secret alone heals it', async () => {
  // What a password must be is not stated; this service has a mind of its own.
  story.simulator.control.setRule('refuseWeakCredentials', true)
  await story.apply(vm('secretive', { passwordSecretRef: { name: 'login', key: 'password' } }))
  const waiting = await story.reason('cloudvm', 'secretive', 'WaitingForDependency')
  expect(message(waiting)).toMatch(/^spec\.passwordSecretRef: Secret login does not exist in namespace /)

  await story.run('create', 'secret', 'generic', 'login', '--from-literal=other=x')
  const keyless = await story.reason('cloudvm', 'secretive', 'ReferenceInvalid')
  expect(message(keyless)).toMatch(/^spec\.passwordSecretRef: Secret login has no key password/)

  await setSecret('login', 'password', 'short')
  const weak = await story.reason('cloudvm', 'secretive', 'InvalidSpec')
  expect(message(weak)).toMatch(/at least 8 characters.*correct the spec or the Secret it refers to/)
  expect(JSON.stringify(weak)).not.toContain('short')

  await setSecret('login', 'password', 'Long3nough')
  const ready = await story.ready('cloudvm', 'secretive')
  expect(ready.status?.['passwordApplied']).toBeDefined()
  expect(JSON.stringify(ready)).not.toContain('Long3nough')

  // The same for a machine that exists: the Secret is followed.
  const since = lastCall(story)
  await setSecret('login', 'password', 'weak')
  await story.reason('cloudvm', 'secretive', 'InvalidSpec')
  await setSecret('login', 'password', 'Long3nough2')
  const rotated = await story.ready('cloudvm', 'secretive')
  expect(rotated.status?.['passwordApplied']).not.toEqual(ready.status?.['passwordApplied'])
  const set = changes(story, since).filter((each) =>
    each.endsWith(`: password of vm ${String(rotated.status?.['id'])}`),
  )
  expect(set).toHaveLength(1)
  expect(story.operator.lines.join()).not.toMatch(/Long3nough/)
})

async function setSecret(name: string, key: string, value: string): Promise<void> {
  await story.run(
    'patch',
    'secret',
    name,
    '--type=merge',
    `--patch=${JSON.stringify({ stringData: { [key]: value } })}`,
  )
}
