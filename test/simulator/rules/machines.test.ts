/** Rules on VMs that are there: reading, changing, power, copies, deleting. */
import { describe, expect, test } from 'vitest'
import {
  errorText,
  idOf,
  made,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  stopVm,
  without,
  type Api,
  type Form,
  type Json,
} from '../kit.ts'

const vm = '/user-resource/vm'
const unknown = 'f0000000-0000-4000-8000-000000000000'

const addresses = async (api: Api) =>
  rows(await api.get('/network/ip_addresses')).map((ip) => ip['assigned_to'] ?? null)

async function newReplica(api: Api, uuid: string): Promise<string> {
  const item = made(await api.form('POST', `${vm}/replica`, { uuid }))
  return idOf((item['replica'] as Json[]).at(-1) ?? {})
}

describe.each(profiles)('finding a VM, %s', (profile) => {
  test.each([
    ['GET', '/user-resource/vm', {}],
    ['PATCH', '/user-resource/vm', { name: 'x' }],
    ['DELETE', '/user-resource/vm', {}],
    ['PATCH', '/user-resource/vm/user', { username: 'ada', password: 'Secret123' }],
    ['POST', '/user-resource/vm/start', {}],
    ['POST', '/user-resource/vm/stop', {}],
    ['POST', '/user-resource/vm/rescue_start', {}],
    ['POST', '/user-resource/vm/reinstall', {}],
    ['POST', '/user-resource/vm/backup', {}],
    ['POST', '/user-resource/vm/clone', { name: 'x' }],
    ['POST', '/user-resource/vm/rebuild', { replica_uuid: 'x' }],
    ['POST', '/user-resource/vm/replica', {}],
    ['POST', '/user-resource/vm/storage', { size_gb: 5 }],
    ['DELETE', '/user-resource/vm/ip/public', {}],
    ['POST', '/user-resource/vm/ip/public', {}],
  ] as [string, string, Form][])('%s %s names a VM that is not there', async (method, path, fields) => {
    const api = await open({ profile })
    const answer =
      method === 'GET'
        ? await api.get(`${path}?uuid=${unknown}`)
        : await api.form(method, path, { uuid: unknown, ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ errors: { Error: `No such virtual machine exists: ${unknown}` } })
  })

  test('reading takes the uuid from the query', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect(made(await api.get(`${vm}?uuid=${uuid}`))).toMatchObject({ uuid })
    expect((await api.get(vm)).status).toBe(400)
  })
})

describe.each(profiles)('changing a VM, %s', (profile) => {
  test('only name, vcpu and ram can be changed', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { description: 'first' })
    await stopVm(api, uuid)
    const before = await readVm(api, uuid)
    const others = {
      description: 'x',
      hostname: 'x',
      username: 'x',
      os_name: 'debian',
      backup: true,
      disks: 50,
    }
    const after = made(await api.form('PATCH', vm, { uuid, name: 'new', vcpu: 4, ram: 4096, ...others }))
    const changed = ['name', 'vcpu', 'memory', 'updated_at']
    expect(after).toMatchObject({ name: 'new', vcpu: 4, memory: 4096 })
    expect(without(after, ...changed)).toEqual(without(before, ...changed))
  })

  test('the name can change while the VM runs', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect(made(await api.form('PATCH', vm, { uuid, name: 'new' }))).toMatchObject({
      name: 'new',
      status: 'running',
    })
  })

  test.each(['vcpu', 'ram'])('%s cannot change while the VM runs', async (field) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const before = await readVm(api, uuid)
    const answer = await api.form('PATCH', vm, { uuid, name: 'new', [field]: 4 })
    expect(answer.body).toEqual({ errors: { Error: expect.stringContaining('stopped') as unknown } })
    expect(await readVm(api, uuid)).toEqual(before)
  })

  test.each(['vcpu', 'ram'])('%s can shrink', async (field) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    const record = made(await api.form('PATCH', vm, { uuid, [field]: 1 }))
    expect(record).toHaveProperty(field === 'ram' ? 'memory' : field, 1)
  })

  test.each([
    ['vcpu', 500],
    ['ram', 900_000],
  ])('no absurd %s after a change', async (field, value) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    const answer = await api.form('PATCH', vm, { uuid, [field]: value })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
  })

  test.each(['username', 'password'])('a new password needs %s', async (field) => {
    const api = await open({ profile })
    const fields = { uuid: await newVm(api), username: 'ada', password: 'Secret123' }
    const answer = await api.form('PATCH', `${vm}/user`, without(fields, field))
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
  })

  test('a password cannot change while the VM is stopped', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    const answer = await api.form('PATCH', `${vm}/user`, { uuid, username: 'ada', password: 'Secret123' })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ errors: { Error: expect.stringContaining('running') as unknown } })
  })

  test('backups are switched on and off by the same call', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const seen: unknown[] = []
    for (let n = 0; n < 3; n += 1) seen.push(made(await api.form('POST', `${vm}/backup`, { uuid }))['backup'])
    expect(seen).toEqual([true, false, true])
  })
})

describe.each(profiles)('power, %s', (profile) => {
  test.each<[string, Form]>([
    ['by default', {}],
    ['with force false', { force: false }],
  ])('a stop asks the guest: %s', async (_how, fields) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    api.simulator.control.setRule('acpiIgnored', true)
    expect(made(await api.form('POST', `${vm}/stop`, { uuid, ...fields }))).toMatchObject({
      status: 'running',
    })
  })

  test('a stop with force asks nobody', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    api.simulator.control.setRule('acpiIgnored', true)
    const record = made(await api.form('POST', `${vm}/stop`, { uuid, force: true }))
    expect(record).toMatchObject({ uuid, status: 'stopped' })
  })

  test('rescue mode is over with the next start', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const rescue = () => api.simulator.control.inventory().vms[0]?.['rescue']
    await stopVm(api, uuid)
    await api.form('POST', `${vm}/rescue_start`, { uuid })
    expect(rescue()).toBe(true)
    await stopVm(api, uuid)
    await api.form('POST', `${vm}/start`, { uuid })
    expect(rescue()).toBe(false)
  })
})

describe.each(profiles)('copies, %s', (profile) => {
  test.each<[string, Form, string]>([
    ['all by default', {}, 'ubuntu_22.04'],
    ['the version by default', { os_name: 'ubuntu' }, 'ubuntu_22.04'],
    ['the name by default', { os_version: '24.04' }, 'ubuntu_24.04'],
    ['both given', { os_name: 'debian', os_version: '12' }, 'debian_12'],
    ['base_os_image given', { base_os_image: 'rocky_9' }, 'rocky_9'],
  ])('the system of a reinstall: %s', async (_how, fields, image) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const record = made(await api.form('POST', `${vm}/reinstall`, { uuid, ...fields }))
    expect(`${String(record['os_name'])}_${String(record['os_version'])}`).toBe(image)
  })

  test('a clone needs a name and has it', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect((await api.form('POST', `${vm}/clone`, { uuid })).status).toBe(400)
    const clone = made(await api.form('POST', `${vm}/clone`, { uuid, name: 'twin' }))
    expect(clone).toMatchObject({ name: 'twin' })
    expect(idOf(clone)).not.toBe(uuid)
  })

  test('a clone has disks of its own', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const clone = made(await api.form('POST', `${vm}/clone`, { uuid, name: 'twin' }))
    const [theirs, ours] = [clone['storage'], (await readVm(api, uuid))['storage']] as Json[][]
    expect(theirs?.[0]).toMatchObject({ size: ours?.[0]?.['size'], primary: true })
    expect(theirs?.[0]?.['uuid']).not.toBe(ours?.[0]?.['uuid'])
  })

  test('a rebuild needs a replica of the VM itself', async () => {
    const api = await open({ profile })
    const [uuid, other] = [await newVm(api), await newVm(api)]
    const replica_uuid = await newReplica(api, other)
    expect((await api.form('POST', `${vm}/rebuild`, { uuid })).text).toContain('replica_uuid')
    expect((await api.form('POST', `${vm}/rebuild`, { uuid, replica_uuid })).status).toBe(400)
    expect(api.simulator.control.counters().lostDataTokens).toEqual([])
  })

  test('a rebuild restores what the replica holds', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const replica_uuid = await newReplica(api, uuid)
    made(await api.form('POST', `${vm}/reinstall`, { uuid, os_name: 'debian', os_version: '12' }))
    const record = made(await api.form('POST', `${vm}/rebuild`, { uuid, replica_uuid }))
    expect(record).toMatchObject({ os_name: 'ubuntu', os_version: '22.04', status: 'running' })
    expect(rows(await api.get('/storage/disks'))[0]).toMatchObject({ source_image: 'ubuntu_22.04' })
  })

  test('a rebuild throws away what was there', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const replica_uuid = await newReplica(api, uuid)
    const [boot] = api.simulator.control.inventory().disks
    made(await api.form('POST', `${vm}/rebuild`, { uuid, replica_uuid }))
    expect(api.simulator.control.counters().lostDataTokens).toEqual([boot?.['dataToken']])
  })
})

describe.each(profiles)('public addresses by the deprecated way, %s', (profile) => {
  test('a released address stays reserved', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    made(await api.form('DELETE', `${vm}/ip/public`, { uuid }))
    expect(await addresses(api)).toEqual([null])
  })

  test('a VM without an address has none to release', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { reserve_public_ip: false })
    expect((await api.form('DELETE', `${vm}/ip/public`, { uuid })).status).toBe(400)
  })

  test('a reserved address is new, assigned, and not in the answer', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { reserve_public_ip: false })
    const answer = await api.form('POST', `${vm}/ip/public`, { uuid })
    const [ip] = rows(await api.get('/network/ip_addresses'))
    expect(ip).toMatchObject({ assigned_to: uuid })
    expect(answer.text).not.toContain(idOf(ip ?? {}, 'address'))
  })
})

test.each(['delete', 'start'])(
  'the message for a VM that is not there ends with its uuid: %s',
  async (how) => {
    const api = await open({ profile: 'documented' })
    const answer =
      how === 'delete'
        ? await api.form('DELETE', vm, { uuid: unknown })
        : await api.form('POST', `${vm}/start`, { uuid: unknown })
    expect(errorText(answer).endsWith(unknown)).toBe(true)
  },
)
