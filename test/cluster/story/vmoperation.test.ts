/** Operations on machines: each of the four, and everything that keeps one from beginning. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import {
  calls,
  confirmed,
  ended,
  hoursFromNow,
  operation,
  REBUILD,
  REINSTALL,
  RESCUE,
  START,
  STOP,
  text,
  words,
} from './operations.ts'
import { annotate, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const PASSWORD = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'password' },
  stringData: { text: 'Correct1horse' },
})
const SET_PASSWORD = 'PATCH /user-resource/vm/user'

let story: Story
/** Identity of the machine web. */
let web: string
beforeAll(async () => {
  story = await startStory('vmoperation')
  const password = { passwordSecretRef: { name: 'password', key: 'text' } }
  await story.apply(PASSWORD, manifest('CloudVM', 'web', { ...SMALL_VM, ...password, powerState: 'Running' }))
  web = idOf(await story.ready('cloudvm', 'web'))
})
afterAll(() => endOrderly(story))

const token = () => cloudRow(story, 'disks', bootDisk())?.['dataToken']
const bootDisk = () => (cloudRow(story, 'vms', web)?.['storage'] as string[])[0]
const remove = (name: string) => story.run('delete', 'cloudvmoperation', name)

test('a restart: stopped and started once; finished, it does nothing more', async () => {
  const since = lastCall(story)
  await story.apply(operation('again', 'web', { restart: {} }))
  const done = await ended(story, 'again', 'Complete')
  expect(calls(story, since)).toEqual(text(STOP, START))
  expect(sent(story, since)).toEqual([
    ['POST /user-resource/vm/stop', { uuid: web, force: 'false' }],
    ['POST /user-resource/vm/start', { uuid: web }],
  ])
  expect(cloudRow(story, 'vms', web)).toMatchObject({ status: 'running' })
  expect(done.status).toMatchObject({ id: web, vm: { name: 'web', id: web }, sent: ['stop'] })
  expect(conditionOf(done, 'Ready')).toMatchObject({ status: 'True', reason: 'Complete' })
  expect(words(done)).toBe('The virtual machine was stopped and started; it runs.')
  await lookedAt(story, 'cloudvmoperation', 'again')
  await story.operator.stop('SIGKILL')
  story.operator = await story.start()
  await story.ready('cloudvm', 'web')
  await lookedAt(story, 'cloudvmoperation', 'again')
  expect(calls(story, since)).toEqual(text(STOP, START))
  await remove('again')
  expect(await story.refused(['patch', 'cloudvmoperation', 'again', '--type=merge', '--patch={}'])).toContain(
    'not found',
  )
  await story.ready('cloudvm', 'web')
}, 120_000)

test('a rescue: stopped, and booted from the rescue system once', async () => {
  const since = lastCall(story)
  await story.apply(operation('rescue', 'web', { rescue: {} }))
  const done = await ended(story, 'rescue', 'Complete')
  expect(calls(story, since)).toEqual(text(STOP, RESCUE))
  expect(words(done)).toContain('runs the rescue system')
  await story.ready('cloudvm', 'web')
  expect(calls(story, since)).toEqual(text(STOP, RESCUE))
  await remove('rescue')
}, 120_000)

test('a reinstall: the disk holds something else, and the password is set once more', async () => {
  const before = token()
  const since = lastCall(story)
  const image = { os: 'debian', version: '12' }
  await story.apply(operation('anew', 'web', { reinstall: { image }, ...confirmed(web) }))
  const done = await ended(story, 'anew', 'Complete')
  expect(words(done)).toBe('The operating system was installed anew.')
  expect(token()).not.toBe(before)
  const vm = await story.until('cloudvm', 'web', 'its password set again', (each) => {
    const applied = each.status?.['passwordApplied'] as { operations?: string[] } | undefined
    return applied?.operations?.includes(done.metadata.uid) === true
  })
  await story.ready('cloudvm', 'web')
  expect(vm.status).toMatchObject({ image })
  expect(sent(story, since).map(([call, { os_name, os_version }]) => [call, os_name, os_version])).toEqual([
    ['POST /user-resource/vm/reinstall', 'debian', '12'],
    [SET_PASSWORD, undefined, undefined],
  ])
  await remove('anew')
  await lookedAt(story, 'cloudvm', 'web')
  expect(calls(story, since)).toEqual([...text(REINSTALL), SET_PASSWORD])
}, 120_000)

test('a rebuild: put back to a snapshot of the same machine, and the password set once more', async () => {
  await story.apply(manifest('CloudSnapshot', 'nightly', { vmRef: { name: 'web' } }))
  const snapshot = await story.ready('cloudsnapshot', 'nightly')
  const before = token()
  const since = lastCall(story)
  const rebuild = { snapshotRef: { name: 'nightly' } }
  await story.apply(operation('back', 'web', { rebuild, ...confirmed(web) }))
  const done = await ended(story, 'back', 'Complete')
  expect(words(done)).toBe('The boot disk was put back to CloudSnapshot nightly.')
  expect(token()).not.toBe(before)
  await story.until('cloudvm', 'web', 'its password set again', (each) => {
    const applied = each.status?.['passwordApplied'] as { operations?: string[] } | undefined
    return applied?.operations?.includes(done.metadata.uid) === true
  })
  expect(sent(story, since)[0]).toEqual([
    'POST /user-resource/vm/rebuild',
    { uuid: web, replica_uuid: snapshot.status?.['id'] },
  ])
  expect(calls(story, since)).toEqual([...text(REBUILD), SET_PASSWORD])
  await remove('back')
}, 120_000)

test('the wrong machine confirmed, the time over or too far away, an unknown image: nothing is done', async () => {
  const before = token()
  const since = lastCall(story)
  const other = '00000000-0000-4000-8000-000000000000'
  const soon = hoursFromNow(1)
  await story.apply(
    operation('wrong', 'web', { reinstall: {}, confirmVMID: other, expiresAt: soon }),
    operation('late', 'web', { reinstall: {}, confirmVMID: web, expiresAt: hoursFromNow(-0.1) }),
    operation('early', 'web', { reinstall: {}, confirmVMID: web, expiresAt: hoursFromNow(8 * 24) }),
  )
  const wrong = await ended(story, 'wrong', 'Failed')
  expect(conditionOf(wrong, 'Failed')?.reason).toBe('InvalidSpec')
  expect(words(wrong)).toContain(other)
  expect(words(wrong)).toContain(web)
  for (const name of ['late', 'early']) {
    const late = await ended(story, name, 'Failed')
    expect(conditionOf(late, 'Stalled')?.reason).toBe('Expired')
    expect(late.status).not.toHaveProperty('startedAt')
  }
  expect(calls(story, since)).toEqual([])
  expect(token()).toBe(before)

  const image = { os: 'ubuntu', version: '99' }
  await story.apply(operation('unknown', 'web', { reinstall: { image }, ...confirmed(web) }))
  const unknown = await ended(story, 'unknown', 'Failed')
  expect(conditionOf(unknown, 'Failed')?.reason).toBe('InvalidSpec')
  expect(words(unknown)).toMatch(/^spec\.reinstall\.image: .*make a new CloudVMOperation/)
  expect(calls(story, since)).toEqual(text(REINSTALL))
  expect(token()).toBe(before)
  // What never began can be corrected, and what was sent cannot.
  await story.edit('cloudvmoperation', 'late', { spec: { expiresAt: soon } })
  await ended(story, 'late', 'Complete')
  expect(calls(story, since).filter((call) => call === text(REINSTALL)[0])).toHaveLength(2)
  expect(
    await story.refused([
      'patch',
      'cloudvmoperation',
      'unknown',
      '--type=merge',
      '--patch={"spec":{"expiresAt":"2030-01-01T00:00:00Z"}}',
    ]),
  ).toContain('an operation runs once')
  await remove('late')
  await story.ready('cloudvm', 'web')
}, 120_000)

test('the same manifest applied again: done again before it expires, and nothing after', async () => {
  const since = lastCall(story)
  const seconds = 15
  const expiresAt = new Date(Date.now() + seconds * 1_000).toISOString()
  const anew = operation('gitops', 'web', { reinstall: {}, confirmVMID: web, expiresAt })
  for (const times of [1, 2]) {
    await story.apply(anew)
    await ended(story, 'gitops', 'Complete')
    await story.apply(anew)
    expect(calls(story, since).filter((call) => call === text(REINSTALL)[0])).toHaveLength(times)
    await remove('gitops')
  }
  await expect.poll(() => Date.now() > Date.parse(expiresAt), { timeout: seconds * 1_000 }).toBe(true)
  await story.apply(anew)
  const late = await ended(story, 'gitops', 'Failed')
  expect(conditionOf(late, 'Stalled')?.reason).toBe('Expired')
  expect(calls(story, since).filter((call) => call === text(REINSTALL)[0])).toHaveLength(2)
  await remove('gitops')
  await story.ready('cloudvm', 'web')
}, 120_000)

test('a snapshot of another machine: refused, nothing sent; one that is not there yet: waited for', async () => {
  await story.apply(
    manifest('CloudVM', 'db', SMALL_VM),
    manifest('CloudSnapshot', 'of-db', { vmRef: { name: 'db' } }),
  )
  await story.ready('cloudsnapshot', 'of-db')
  const since = lastCall(story)
  const rebuild = (name: string) => ({ rebuild: { snapshotRef: { name } }, ...confirmed(web) })
  await story.apply(
    operation('foreign', 'web', rebuild('of-db')),
    operation('early', 'web', rebuild('later')),
  )
  const foreign = await ended(story, 'foreign', 'Failed')
  expect(conditionOf(foreign, 'Failed')?.reason).toBe('ReferenceInvalid')
  expect(words(foreign)).toContain('CloudSnapshot of-db is of the virtual machine db')
  const waiting = await story.reason('cloudvmoperation', 'early', 'WaitingForDependency')
  expect(words(waiting)).toContain('CloudSnapshot later does not exist yet')
  // It lets others pass meanwhile.
  await story.apply(operation('passing', 'web', { restart: {} }))
  await ended(story, 'passing', 'Complete')
  expect(calls(story, since)).toEqual(text(STOP, START))
  await remove('early')
}, 120_000)

test('a machine that is to be off, that is off, or that is only observed', async () => {
  const since = lastCall(story)
  await story.edit('cloudvm', 'web', { spec: { powerState: 'Stopped' } })
  await story.reason('cloudvm', 'web', 'Stopped')
  await story.apply(operation('off', 'web', { restart: {} }))
  const off = await ended(story, 'off', 'Failed')
  expect(conditionOf(off, 'Failed')?.reason).toBe('InvalidSpec')
  expect(words(off)).toContain('powerState: Stopped')
  await story.edit('cloudvm', 'web', { spec: { powerState: null } })
  await story.reason('cloudvm', 'web', 'Stopped')
  await story.apply(operation('on', 'web', { restart: {} }))
  expect(words(await ended(story, 'on', 'Complete'))).toBe(
    'The virtual machine was off; it was started and runs.',
  )
  expect(calls(story, since)).toEqual(text(STOP, START))
  await story.edit('cloudvm', 'web', { spec: { lifecycle: { management: 'ObserveOnly' } } })
  await story.apply(operation('watched', 'web', { restart: {} }))
  const watched = await ended(story, 'watched', 'Failed')
  expect(conditionOf(watched, 'Failed')?.reason).toBe('ReferenceInvalid')
  await story.edit('cloudvm', 'web', { spec: { lifecycle: null, powerState: 'Running' } })
  await story.ready('cloudvm', 'web')
  expect(calls(story, since)).toEqual(text(STOP, START))
}, 120_000)

test('paused: nothing begins, and it goes on once it is not', async () => {
  const since = lastCall(story)
  await annotate(story, 'cloudvm', 'web', 'paused', 'true')
  await story.apply(operation('paused', 'web', { restart: {} }))
  const held = await story.reason('cloudvmoperation', 'paused', 'WaitingForCloud')
  expect(words(held)).toContain('CloudVM web is paused')
  await annotate(story, 'cloudvmoperation', 'paused', 'paused', 'true')
  await annotate(story, 'cloudvm', 'web', 'paused')
  await story.until(
    'cloudvmoperation',
    'paused',
    'paused',
    (each) => conditionOf(each, 'Paused') !== undefined,
  )
  await lookedAt(story, 'cloudvmoperation', 'paused')
  expect(calls(story, since)).toEqual([])
  await annotate(story, 'cloudvmoperation', 'paused', 'paused')
  await ended(story, 'paused', 'Complete')
  expect(calls(story, since)).toEqual(text(STOP, START))
}, 120_000)
