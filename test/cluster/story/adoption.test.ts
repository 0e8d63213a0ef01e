/** Taking over what exists: by id, without a change nobody asked for, one owner each, and left behind on deletion. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Strangers } from '../../../src/simulator/strangers.ts'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { changes, endOrderly, lastCall } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('adoption')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const remove = (kind: string, name: string) => story.run('delete', kind, name, '--wait=false')

function stranger(wish: Strangers): string {
  return story.simulator.control.mutate({ do: 'create', apiKey: story.account.apiKey, ...wish }).ids[0] ?? ''
}

/** A stranger of each kind, and the least that a manifest must say to take it over. */
function strangers(): readonly (readonly [
  kind: string,
  id: string,
  spec: Readonly<Record<string, unknown>>,
])[] {
  const bucket = stranger({ kind: 'bucket', name: `${story.namespace}-old` })
  return [
    ['CloudNetwork', stranger({ kind: 'network', name: 'old-net' }), {}],
    ['CloudVM', stranger({ kind: 'vm', name: 'old-vm', description: 'made by hand' }), {}],
    ['CloudDisk', stranger({ kind: 'disk', name: 'old-disk' }), {}],
    ['CloudBucket', bucket, { bucketName: bucket }],
    ['CloudFloatingIP', stranger({ kind: 'floatingIp', name: 'old-ip' }), {}],
    ['CloudLoadBalancer', stranger({ kind: 'loadBalancer', name: 'old-lb' }), {}],
  ]
}

test('each kind is taken over by its id as it is, and left as it is when its object is deleted', async () => {
  const { control } = story.simulator
  const all = strangers()
  const before = control.inventory()
  const since = lastCall(story)
  await story.apply(...all.map(([kind, id, spec]) => manifest(kind, 'old', { ...spec, adopt: { id } })))
  for (const [kind, id] of all) {
    const object = await story.ready(kind, 'old')
    expect(object.metadata.finalizers).toEqual(['cloud-operator.dev/cloud-resource'])
    // A floating IP is known by its number: its address can be handed out again.
    const known = kind === 'CloudFloatingIP' ? object.status?.['address'] : object.status?.['id']
    expect(known).toBe(id)
  }
  expect(changes(story, since)).toEqual([])
  for (const [kind] of all) await remove(kind, 'old')
  for (const [kind] of all) await story.gone(kind, 'old')
  expect(control.inventory()).toEqual(before)
  expect(changes(story, since)).toEqual([])
})

test('what the manifest says of it is brought about, and onDelete Delete deletes it', async () => {
  const { control } = story.simulator
  const id = stranger({ kind: 'network', name: 'named-by-hand' })
  await story.apply(manifest('CloudNetwork', 'renamed', { adopt: { id }, name: 'ours' }))
  await story.ready('cloudnetwork', 'renamed')
  const row = () => control.inventory().networks.find((each) => each['uuid'] === id)
  expect(row()?.['name']).toMatch(/^ours-[a-z2-7]{14}$/)
  await story.edit('cloudnetwork', 'renamed', { spec: { lifecycle: { onDelete: 'Delete' } } })
  await story.ready('cloudnetwork', 'renamed')
  await remove('cloudnetwork', 'renamed')
  await story.gone('cloudnetwork', 'renamed')
  expect(row()).toBeUndefined()
})

test('one cloud object has one owner: the second is told who has it, and gets it once it is free', async () => {
  const id = stranger({ kind: 'disk', name: 'wanted-twice' })
  await story.apply(manifest('CloudDisk', 'first', { adopt: { id } }))
  await story.ready('clouddisk', 'first')
  await story.apply(manifest('CloudDisk', 'second', { adopt: { id } }))
  const conflict = await story.reason('clouddisk', 'second', 'AdoptionConflict')
  expect(message(conflict)).toContain(`${id} already belongs to CloudDisk ${story.namespace}/first`)
  expect(conflict.status?.['id']).toBeUndefined()
  await story.ready('clouddisk', 'first')
  await remove('clouddisk', 'first')
  await story.gone('clouddisk', 'first')
  await story.ready('clouddisk', 'second')
})

test('an id that is not there is not made: the message says so, and the right one heals it', async () => {
  const since = lastCall(story)
  const wrong = '00000000-0000-4000-8000-000000000000'
  const specs: Readonly<Record<string, object>> = {
    CloudNetwork: { adopt: { id: wrong } },
    CloudVM: { adopt: { id: wrong } },
    CloudDisk: { adopt: { id: wrong } },
    CloudLoadBalancer: { adopt: { id: wrong } },
    CloudFloatingIP: { adopt: { id: '203.0.113.250' } },
    CloudBucket: { adopt: { id: `${story.namespace}-no` }, bucketName: `${story.namespace}-no` },
  }
  await story.apply(...Object.entries(specs).map(([kind, spec]) => manifest(kind, 'missing', spec)))
  for (const kind of Object.keys(specs)) {
    const stalled = await story.reason(kind, 'missing', 'NotFoundToAdopt')
    expect(message(stalled)).toMatch(/^spec\.adopt\.id: the account has no .*correct the id/)
  }
  const id = stranger({ kind: 'disk', name: 'found' })
  await story.edit('clouddisk', 'missing', { spec: { adopt: { id } } })
  expect((await story.ready('clouddisk', 'missing')).status?.['id']).toBe(id)
  expect(changes(story, since)).toEqual([])
})

test('the marker of another owner is respected until takeover says otherwise', async () => {
  const id = stranger({ kind: 'network', name: 'theirs-abcdefghij2345' })
  await story.apply(manifest('CloudNetwork', 'taker', { adopt: { id } }))
  const conflict = await story.reason('cloudnetwork', 'taker', 'AdoptionConflict')
  expect(message(conflict)).toContain('set spec.adopt.takeover: true')
  await story.edit('cloudnetwork', 'taker', { spec: { adopt: { takeover: true } } })
  await story.ready('cloudnetwork', 'taker')
})
