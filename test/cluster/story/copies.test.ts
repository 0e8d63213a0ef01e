/** Objects copied or restored with their status: they must not touch what belongs to the original. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { sent } from './calls.ts'
import { endOrderly, lastCall, sixReady, theSix } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('copies')))
afterAll(() => endOrderly(story))

/** The kinds whose cloud objects show whose they are, and the others, where the elder object is the owner. */
const KINDS = [
  'cloudvm',
  'clouddisk',
  'cloudnetwork',
  'cloudfloatingip',
  'cloudbucket',
  'cloudloadbalancer',
] as const

/** An object of the same spec under another name, with the original's status, as a backup tool restores it. */
async function copy(original: AnyObject, name: string): Promise<void> {
  const observedGeneration = 0
  const conditions = original.status?.conditions?.map((each) => ({ ...each, observedGeneration }))
  const status = { ...original.status, observedGeneration, conditions }
  const paused = { annotations: { 'cloud-operator.dev/paused': 'true' } }
  const text = JSON.parse(manifest(original.kind, name, original.spec)) as { metadata: object }
  await story.apply(JSON.stringify({ ...text, metadata: { ...text.metadata, ...paused } }))
  await story.run(
    ...['patch', original.kind, name, '--subresource=status', '--type=merge'],
    `--patch=${JSON.stringify({ status })}`,
  )
  await story.run('annotate', original.kind, name, 'cloud-operator.dev/paused-')
}

const conflict = (kind: string, name: string) => story.reason(kind, name, 'AdoptionConflict')

test('a copy is told whose the cloud object is, changes nothing, and goes alone', async () => {
  await story.apply(...theSix(story))
  const six = await sixReady(story)
  const since = lastCall(story)
  for (const kind of KINDS) await copy(six[kind], `${six[kind].metadata.name}-copy`)
  for (const kind of KINDS) {
    const { name } = six[kind].metadata
    const told = await conflict(kind, `${name}-copy`)
    expect(conditionOf(told, 'Ready')?.message, kind).toContain(
      `belongs to ${six[kind].kind} ${story.namespace}/${name}`,
    )
  }
  await story.edit('cloudvm', 'web-copy', { spec: { vcpus: 4, name: 'other' } })
  await story.edit('cloudnetwork', 'front-copy', { spec: { name: 'other' } })
  await conflict('cloudvm', 'web-copy')
  await conflict('cloudnetwork', 'front-copy')
  for (const kind of KINDS) await story.run('delete', kind, `${six[kind].metadata.name}-copy`, '--wait=false')
  for (const kind of KINDS) await story.gone(kind, `${six[kind].metadata.name}-copy`)
  expect(sent(story, since)).toEqual([])
  for (const kind of KINDS) await story.ready(kind, six[kind].metadata.name)
}, 180_000)

test('restored after the original is gone: a person says that it is this one’s', async () => {
  const original = await story.ready('cloudfloatingip', 'public')
  await story.edit('cloudfloatingip', 'public', { spec: { lifecycle: { onDelete: 'Retain' } } })
  await story.run('delete', 'cloudfloatingip', 'public')
  const since = lastCall(story)
  await copy(original, 'restored')
  const told = await conflict('cloudfloatingip', 'restored')
  const id = String(original.status?.['id'])
  const answer = `${id}@${told.metadata.uid.slice(0, 8)}=${id}`
  expect(conditionOf(told, 'Ready')?.message).toContain(`cloud-operator.dev/resolve=${answer}`)
  expect(sent(story, since)).toEqual([])
  // What was said of another object answers for no other.
  await story.run('annotate', 'cloudfloatingip', 'restored', `cloud-operator.dev/resolve=${id}=${id}`)
  await conflict('cloudfloatingip', 'restored')
  expect(sent(story, since)).toEqual([])
  await story.run(
    'annotate',
    '--overwrite',
    'cloudfloatingip',
    'restored',
    `cloud-operator.dev/resolve=${answer}`,
  )
  const ready = await story.ready('cloudfloatingip', 'restored')
  expect(ready.status).toMatchObject({ id, answered: [answer] })
  await story.run('annotate', 'cloudfloatingip', 'restored', 'cloud-operator.dev/resolve-')
  await story.ready('cloudfloatingip', 'restored')
  await story.run('delete', 'cloudfloatingip', 'restored')
  expect(story.simulator.control.inventory(story.account.apiKey).floatingIps).toEqual([])
})

test('deleted in the cloud: made again where that is asked for, and as the spec says now', async () => {
  const lost = String((await story.ready('clouddisk', 'data')).status?.['id'])
  story.simulator.control.mutate({ do: 'delete', kind: 'disk', id: lost })
  const told = await story.reason('clouddisk', 'data', 'ExternallyDeleted')
  expect(conditionOf(told, 'Ready')?.message).toContain(`cloud-operator.dev/recreate=${lost}`)
  await story.run('annotate', 'clouddisk', 'data', 'cloud-operator.dev/recreate=another')
  await story.edit('clouddisk', 'data', { spec: { sizeGiB: 31 } })
  await story.reason('clouddisk', 'data', 'ExternallyDeleted')
  await story.run('annotate', '--overwrite', 'clouddisk', 'data', `cloud-operator.dev/recreate=${lost}`)
  const made = await story.ready('clouddisk', 'data')
  expect(made.status).toMatchObject({ sizeGiB: 31 })
  expect(made.status?.['id']).not.toBe(lost)
  expect(
    story.simulator.control
      .inventory(story.account.apiKey)
      .disks.filter((row) => row['status'] !== 'Deleted'),
  ).toHaveLength(2)
}, 120_000)

test('in an account of our own what an unanswered create made is taken without a question', async () => {
  await story.edit('cloudaccount', 'default', { spec: { dedicated: true } })
  await story.run(
    'annotate',
    'cloudaccount',
    'default',
    'cloud-operator.dev/reconcile-requested-at=dedicated',
  )
  await story.ready('cloudaccount', 'default')
  const since = lastCall(story)
  story.simulator.control.addFault({
    method: 'POST',
    path: '/storage/disks',
    point: 'afterCommit',
    action: { reset: true },
  })
  await story.apply(manifest('CloudDisk', 'alone', { sizeGiB: 9 }))
  await story.ready('clouddisk', 'alone')
  const made = sent(story, since).filter(([call]) => call === 'POST /storage/disks')
  // By its name, or by being the only one that came.
  expect(made).toHaveLength(1)
}, 120_000)

test('two with the marker of one object: the older is used, the other one is told and left', async () => {
  await story.apply(manifest('CloudNetwork', 'twice', {}))
  const first = await story.ready('cloudnetwork', 'twice')
  const { control } = story.simulator
  const row = control
    .inventory(story.account.apiKey)
    .networks.find((each) => each['uuid'] === first.status?.['id'])
  const { apiKey } = story.account
  const [second = ''] = control.mutate({
    do: 'create',
    kind: 'network',
    apiKey,
    name: String(row?.['name']),
  }).ids
  const status = { observedGeneration: null, conditions: null, id: null, account: null, location: null }
  await story.run(
    ...['patch', 'cloudnetwork', 'twice', '--subresource=status', '--type=merge'],
    `--patch=${JSON.stringify({ status })}`,
  )
  const again = await story.ready('cloudnetwork', 'twice')
  expect(again.status?.['id']).toBe(first.status?.['id'])
  await expect
    .poll(() => story.run('get', 'events', '--field-selector', 'reason=DuplicatesFound'), { timeout: 20_000 })
    .toContain(second)
  await story.run('delete', 'cloudnetwork', 'twice')
  expect(control.inventory(apiKey).networks.filter((each) => each['uuid'] === second)).toHaveLength(1)
  control.mutate({ do: 'delete', kind: 'network', id: second })
})
