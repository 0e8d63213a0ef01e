/** What holds a deletion, which words say so, and that each ends by itself once nothing holds it any more. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { defaultNetworks } from './calls.ts'
import { annotate, changes, endOrderly, lastCall, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('deletion')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const remove = (kind: string, ...names: string[]) => story.run('delete', kind, ...names, '--wait=false')

/** A deletion that waits: not an error, and Ready is not known. */
async function held(kind: string, name: string, reason: string): Promise<AnyObject> {
  const object = await story.reason(kind, name, reason)
  expect(conditionOf(object, 'Ready')?.status).toBe('Unknown')
  expect(conditionOf(object, 'Reconciling')).toMatchObject({ status: 'True', reason })
  expect(conditionOf(object, 'Stalled')).toBeUndefined()
  expect(object.metadata.finalizers).toEqual(['cloud-operator.dev/cloud-resource'])
  return object
}

test('a bucket that is not empty is held, never emptied, and deleted once empty', async () => {
  const { control } = story.simulator
  const bucket = `${story.namespace}-full`
  await story.apply(manifest('CloudBucket', 'full', { bucketName: bucket }))
  await story.ready('cloudbucket', 'full')
  control.mutate({ do: 'setBucket', bucket, set: { objects: 3, sizeBytes: 300 } })
  const since = lastCall(story)
  await remove('cloudbucket', 'full')
  const object = await held('cloudbucket', 'full', 'NotEmpty')
  expect(message(object)).toMatch(/never emptied by us and deleted by itself once empty.*onDelete: Retain/)
  expect(changes(story, since)).toEqual([])
  control.mutate({ do: 'setBucket', bucket, set: { objects: 0, sizeBytes: 0 } })
  await story.gone('cloudbucket', 'full')
  expect(changes(story, since)).toEqual([`DELETE /storage/bucket 204: deleted bucket ${bucket}`])
  expect(control.counters().lostDataTokens).toEqual([])
})

test('a disk with snapshots is held until they may go with it', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudDisk', 'snapped', { sizeGiB: 10 }))
  const disk = String((await story.ready('clouddisk', 'snapped')).status?.['id'])
  control.mutate({ do: 'snapshotDisk', disk })
  const since = lastCall(story)
  await remove('clouddisk', 'snapped')
  expect(message(await held('clouddisk', 'snapped', 'NotEmpty'))).toContain(
    'set spec.snapshotsOnDelete: Delete',
  )
  expect(changes(story, since)).toEqual([])
  await story.edit('clouddisk', 'snapped', { spec: { snapshotsOnDelete: 'Delete' } })
  await story.gone('clouddisk', 'snapped')
  expect(control.inventory().disks.map((each) => each['uuid'])).not.toContain(disk)
})

test('a network waits for the machine of ours in it, which it names', async () => {
  await story.apply(
    manifest('CloudNetwork', 'shared', {}),
    manifest('CloudVM', 'member', { ...SMALL_VM, networkRef: { name: 'shared' } }),
  )
  await story.ready('cloudvm', 'member')
  const since = lastCall(story)
  await remove('cloudnetwork', 'shared')
  const object = await held('cloudnetwork', 'shared', 'WaitingForDependents')
  expect(message(object)).toContain('still used by CloudVM member')
  expect(changes(story, since)).toEqual([])
  await remove('cloudvm', 'member')
  await story.gone('cloudvm', 'member')
  await story.gone('cloudnetwork', 'shared')
})

test('a network with a machine of somebody else in it waits until that is gone', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'crowd', {}))
  const network = String((await story.ready('cloudnetwork', 'crowd')).status?.['id'])
  const { apiKey } = story.account
  const [stranger = ''] = control.mutate({ do: 'create', kind: 'vm', network, apiKey }).ids
  await remove('cloudnetwork', 'crowd')
  expect(message(await held('cloudnetwork', 'crowd', 'NotEmpty'))).toContain(`it still holds ${stranger}`)
  control.mutate({ do: 'delete', kind: 'vm', id: stranger })
  await story.gone('cloudnetwork', 'crowd')
})

test('the default network waits until another one is the default', async () => {
  const { control } = story.simulator
  const [original] = defaultNetworks(story)
  await story.apply(manifest('CloudNetwork', 'main', { default: true }))
  expect((await story.ready('cloudnetwork', 'main')).status?.['isDefault']).toBe(true)
  await remove('cloudnetwork', 'main')
  const object = await held('cloudnetwork', 'main', 'DefaultConflict')
  expect(message(object)).toMatch(
    /make another network the default .* or set spec\.lifecycle\.onDelete: Retain/,
  )

  await story.apply(manifest('CloudNetwork', 'next', { default: true }))
  await story.ready('cloudnetwork', 'next')
  await story.gone('cloudnetwork', 'main')

  await remove('cloudnetwork', 'next')
  await held('cloudnetwork', 'next', 'DefaultConflict')
  control.mutate({ do: 'setDefaultNetwork', uuid: String(original?.['uuid']) })
  await story.gone('cloudnetwork', 'next')
})

test('two that want to be the default: the older is, the younger says so, and takes over when it may', async () => {
  const { control } = story.simulator
  const [original] = defaultNetworks(story)
  await story.apply(manifest('CloudNetwork', 'elder', { default: true }))
  const elder = await story.ready('cloudnetwork', 'elder')
  // Creation times are whole seconds.
  await expect.poll(() => new Date().toISOString() > createdAt(elder), { timeout: 5_000 }).toBe(true)
  const since = lastCall(story)
  await story.apply(manifest('CloudNetwork', 'younger', { default: true }))
  const conflict = await story.reason('cloudnetwork', 'younger', 'DefaultConflict')
  expect(message(conflict)).toContain(
    'CloudNetwork elder is older and already declares itself the default network',
  )
  expect(conditionOf(conflict, 'Stalled')?.status).toBe('True')
  await story.ready('cloudnetwork', 'elder')
  const makesDefault = () => changes(story, since).filter((each) => each.includes('/default '))
  expect(makesDefault()).toEqual([])

  await story.edit('cloudnetwork', 'elder', { spec: { default: null } })
  expect((await story.ready('cloudnetwork', 'younger')).status?.['isDefault']).toBe(true)
  await story.until('cloudnetwork', 'elder', 'no longer the default', (each) => {
    return each.status?.['isDefault'] === false && conditionOf(each, 'Ready')?.status === 'True'
  })
  expect(makesDefault()).toHaveLength(1)
  await story.edit('cloudnetwork', 'younger', { spec: { default: null } })
  await story.ready('cloudnetwork', 'younger')
  control.mutate({ do: 'setDefaultNetwork', uuid: String(original?.['uuid']) })
})

function createdAt({ metadata }: AnyObject): string {
  const at = Date.parse((metadata as unknown as { creationTimestamp: string }).creationTimestamp)
  return new Date(at + 1_000).toISOString()
}

test('onDelete Retain leaves the cloud object and lets ours go', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'stays', { lifecycle: { onDelete: 'Retain' } }))
  const { status } = await story.ready('cloudnetwork', 'stays')
  const row = () => control.inventory().networks.find((each) => each['uuid'] === status?.['id'])
  const before = row()
  const since = lastCall(story)
  await remove('cloudnetwork', 'stays')
  await story.gone('cloudnetwork', 'stays')
  expect(row()).toEqual(before)
  expect(before).toBeDefined()
  expect(changes(story, since)).toEqual([])
})

test("the account's default of Retain counts where the object says nothing", async () => {
  const { control } = story.simulator
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  const accountRef = { name: 'retaining' }
  await story.apply(
    manifest('CloudAccount', 'retaining', { ...spec, defaults: { onDelete: 'Retain' } }),
    manifest('CloudNetwork', 'by-default', { accountRef }),
    manifest('CloudNetwork', 'by-its-own', { accountRef, lifecycle: { onDelete: 'Delete' } }),
  )
  const ids: string[] = []
  for (const name of ['by-default', 'by-its-own']) {
    ids.push(String((await story.ready('cloudnetwork', name)).status?.['id']))
  }
  await remove('cloudnetwork', 'by-default', 'by-its-own')
  await story.gone('cloudnetwork', 'by-default')
  await story.gone('cloudnetwork', 'by-its-own')
  const left = control.inventory().networks.map((each) => each['uuid'])
  expect(ids.filter((id) => left.includes(id))).toEqual(ids.slice(0, 1))
  await remove('cloudaccount', 'retaining')
  await story.gone('cloudaccount', 'retaining')
})

test('what was never created is let go without a word to the cloud', async () => {
  const since = lastCall(story)
  await story.apply(
    manifest('CloudVM', 'never', { ...SMALL_VM, networkRef: { name: 'nowhere' } }),
    manifest('CloudDisk', 'never', { sizeGiB: 1, location: 'nowhere' }),
  )
  await story.reason('cloudvm', 'never', 'WaitingForDependency')
  await story.reason('clouddisk', 'never', 'InvalidSpec')
  await remove('cloudvm', 'never')
  await remove('clouddisk', 'never')
  await story.gone('cloudvm', 'never')
  await story.gone('clouddisk', 'never')
  expect(changes(story, since)).toEqual([])
})

test('a paused deletion is held, and goes on when the annotation is taken away', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'still', {}))
  const { status } = await story.ready('cloudnetwork', 'still')
  await annotate(story, 'cloudnetwork', 'still', 'paused', 'true')
  const since = lastCall(story)
  await remove('cloudnetwork', 'still')
  const paused = await story.until('cloudnetwork', 'still', 'paused', (each) => {
    return conditionOf(each, 'Paused')?.observedGeneration === each.metadata.generation
  })
  expect(paused.metadata.deletionTimestamp).toBeDefined()
  expect(changes(story, since)).toEqual([])
  expect(control.inventory().networks.map((each) => each['uuid'])).toContain(status?.['id'])
  await annotate(story, 'cloudnetwork', 'still', 'paused')
  await story.gone('cloudnetwork', 'still')
})

test('an account waits for what uses it, which it names', async () => {
  const spec = (await story.get('cloudaccount', 'default'))?.spec
  const accountRef = { name: 'short' }
  await story.apply(
    manifest('CloudAccount', 'short', spec),
    manifest('CloudNetwork', 'user-1', { accountRef }),
    manifest('CloudBucket', 'user-2', { accountRef, bucketName: `${story.namespace}-user` }),
  )
  await story.ready('cloudnetwork', 'user-1')
  await story.ready('cloudbucket', 'user-2')
  await remove('cloudaccount', 'short')
  const both = await held('cloudaccount', 'short', 'WaitingForDependents')
  expect(message(both)).toMatch(/still used by .*CloudBucket user-2/)
  expect(message(both)).toMatch(/still used by .*CloudNetwork user-1/)
  // Its Secret is guarded meanwhile.
  expect(await story.refused(['delete', 'secret', 'cloud-token'])).toContain('holds the key of CloudAccount')

  // Its objects go on working with it: they can be changed and deleted.
  await story.edit('cloudnetwork', 'user-1', { spec: { name: 'other' } })
  await story.ready('cloudnetwork', 'user-1')
  await remove('cloudnetwork', 'user-1')
  await story.gone('cloudnetwork', 'user-1')
  const one = await story.until('cloudaccount', 'short', 'held by one', (each) => {
    return message(each)?.includes('user-1') === false
  })
  expect(message(one)).toMatch(/^still used by CloudBucket user-2; /)
  await remove('cloudbucket', 'user-2')
  await story.gone('cloudbucket', 'user-2')
  await story.gone('cloudaccount', 'short')
})
