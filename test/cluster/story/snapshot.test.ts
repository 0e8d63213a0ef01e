/** Snapshots of machines: taken, taken over, kept, deleted, lost; and disks made from snapshots of disks. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import { callsTo, copiesOf, copyIDs, copyReads, dropBehind, DROP, TAKE } from './copies.ts'
import { endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
/** Identities of the machines db and web. */
let db: string
let web: string
beforeAll(async () => {
  story = await startStory('snapshot')
  await story.apply(manifest('CloudVM', 'web', SMALL_VM))
  web = idOf(await story.ready('cloudvm', 'web'))
})
afterAll(() => endOrderly(story))

const ofVm = (name: string, more: object = {}) => ({ vmRef: { name }, ...more })
const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const remove = (name: string) => story.run('delete', 'cloudsnapshot', name, '--wait=false')
const add = (vm: string, type: string) =>
  story.simulator.control.mutate({ do: 'addReplica', vm, type }).ids[0] ?? ''

test('of a machine that is not there yet: waited for, taken once it runs, and deleted alone', async () => {
  await story.apply(manifest('CloudSnapshot', 'first', ofVm('db')))
  const waiting = await story.reason('cloudsnapshot', 'first', 'WaitingForDependency')
  expect(message(waiting)).toContain('CloudVM db does not exist yet')
  expect(waiting.metadata.finalizers ?? []).toEqual([])
  const since = lastCall(story)
  await story.apply(manifest('CloudVM', 'db', SMALL_VM))
  const taken = await story.ready('cloudsnapshot', 'first')
  db = idOf(await story.ready('cloudvm', 'db'))
  expect(sent(story, since).slice(1)).toEqual([['POST /user-resource/vm/replica', { uuid: db }]])
  const [copy] = copiesOf(story, db)
  const [bootDisk] = cloudRow(story, 'vms', db)?.['storage'] as string[]
  expect(taken.status).toMatchObject({
    id: copy?.uuid,
    type: 'snapshot',
    sizeGiB: 20,
    vm: { name: 'db', id: db },
    diskID: bootDisk,
    takenAt: expect.stringMatching(/^\d{4}-\d\d-\d\d /) as string,
    location: story.simulator.location,
    account: { name: 'default', userID: story.account.userId },
  })
  expect(taken.status).not.toHaveProperty('operation')
  expect(message(taken)).toBe('The snapshot is available.')

  const before = cloudRow(story, 'vms', db)
  const gone = lastCall(story)
  await remove('first')
  await story.gone('cloudsnapshot', 'first')
  expect(sent(story, gone)).toEqual([['DELETE /user-resource/vm/replica', { replica_uuid: copy?.uuid }]])
  expect(copiesOf(story, db)).toEqual([])
  expect(cloudRow(story, 'vms', db)).toEqual(before)
}, 120_000)

test('five at once, of two machines, one of them off: each gets its own', async () => {
  await story.edit('cloudvm', 'web', { spec: { powerState: 'Stopped' } })
  const names = ['a', 'b', 'c', 'd', 'e']
  const since = lastCall(story)
  await story.apply(...names.map((name, at) => manifest('CloudSnapshot', name, ofVm(at < 3 ? 'db' : 'web'))))
  const ids: string[] = []
  for (const name of names) ids.push(idOf(await story.ready('cloudsnapshot', name)))
  expect(callsTo(story, TAKE, since)).toBe(5)
  expect(ids.slice(0, 3).sort()).toEqual([...copyIDs(story, db)].sort())
  expect(ids.slice(3).sort()).toEqual([...copyIDs(story, web)].sort())
  await story.run('delete', 'cloudsnapshot', ...names)
  expect(copyIDs(story, db)).toEqual([])
  expect(callsTo(story, DROP, since)).toBe(5)
  await story.edit('cloudvm', 'web', { spec: { powerState: 'Running' } })
  await story.ready('cloudvm', 'web')
}, 120_000)

test('of a machine that is busy: told, and taken once it is not; its deletion waits the same way', async () => {
  const { control } = story.simulator
  control.mutate({ do: 'setVm', uuid: db, set: { busy: true } })
  await story.apply(manifest('CloudSnapshot', 'later', ofVm('db')))
  const waiting = await story.reason('cloudsnapshot', 'later', 'WaitingForCloud')
  expect(message(waiting)).toContain('take a snapshot of CloudVM db')
  expect(copiesOf(story, db)).toEqual([])
  control.mutate({ do: 'setVm', uuid: db, set: { busy: false } })
  const id = idOf(await story.ready('cloudsnapshot', 'later'))
  expect(copyIDs(story, db)).toEqual([id])
  control.mutate({ do: 'setVm', uuid: db, set: { busy: true } })
  await remove('later')
  await story.until('cloudsnapshot', 'later', 'waiting', (each) => {
    return conditionOf(each, 'Ready')?.reason === 'WaitingForCloud'
  })
  control.mutate({ do: 'setVm', uuid: db, set: { busy: false } })
  await story.gone('cloudsnapshot', 'later')
  expect(copiesOf(story, db)).toEqual([])
}, 120_000)

test('fifty taken over, half of them backups: no call about them while nothing happens', async () => {
  const { control } = story.simulator
  const ids = Array.from({ length: 50 }, (_, at) => add(db, at % 2 === 0 ? 'snapshot' : 'backup'))
  const all = ids.map((id, at) => manifest('CloudSnapshot', `n${at}`, ofVm('db', { adopt: { id } })))
  await story.apply(...all)
  for (const at of ids.keys()) await story.ready('cloudsnapshot', `n${at}`)
  const backup = await story.ready('cloudsnapshot', 'n1')
  expect(backup.status).toMatchObject({ id: ids[1], type: 'backup', vm: { name: 'db', id: db } })

  const lists = (since: number) =>
    control.calls({ since }).filter(({ path }) => path.endsWith('/vm/list')).length
  for (const sparse of [false, true]) {
    control.setRule('sparseVmRows', sparse)
    const since = lastCall(story)
    await expect.poll(() => lists(since), { timeout: 60_000 }).toBeGreaterThanOrEqual(4)
    expect(copyReads(story, since)).toBe(0)
    expect(sent(story, since)).toEqual([])
  }
  control.setRule('sparseVmRows', false)
  const after = await story.ready('cloudsnapshot', 'n1')
  expect(after.metadata.resourceVersion).toBe(backup.metadata.resourceVersion)
  const since = lastCall(story)
  await lookedAt(story, 'cloudsnapshot', 'n1')
  expect(copyReads(story, since)).toBe(1)

  // What was taken over stays, unless it is said otherwise.
  await story.edit('cloudsnapshot', 'n1', { spec: { lifecycle: { onDelete: 'Delete' } } })
  await story.ready('cloudsnapshot', 'n1')
  await story.run('delete', 'cloudsnapshot', ...ids.map((_, at) => `n${at}`))
  expect(sent(story, since)).toEqual([['DELETE /user-resource/vm/replica', { replica_uuid: ids[1] }]])
  expect([...copyIDs(story, db)].sort()).toEqual(ids.filter((id) => id !== ids[1]).sort())
}, 240_000)

test('taking over one of another machine names both; one that nobody has is said to be missing', async () => {
  const id = add(web, 'backup')
  await story.apply(manifest('CloudSnapshot', 'wrong', ofVm('db', { adopt: { id } })))
  const wrong = await story.reason('cloudsnapshot', 'wrong', 'ReferenceInvalid')
  expect(message(wrong)).toContain(`CloudVM db (${db})`)
  expect(message(wrong)).toContain(web)
  expect(wrong.status).not.toHaveProperty('id')
  await story.edit('cloudsnapshot', 'wrong', { spec: { vmRef: { name: 'web' } } })
  expect(idOf(await story.ready('cloudsnapshot', 'wrong'))).toBe(id)

  await story.apply(manifest('CloudSnapshot', 'second', ofVm('web', { adopt: { id } })))
  expect(message(await story.reason('cloudsnapshot', 'second', 'AdoptionConflict'))).toContain('wrong')
  await story.apply(manifest('CloudSnapshot', 'nobody', ofVm('web', { adopt: { id: 'none' } })))
  expect(message(await story.reason('cloudsnapshot', 'nobody', 'NotFoundToAdopt'))).toContain('spec.adopt.id')
  await story.run('delete', 'cloudsnapshot', 'wrong', 'second', 'nobody')
  expect(copyIDs(story, web)).toEqual([id])
}, 120_000)

test('kept with Retain', async () => {
  await story.apply(manifest('CloudSnapshot', 'kept', ofVm('web', { lifecycle: { onDelete: 'Retain' } })))
  const id = idOf(await story.ready('cloudsnapshot', 'kept'))
  const since = lastCall(story)
  await story.run('delete', 'cloudsnapshot', 'kept')
  expect(sent(story, since)).toEqual([])
  expect(copyIDs(story, web)).toContain(id)
})

test('made while the operator was away, of a machine at rest: taken after its start', async () => {
  await story.operator.stop('SIGTERM')
  await story.apply(manifest('CloudSnapshot', 'away', ofVm('web')))
  story.operator = await story.start()
  await story.ready('cloudsnapshot', 'away')
}, 120_000)

test('deleted in the cloud: said once and held; its object is then deleted without a call', async () => {
  const id = idOf(await story.ready('cloudsnapshot', 'away'))
  await dropBehind(story, id)
  const lost = await story.reason('cloudsnapshot', 'away', 'ExternallyDeleted')
  expect(message(lost)).toContain(id)
  const since = lastCall(story)
  await story.run('delete', 'cloudsnapshot', 'away')
  expect(sent(story, since)).toEqual([])
}, 120_000)

test('a machine is deleted once its snapshots are; none is taken of it meanwhile', async () => {
  await story.apply(manifest('CloudSnapshot', 'holds', ofVm('web')))
  await story.ready('cloudsnapshot', 'holds')
  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'web', '--wait=false')
  const held = await story.until('cloudvm', 'web', 'held', (each) => {
    return conditionOf(each, 'Ready')?.reason === 'WaitingForDependents'
  })
  expect(message(held)).toContain('CloudSnapshot holds')
  await story.apply(manifest('CloudSnapshot', 'late', ofVm('web')))
  const late = await story.reason('cloudsnapshot', 'late', 'WaitingForDependency')
  expect(message(late)).toContain('CloudVM web is being deleted')
  expect(sent(story, since)).toEqual([])
  await story.run('delete', 'cloudsnapshot', 'holds', 'late')
  await story.gone('cloudvm', 'web')
  const calls = sent(story, since).map(([call]) => call)
  expect(calls[0]).toBe(DROP.join(' '))
  expect(calls.at(-1)).toBe('DELETE /user-resource/vm')
}, 120_000)

test('a machine deleted in the cloud takes its snapshots along: said of each, and let go without a call', async () => {
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM), manifest('CloudSnapshot', 'brief', ofVm('brief')))
  await story.ready('cloudsnapshot', 'brief')
  const id = idOf(await story.ready('cloudvm', 'brief'))
  story.simulator.control.mutate({ do: 'delete', kind: 'vm', id })
  await story.reason('cloudvm', 'brief', 'ExternallyDeleted')
  await story.reason('cloudsnapshot', 'brief', 'ExternallyDeleted')
  const since = lastCall(story)
  await story.run('delete', 'cloudsnapshot', 'brief')
  await story.run('delete', 'cloudvm', 'brief')
  expect(sent(story, since)).toEqual([])
}, 120_000)

test('where no list shows it, one deleted in the cloud is found by the read that is due once an hour', async () => {
  // The hour is three seconds here.
  const sparse = await startStory('snapshot-hourly', { durations: { exactMs: 3_000 } })
  onTestFinished(() => endOrderly(sparse))
  sparse.simulator.control.setRule('sparseVmRows', true)
  await sparse.apply(manifest('CloudVM', 'db', SMALL_VM), manifest('CloudSnapshot', 'lost', ofVm('db')))
  const taken = await sparse.ready('cloudsnapshot', 'lost')
  const since = lastCall(sparse)
  await expect.poll(() => copyReads(sparse, since), { timeout: 60_000 }).toBe(1)
  expect((await sparse.ready('cloudsnapshot', 'lost')).metadata.resourceVersion).toBe(
    taken.metadata.resourceVersion,
  )
  await dropBehind(sparse, idOf(taken))
  await sparse.reason('cloudsnapshot', 'lost', 'ExternallyDeleted')
}, 120_000)

test('a disk is made from a snapshot of another disk, by its id; one that is not there is told by its field', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudDisk', 'golden', { sizeGiB: 10, snapshotsOnDelete: 'Delete' }))
  const golden = idOf(await story.ready('clouddisk', 'golden'))
  control.mutate({ do: 'snapshotDisk', disk: golden })
  await lookedAt(story, 'clouddisk', 'golden')
  const shown = await story.until('clouddisk', 'golden', 'showing its snapshot', (each) => {
    return (each.status?.['snapshots'] as unknown[] | undefined)?.length === 1
  })
  const [snapshot] = shown.status?.['snapshots'] as { id: string }[]
  const spec = (snapshotID: string | undefined) => ({ sizeGiB: 15, source: { snapshotID } })
  await story.apply(manifest('CloudDisk', 'copy', spec('not-a-snapshot')))
  const refused = await story.reason('clouddisk', 'copy', 'InvalidSpec')
  expect(message(refused)).toMatch(/^spec\.source\.snapshotID: .*not-a-snapshot/)
  const since = lastCall(story)
  await story.edit('clouddisk', 'copy', { spec: spec(snapshot?.id) })
  const copy = await story.ready('clouddisk', 'copy')
  expect(sent(story, since)).toMatchObject([
    [
      'POST /storage/disks',
      { source_image_type: 'SNAPSHOT', source_image: snapshot?.id, size_gb: expect.anything() as unknown },
    ],
  ])
  expect(cloudRow(story, 'disks', idOf(copy))).toMatchObject({ source: snapshot?.id, sizeGib: 15 })
  const frozen = await story.refused([
    'patch',
    'clouddisk',
    'copy',
    '--type=merge',
    `--patch=${JSON.stringify({ spec: spec('another') })}`,
  ])
  expect(frozen).toContain('source is immutable')
}, 120_000)
