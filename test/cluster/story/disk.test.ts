/** Disks: made in each way, attached, moved, grown, renamed, charged, deleted; with exactly the calls that takes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, edited, idOf, sent, type SentCall } from './calls.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const BILLING = [7001, 7002] as const
const CREATE = 'POST /storage/disks'
const ATTACH = 'POST /user-resource/vm/storage/attach'
const DETACH = 'POST /user-resource/vm/storage/detach'
const GROW = 'PATCH /user-resource/vm/storage'

let story: Story
/** Identities of two machines. */
let a: string
let b: string
beforeAll(async () => {
  story = await startStory('disk', { billingAccounts: BILLING })
  await story.apply(manifest('CloudVM', 'a', SMALL_VM), manifest('CloudVM', 'b', SMALL_VM))
  a = idOf(await story.ready('cloudvm', 'a'))
  b = idOf(await story.ready('cloudvm', 'b'))
})
afterAll(async () => {
  expectOrderly(story)
  await story.end()
})

async function made(name: string, spec: Readonly<Record<string, unknown>>): Promise<string> {
  await story.apply(manifest('CloudDisk', name, spec))
  return idOf(await story.ready('clouddisk', name))
}

const diskRow = (id: string) => cloudRow(story, 'disks', id)

/** Deletes it and waits; the calls that took. */
async function removed(name: string): Promise<ReturnType<typeof sent>> {
  const since = lastCall(story)
  await story.run('delete', 'clouddisk', name, '--wait=false')
  await story.gone('clouddisk', name)
  return sent(story, since)
}

test('empty, from an image and as a copy', async () => {
  const since = lastCall(story)
  const empty = await made('empty', { sizeGiB: 10 })
  const image = await made('image', { sizeGiB: 8, source: { image: { os: 'debian', version: '12' } } })
  const copy = await made('copy', { sizeGiB: 12, source: { diskRef: { name: 'empty' } } })
  const common = { billing_account_id: '7001' }
  const named = (name: string) => ({
    ...common,
    display_name: expect.stringMatching(new RegExp(`^${name}-[a-z2-7]{14}$`)) as string,
  })
  expect(sent(story, since)).toEqual([
    [CREATE, { ...named('empty'), size_gb: '10', source_image_type: 'EMPTY' }],
    [CREATE, { ...named('image'), size_gb: '8', source_image_type: 'OS_BASE', source_image: 'debian_12' }],
    [CREATE, { ...named('copy'), size_gb: '12', source_image_type: 'DISK', source_image: empty }],
  ])
  expect(diskRow(empty)).toMatchObject({ sizeGib: 10, sourceType: 'EMPTY' })
  expect(diskRow(image)).toMatchObject({ sizeGib: 8, source: 'debian_12' })
  expect(diskRow(copy)).toMatchObject({ sizeGib: 12, source: empty })
  for (const [name, id] of [
    ['copy', copy],
    ['image', image],
    ['empty', empty],
  ] as const) {
    expect(await removed(name)).toEqual([[`DELETE /storage/disks/${id}`, {}]])
  }
}, 120_000)

test('attached, grown, moved, detached; grown while detached it says what it needs', async () => {
  const id = await made('data', { sizeGiB: 10 })
  const token = diskRow(id)?.['dataToken']
  expect(await edited(story, 'clouddisk', 'data', { vmRef: { name: 'a' } })).toEqual([
    [ATTACH, { uuid: a, storage_uuid: id }],
  ])
  expect((await story.ready('clouddisk', 'data')).status).toMatchObject({
    attachedTo: { name: 'a', id: a },
    device: `/dev/disk/by-id/virtio-${id.slice(0, 20)}`,
    sizeGiB: 10,
  })
  expect(await edited(story, 'clouddisk', 'data', { sizeGiB: 15 })).toEqual([
    [GROW, { uuid: a, disk_uuid: id, size_gb: '15' }],
  ])
  expect(await edited(story, 'clouddisk', 'data', { vmRef: { name: 'b' } })).toEqual([
    [DETACH, { uuid: a, storage_uuid: id }],
    [ATTACH, { uuid: b, storage_uuid: id }],
  ])
  expect((await story.ready('clouddisk', 'data')).status?.['attachedTo']).toEqual({ name: 'b', id: b })
  expect(diskRow(id)).toMatchObject({ attachedTo: b, sizeGib: 15 })
  expect(await edited(story, 'clouddisk', 'data', { vmRef: null })).toEqual([
    [DETACH, { uuid: b, storage_uuid: id }],
  ])
  const free = await story.ready('clouddisk', 'data')
  expect(free.status).not.toHaveProperty('attachedTo')
  expect(free.status).not.toHaveProperty('device')

  const since = lastCall(story)
  await story.edit('clouddisk', 'data', { spec: { sizeGiB: 20 } })
  const needs = await story.until(
    'clouddisk',
    'data',
    'AttachRequired',
    (each) => conditionOf(each, 'UpdatePending')?.reason === 'AttachRequired',
  )
  expect(conditionOf(needs, 'Ready')?.status).toBe('True')
  expect(conditionOf(needs, 'Synced')).toMatchObject({ status: 'False', reason: 'AttachRequired' })
  expect(conditionOf(needs, 'Reconciling')).toBeUndefined()
  await lookedAt(story, 'clouddisk', 'data')
  expect(sent(story, since)).toEqual([])
  expect(await edited(story, 'clouddisk', 'data', { vmRef: { name: 'a' } })).toEqual([
    [ATTACH, { uuid: a, storage_uuid: id }],
    [GROW, { uuid: a, disk_uuid: id, size_gb: '20' }],
  ])
  // Grown and let go in one edit: while it still has its machine.
  expect(await edited(story, 'clouddisk', 'data', { sizeGiB: 25, vmRef: null })).toEqual([
    [GROW, { uuid: a, disk_uuid: id, size_gb: '25' }],
    [DETACH, { uuid: a, storage_uuid: id }],
  ])
  expect(diskRow(id)).toMatchObject({ sizeGib: 25, attachedTo: null, dataToken: token })
  const shrink = JSON.stringify({ spec: { sizeGiB: 20 } })
  expect(await story.refused(['patch', 'clouddisk', 'data', '--type=merge', `--patch=${shrink}`])).toContain(
    'make a smaller CloudDisk and copy the data',
  )
  await edited(story, 'clouddisk', 'data', { vmRef: { name: 'b' } })
  expect(await removed('data')).toEqual([
    [DETACH, { uuid: b, storage_uuid: id }],
    [`DELETE /storage/disks/${id}`, {}],
  ])
}, 180_000)

test('three at once, the answer to one of them late: the others wait only where no name tells them apart', async () => {
  const { control } = story.simulator
  const names = ['one', 'two', 'three']
  const hold = control.hold({ method: 'POST', path: '/storage/disks', point: 'afterCommit' })
  const since = lastCall(story)
  await story.apply(...names.map((name) => manifest('CloudDisk', name, { sizeGiB: 10 })))
  await control.waitHeld(hold.id, 60_000)
  const told = async () => {
    const disks = await Promise.all(names.map((name) => story.get('clouddisk', name)))
    return disks.map((disk) => {
      const { reason, message } = conditionOf(disk as AnyObject, 'Ready') ?? {}
      return `${reason}: ${message?.replace(/^waiting for (?:another create|the create of CloudDisk \w+): /, '')}`
    })
  }
  const others = onProfile(story, 'creates one at a time', {
    extended: () => 'Available: The disk is available.',
    documented: () => 'Creating: this service shows no names, so creates go one at a time',
  })
  await expect
    .poll(async () => (await told()).filter((each) => each === others), { timeout: 30_000 })
    .toHaveLength(2)
  control.release(hold.id, 'answer')
  const ids = await Promise.all(names.map(async (name) => idOf(await story.ready('clouddisk', name))))
  expect(new Set(ids).size).toBe(3)
  expect(sent(story, since).map(([call]) => call)).toEqual(Array(3).fill(CREATE))
}, 120_000)

test('renamed and charged to another billing account', async () => {
  const id = await made('named', { sizeGiB: 10 })
  const name = expect.stringMatching(/^Shop data-[a-z2-7]{14}$/) as string
  const renamed = await edited(story, 'clouddisk', 'named', { name: 'Shop data' })
  const told = onProfile<{ calls: SentCall[]; displayName: string | null }>(story, 'disks without names', {
    extended: () => ({ calls: [[`PATCH /storage/disks/${id}`, { display_name: name }]], displayName: name }),
    documented: () => ({ calls: [], displayName: null }),
  })
  expect(renamed).toEqual(told.calls)
  expect(await edited(story, 'clouddisk', 'named', { billingAccount: BILLING[1] })).toEqual([
    [`PATCH /storage/disks/${id}`, { billing_account_id: '7002' }],
  ])
  expect(diskRow(id)).toMatchObject({ displayName: told.displayName, billingAccount: BILLING[1] })
  expect((await story.ready('clouddisk', 'named')).status?.['billingAccount']).toBe(BILLING[1])
  // Not managed any more: it stays where it is.
  expect(await edited(story, 'clouddisk', 'named', { billingAccount: null })).toEqual([])
}, 120_000)

test('the machine it refers to is deleted, and made anew: detached, alive, attached again', async () => {
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM))
  const first = idOf(await story.ready('cloudvm', 'brief'))
  const id = await made('survivor', { sizeGiB: 10, vmRef: { name: 'brief' } })
  const token = diskRow(id)?.['dataToken']
  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'brief', '--wait=false')
  await story.gone('cloudvm', 'brief')
  expect(sent(story, since).filter(([call]) => call === DETACH)).toEqual([
    [DETACH, { uuid: first, storage_uuid: id }],
  ])
  const waits = await story.reason('clouddisk', 'survivor', 'WaitingForDependency')
  expect(conditionOf(waits, 'Ready')?.message).toBe('spec.vmRef: CloudVM brief does not exist yet')
  expect(waits.status).not.toHaveProperty('attachedTo')
  expect(diskRow(id)).toMatchObject({ attachedTo: null, dataToken: token })
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM))
  const second = idOf(await story.ready('cloudvm', 'brief'))
  const again = await story.ready('clouddisk', 'survivor')
  expect(again.status?.['attachedTo']).toEqual({ name: 'brief', id: second })
  expect(diskRow(id)).toMatchObject({ attachedTo: second, dataToken: token })
}, 180_000)

test('refused in one location, it is made in another after an edit', async () => {
  const since = lastCall(story)
  await story.apply(manifest('CloudDisk', 'elsewhere', { sizeGiB: 10, billingAccount: 9999 }))
  await story.reason('clouddisk', 'elsewhere', 'InvalidSpec')
  const spec = { location: 'sgp01', billingAccount: null }
  const [[call] = []] = (await edited(story, 'clouddisk', 'elsewhere', spec)).slice(-1)
  expect(call).toBe(CREATE)
  const made1 = await story.ready('clouddisk', 'elsewhere')
  expect(made1.status?.['location']).toBe('sgp01')
  expect(diskRow(idOf(made1))).toMatchObject({ location: 'sgp01' })
  expect(sent(story, since)).toHaveLength(2)
}, 120_000)

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message

test('a disk that a machine boots from: it belongs to that one, and each holds the deletion of the other', async () => {
  const { control } = story.simulator
  const before = control.inventory()
  const boot = await made('boot', { sizeGiB: 10, source: { image: { os: 'ubuntu', version: '22.04' } } })
  const { vcpus, memoryMiB, username, publicKey } = SMALL_VM
  const spec = { vcpus, memoryMiB, username, publicKey, source: { diskRef: { name: 'boot' } } }
  const since = lastCall(story)
  await story.apply(manifest('CloudVM', 'booted', spec))
  const vm = await story.ready('cloudvm', 'booted')
  expect(sent(story, since)).toHaveLength(1)
  expect(sent(story, since)[0]?.[1]).toMatchObject({ disk_uuid: boot, reserve_public_ip: 'false' })
  expect(vm.status?.['disks']).toMatchObject([{ id: boot, primary: true }])
  // Grows by its own size, through its machine.
  expect(await edited(story, 'clouddisk', 'boot', { sizeGiB: 30 })).toEqual([
    [GROW, { uuid: idOf(vm), disk_uuid: boot, size_gb: '30' }],
  ])
  await story.edit('clouddisk', 'boot', { spec: { vmRef: { name: 'a' } } })
  const confused = await story.reason('clouddisk', 'boot', 'ReferenceInvalid')
  expect(message(confused)).toMatch(/boots from this disk.*remove vmRef/)
  expect(await edited(story, 'clouddisk', 'boot', { vmRef: null })).toEqual([])

  const quiet = lastCall(story)
  await story.run('delete', 'cloudvm', 'booted', '--wait=false')
  const held = await story.reason('cloudvm', 'booted', 'WaitingForDependents')
  expect(message(held)).toContain('CloudDisk boot')
  await lookedAt(story, 'cloudvm', 'booted')
  expect(sent(story, quiet)).toEqual([])
  await story.run('delete', 'clouddisk', 'boot', '--wait=false')
  await story.gone('cloudvm', 'booted')
  await story.gone('clouddisk', 'boot')
  expect(sent(story, quiet).map(([call]) => call)).toEqual([
    'POST /user-resource/vm/stop',
    'DELETE /user-resource/vm',
  ])
  expect(control.inventory()).toEqual(before)
}, 180_000)
