/** Every field of a virtual machine that can be edited is edited, becomes so, and takes exactly the calls it needs. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, edited, idOf, sent } from './calls.ts'
import { expectOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('vm')))
afterAll(async () => {
  expectOrderly(story)
  await story.end()
})

const STOP = 'POST /user-resource/vm/stop'
const START = 'POST /user-resource/vm/start'
const PATCH = 'PATCH /user-resource/vm'
const PASSWORD = 'PATCH /user-resource/vm/user'

/** A machine that is Ready; its identity. */
async function made(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  await story.apply(manifest('CloudVM', name, { ...SMALL_VM, ...more }))
  return idOf(await story.ready('cloudvm', name))
}

const vmRow = (id: string) => cloudRow(story, 'vms', id)
/** What a stop is sent with. */
const asked = (uuid: string) => ({ uuid, force: 'false' })
const cut = (uuid: string) => ({ uuid, force: 'true' })
const ready = (object: AnyObject) => conditionOf(object, 'Ready')

test('name, size, boot disk and backups', async () => {
  const id = await made('edited')
  expect(await edited(story, 'cloudvm', 'edited', { name: 'Renamed' })).toEqual([
    [PATCH, { uuid: id, name: 'Renamed' }],
  ])
  expect(await edited(story, 'cloudvm', 'edited', { vcpus: 2, memoryMiB: 2048 })).toEqual([
    [STOP, asked(id)],
    [PATCH, { uuid: id, vcpu: '2', ram: '2048' }],
    [START, { uuid: id }],
  ])
  expect(await edited(story, 'cloudvm', 'edited', { memoryMiB: 4096 })).toEqual([
    [STOP, asked(id)],
    [PATCH, { uuid: id, ram: '4096' }],
    [START, { uuid: id }],
  ])
  const [disk] = vmRow(id)?.['storage'] as string[]
  expect(await edited(story, 'cloudvm', 'edited', { bootDisk: { sizeGiB: 40 } })).toEqual([
    ['PATCH /user-resource/vm/storage', { uuid: id, disk_uuid: disk, size_gb: '40' }],
  ])
  const toggled = [['POST /user-resource/vm/backup', { uuid: id }]]
  expect(await edited(story, 'cloudvm', 'edited', { backups: 'Enabled' })).toEqual(toggled)
  expect(vmRow(id)).toMatchObject({ backup: true })
  expect(await edited(story, 'cloudvm', 'edited', { backups: 'Disabled' })).toEqual(toggled)
  // Not managed any more: nothing to do.
  expect(await edited(story, 'cloudvm', 'edited', { backups: null })).toEqual([])

  expect(vmRow(id)).toMatchObject({
    name: 'Renamed',
    status: 'running',
    vcpu: 2,
    memoryMib: 4096,
    backup: false,
  })
  expect(cloudRow(story, 'disks', disk)).toMatchObject({ sizeGib: 40 })
  const now = await story.ready('cloudvm', 'edited')
  expect(now.status).toMatchObject({ powerState: 'Running', bootDiskGiB: 40 })
  expect(now.status).not.toHaveProperty('resize')
  expect(now.status).not.toHaveProperty('operation')
  const shrink = JSON.stringify({ spec: { bootDisk: { sizeGiB: 30 } } })
  expect(await story.refused(['patch', 'cloudvm', 'edited', '--type=merge', `--patch=${shrink}`])).toContain(
    'copy the data',
  )
}, 180_000)

test('powerState: stopped, resized while off, started', async () => {
  const id = await made('power')
  expect(await edited(story, 'cloudvm', 'power', { powerState: 'Stopped' })).toEqual([[STOP, asked(id)]])
  const off = await story.ready('cloudvm', 'power')
  expect(ready(off)?.reason).toBe('Stopped')
  expect(off.status).toMatchObject({ powerState: 'Stopped' })
  expect(await edited(story, 'cloudvm', 'power', { vcpus: 3 })).toEqual([[PATCH, { uuid: id, vcpu: '3' }]])
  // Not managed: it stays off.
  expect(await edited(story, 'cloudvm', 'power', { powerState: null, vcpus: 2 })).toEqual([
    [PATCH, { uuid: id, vcpu: '2' }],
  ])
  expect(vmRow(id)).toMatchObject({ status: 'stopped', vcpu: 2 })
  expect(await edited(story, 'cloudvm', 'power', { powerState: 'Running' })).toEqual([[START, { uuid: id }]])
  expect(vmRow(id)).toMatchObject({ status: 'running' })
  // Stopped and another size in one edit: off once, and never started.
  expect(await edited(story, 'cloudvm', 'power', { powerState: 'Stopped', memoryMiB: 2048 })).toEqual([
    [STOP, asked(id)],
    [PATCH, { uuid: id, ram: '2048' }],
  ])
}, 180_000)

/** Sets the password in the Secret; the version it has then. */
async function secret(value: string): Promise<string> {
  const data = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { pw: value } }
  await story.apply(JSON.stringify(data))
  const secretNow = await story.get('secret', 'login')
  return secretNow?.metadata.resourceVersion ?? ''
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const applied = (object: AnyObject) =>
  (object.status?.['passwordApplied'] as { secretVersion: string } | undefined)?.secretVersion

test('a rotated password is set once within an interval; off, it waits for the start', async () => {
  const first = await secret('First1Password')
  const id = await made('login', { passwordSecretRef: { name: 'login', key: 'pw' }, powerState: 'Running' })
  expect(applied(await story.ready('cloudvm', 'login'))).toBe(first)
  expect(vmRow(id)).toMatchObject({ passwordSha256: sha256('First1Password') })

  let since = lastCall(story)
  const second = await secret('Second2Password')
  await story.until('cloudvm', 'login', 'second password', (each) => applied(each) === second)
  await lookedAt(story, 'cloudvm', 'login')
  const set = [PASSWORD, { uuid: id, username: 'admin', password: '[redacted]' }]
  expect(sent(story, since)).toEqual([set])
  expect(vmRow(id)).toMatchObject({ passwordSha256: sha256('Second2Password') })

  await edited(story, 'cloudvm', 'login', { powerState: 'Stopped' })
  since = lastCall(story)
  const third = await secret('Third3Password')
  const waits = await story.until(
    'cloudvm',
    'login',
    'StartRequired',
    (each) => conditionOf(each, 'UpdatePending')?.reason === 'StartRequired',
  )
  expect(ready(waits)).toMatchObject({ status: 'True', reason: 'Stopped' })
  expect(conditionOf(waits, 'Synced')).toMatchObject({ status: 'False', reason: 'StartRequired' })
  expect(sent(story, since)).toEqual([])
  expect(await edited(story, 'cloudvm', 'login', { powerState: 'Running' })).toEqual([
    [START, { uuid: id }],
    set,
  ])
  const now = await story.ready('cloudvm', 'login')
  expect(applied(now)).toBe(third)
  expect(conditionOf(now, 'UpdatePending')).toBeUndefined()
  expect(vmRow(id)).toMatchObject({ passwordSha256: sha256('Third3Password') })
}, 180_000)

test('a guest that does not shut down: reported, and forced only where the spec says so', async () => {
  const { control } = story.simulator
  const polite = { stop: { mode: 'Graceful', timeoutSeconds: 1 } }
  const [deaf, later, sudden] = [
    await made('deaf', polite),
    await made('later', { stop: { mode: 'GracefulThenForce', timeoutSeconds: 1 } }),
    await made('sudden', { stop: { mode: 'Force' } }),
  ]
  control.setRule('acpiIgnored', [deaf, later, sudden])
  const since = lastCall(story)
  await story.edit('cloudvm', 'deaf', { spec: { powerState: 'Stopped' } })
  const stuck = await story.until(
    'cloudvm',
    'deaf',
    'told what to do',
    (each) => ready(each)?.message.includes('GracefulThenForce') ?? false,
  )
  expect(ready(stuck)).toMatchObject({ status: 'Unknown', reason: 'WaitingForCloud' })
  expect(ready(stuck)?.message).toMatch(/still runs after spec.stop.timeoutSeconds; shut it down from inside/)
  await lookedAt(story, 'cloudvm', 'deaf')
  expect(sent(story, since)).toEqual([[STOP, asked(deaf)]])
  expect(await edited(story, 'cloudvm', 'deaf', { stop: { mode: 'GracefulThenForce' } })).toEqual([
    [STOP, cut(deaf)],
  ])

  expect(await edited(story, 'cloudvm', 'later', { powerState: 'Stopped' })).toEqual([
    [STOP, asked(later)],
    [STOP, cut(later)],
  ])
  expect(await edited(story, 'cloudvm', 'sudden', { powerState: 'Stopped' })).toEqual([[STOP, cut(sudden)]])
  control.setRule('acpiIgnored', false)
  const states = control.inventory(story.account.apiKey).vms
  expect(states.filter((each) => each['status'] === 'stopped').map((each) => each['uuid'])).toEqual(
    expect.arrayContaining([deaf, later, sudden]),
  )
}, 180_000)

test('a resize of a guest that does not shut down is forced once and ends running at the new size', async () => {
  const id = await made('forced', { stop: { mode: 'GracefulThenForce', timeoutSeconds: 1 } })
  story.simulator.control.setRule('acpiIgnored', [id])
  expect(await edited(story, 'cloudvm', 'forced', { vcpus: 2 })).toEqual([
    [STOP, asked(id)],
    [STOP, cut(id)],
    [PATCH, { uuid: id, vcpu: '2' }],
    [START, { uuid: id }],
  ])
  expect(vmRow(id)).toMatchObject({ status: 'running', vcpu: 2 })
  story.simulator.control.setRule('acpiIgnored', false)
}, 120_000)

test('a size above the quota: started again at the old one, said so, and never stopped again for it', async () => {
  const { control } = story.simulator
  const id = await made('greedy', { powerState: 'Running' })
  const used = control
    .inventory(story.account.apiKey)
    .vms.reduce((sum, each) => sum + Number(each['vcpu']), 0)
  control.setQuota({ vcpus: used + 2 })
  const since = lastCall(story)
  await story.edit('cloudvm', 'greedy', { spec: { vcpus: 8 } })
  const stalled = await story.reason('cloudvm', 'greedy', 'QuotaExceeded')
  expect(conditionOf(stalled, 'Stalled')?.status).toBe('True')
  expect(ready(stalled)?.message).toMatch(/8 CPUs.*Quota exceeded.*set another size/)
  await story.until('cloudvm', 'greedy', 'Running', (each) => each.status?.['powerState'] === 'Running')
  const attempt = [
    [STOP, asked(id)],
    [PATCH, { uuid: id, vcpu: '8' }],
    [START, { uuid: id }],
  ]
  expect(sent(story, since)).toEqual(attempt)
  for (let looks = 0; looks < 2; looks++) await lookedAt(story, 'cloudvm', 'greedy')
  expect(sent(story, since)).toEqual(attempt)
  expect(vmRow(id)).toMatchObject({ status: 'running', vcpu: 1 })

  expect(await edited(story, 'cloudvm', 'greedy', { vcpus: 2 })).toEqual([
    [STOP, asked(id)],
    [PATCH, { uuid: id, vcpu: '2' }],
    [START, { uuid: id }],
  ])
  control.setQuota({ vcpus: 10_000 })
  expect((await story.ready('cloudvm', 'greedy')).status).not.toHaveProperty('resize')
}, 180_000)

test('an address reserved with a machine is recorded, and gone after its deletion', async () => {
  const { control } = story.simulator
  const before = control.inventory()
  const id = await made('public', { publicIP: 'Reserve' })
  const status = (await story.ready('cloudvm', 'public')).status
  const addresses = control.inventory(story.account.apiKey).floatingIps
  const own = addresses.find((each) => each['assignedTo'] === id)
  expect(status?.['reservedIP']).toEqual({ id: String(own?.['id']), address: own?.['address'] })
  expect(status?.['publicIPs']).toEqual([own?.['address']])
  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'public', '--wait=false')
  await story.gone('cloudvm', 'public')
  expect(sent(story, since).map(([call]) => call)).toEqual([
    STOP,
    'DELETE /user-resource/vm',
    `DELETE /network/ip_addresses/${String(own?.['address'])}`,
  ])
  expect(control.inventory()).toEqual(before)
}, 120_000)

test('deleting a machine first detaches every disk that is not its own: no data is lost', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const id = await made('holder')
  await story.apply(manifest('CloudDisk', 'kept', { sizeGiB: 10, vmRef: { name: 'holder' } }))
  const disk = idOf(await story.ready('clouddisk', 'kept'))
  const [stranger = ''] = control.mutate({ do: 'create', kind: 'disk', apiKey }).ids
  control.mutate({ do: 'attachDisk', vm: id, disk: stranger })
  const [boot = ''] = vmRow(id)?.['storage'] as string[]
  const tokens = [disk, stranger].map((each) => cloudRow(story, 'disks', each)?.['dataToken'])

  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'holder', '--wait=false')
  await story.gone('cloudvm', 'holder')
  const calls = sent(story, since)
  const detach = 'POST /user-resource/vm/storage/detach'
  expect(calls.filter(([call]) => call === detach)).toHaveLength(2)
  expect(calls).toContainEqual([detach, { uuid: id, storage_uuid: disk }])
  expect(calls).toContainEqual([detach, { uuid: id, storage_uuid: stranger }])
  expect(calls.at(-1)).toEqual(['DELETE /user-resource/vm', { uuid: id }])

  expect(cloudRow(story, 'disks', boot)).toBeUndefined()
  expect([disk, stranger].map((each) => cloudRow(story, 'disks', each)?.['dataToken'])).toEqual(tokens)
  const { lostDataTokens } = control.counters()
  expect(lostDataTokens).toContain(`disk/${boot}/1`)
  expect(lostDataTokens.filter((each) => tokens.includes(each))).toEqual([])
  const kept = await story.until('clouddisk', 'kept', 'detached', (each) => !each.status?.['attachedTo'])
  expect(idOf(kept)).toBe(disk)
  expect(await edited(story, 'clouddisk', 'kept', { vmRef: null })).toEqual([])
}, 120_000)
