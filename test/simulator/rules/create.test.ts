/** Rules on making a VM: its nineteen parameters, each on its own. */
import { describe, expect, test } from 'vitest'
import {
  errorText,
  idOf,
  made,
  newDisk,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  vmForm,
  without,
  type Api,
  type Form,
  type Json,
} from '../kit.ts'

const vm = '/user-resource/vm'

const stateOf = (api: Api, uuid: string) =>
  api.simulator.control.inventory().vms.find((row) => row['uuid'] === uuid) ?? expect.fail('no VM')

async function refusal(api: Api, form: Form): Promise<string> {
  const answer = await api.form('POST', vm, form)
  expect(answer.status, answer.text).toBe(400)
  return answer.text
}

async function newReplica(api: Api, uuid: string): Promise<string> {
  const item = made(await api.form('POST', `${vm}/replica`, { uuid }))
  return idOf((item['replica'] as Json[])[0] ?? {})
}

describe.each(profiles)('parameters of a new VM, %s', (profile) => {
  test.each([
    ['name', 'a b', 'name', 'a b'],
    ['description', 'who made it and why', 'description', 'who made it and why'],
    ['os_name', 'debian', 'os_name', 'debian'],
    ['os_version', '24.04', 'os_version', '24.04'],
    ['vcpu', 3, 'vcpu', 3],
    ['ram', 3072, 'memory', 3072],
    ['username', 'ada', 'username', 'ada'],
    ['backup', true, 'backup', true],
    ['billing_account_id', 2001, 'billing_account', 2001],
  ])('%s is in the record', async (parameter, value, field, shown) => {
    const api = await open({ profile })
    const version: Form = value === 'debian' ? { os_version: '12' } : {}
    const uuid = await newVm(api, { ...version, [parameter]: value })
    expect(await readVm(api, uuid)).toHaveProperty(field, shown)
  })

  test('disks is the size of the boot disk', async () => {
    const api = await open({ profile })
    const [boot, ...others] = (await readVm(api, await newVm(api, { disks: 25 })))['storage'] as Json[]
    expect(others).toEqual([])
    expect(boot).toMatchObject({ primary: true, size: 25 })
  })

  test('disks must be empty beside disk_uuid', async () => {
    const api = await open({ profile })
    const disk_uuid = await newDisk(api)
    expect(await refusal(api, vmForm({ disk_uuid }))).toContain('disks')
    expect((await api.form('POST', vm, vmForm({ disk_uuid, disks: '' }))).status).toBe(200)
  })

  test('password is kept, and never shown', async () => {
    const api = await open({ profile })
    const answer = await api.form('POST', vm, vmForm({ password: 'Unusual-99' }))
    expect(answer.text).not.toContain('Unusual-99')
    expect(stateOf(api, idOf(made(answer)))['passwordSha256']).toMatch(/^[0-9a-f]{64}$/)
  })

  test('public_key is kept', async () => {
    const api = await open({ profile })
    const key = 'ssh-ed25519 AAAA+/x= someone@example.com'
    expect(stateOf(api, await newVm(api, { public_key: key }))).toMatchObject({ publicKey: key })
  })

  test('backup is off by default', async () => {
    const api = await open({ profile })
    expect(await readVm(api, await newVm(api))).toMatchObject({ backup: false })
  })

  test('designated_pool_uuid chooses among the pools of the list', async () => {
    const api = await open({ profile })
    for (const { uuid } of rows(await api.get('/user-resource/host_pool/list'))) {
      const machine = await newVm(api, { designated_pool_uuid: String(uuid) })
      expect(await readVm(api, machine)).toMatchObject({ designated_pool_uuid: uuid })
    }
    expect(await refusal(api, vmForm({ designated_pool_uuid: 'none' }))).toContain('designated_pool_uuid')
  })

  test('designated_pool_uuid is that of the default pool by default', async () => {
    const api = await open({ profile })
    const pools = rows(await api.get('/user-resource/host_pool/list'))
    const home = pools.find((pool) => pool['is_default_designated'] === true)
    const record = await readVm(api, await newVm(api))
    expect(record).toMatchObject({
      designated_pool_uuid: home?.['uuid'],
      designated_pool_name: home?.['name'],
    })
  })

  test.each(['source_uuid', 'source_replica'])('%s does not go without the other', async (field) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const both: Form = { source_uuid: uuid, source_replica: await newReplica(api, uuid) }
    const form = { ...vmForm(), ...both }
    expect(await refusal(api, without(form, field))).toContain(field)
    expect((await api.form('POST', vm, form)).status).toBe(200)
  })

  test('source_replica must be one of source_uuid', async () => {
    const api = await open({ profile })
    const [one, two] = [await newVm(api), await newVm(api)]
    const form = vmForm({ source_uuid: two, source_replica: await newReplica(api, one) })
    expect(await refusal(api, form)).toContain('source_replica')
  })

  test('source_replica can be a backup', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [backup = ''] = api.simulator.control.mutate({ do: 'addReplica', vm: uuid, type: 'backup' }).ids
    await newVm(api, { source_uuid: uuid, source_replica: backup })
    expect(rows(await api.get(`${vm}/list`))).toHaveLength(2)
  })

  test('disk_uuid becomes the boot disk', async () => {
    const api = await open({ profile })
    const disk_uuid = await newDisk(api, { size_gb: 17 })
    const record = await readVm(api, await newVm(api, { disk_uuid, disks: '' }))
    expect(record['storage']).toEqual([expect.objectContaining({ uuid: disk_uuid, primary: true, size: 17 })])
  })

  test('disk_uuid must be unattached', async () => {
    const api = await open({ profile })
    const [uuid, disk_uuid] = [await newVm(api), await newDisk(api)]
    made(await api.form('POST', `${vm}/storage/attach`, { uuid, storage_uuid: disk_uuid }))
    expect(await refusal(api, vmForm({ disk_uuid, disks: '' }))).toContain('disk_uuid')
  })

  test.each([
    ['by default', undefined, 1],
    ['true', true, 1],
    ['false', false, 0],
  ])('reserve_public_ip %s', async (_how, value, count) => {
    const api = await open({ profile })
    const uuid = await newVm(api, value === undefined ? {} : { reserve_public_ip: value })
    expect(rows(await api.get(`/network/ip_addresses?vm_uuid=${uuid}`))).toHaveLength(count)
  })

  test('network_uuid is where the VM is made', async () => {
    const api = await open({ profile })
    const network = idOf(made(await api.bare('POST', '/network/network?name=back')))
    const uuid = await newVm(api, { network_uuid: network })
    expect(made(await api.get(`/network/network/${network}`))['vm_uuids']).toEqual([uuid])
  })

  test.each<[string, Form]>([
    ['missing', {}],
    ['empty', { network_uuid: '' }],
  ])('network_uuid %s means the default network', async (_how, fields) => {
    const api = await open({ profile })
    await api.bare('POST', '/network/network?name=back')
    const uuid = await newVm(api, fields)
    const networks = rows(await api.get('/network/networks'))
    expect(networks.map((network) => network['vm_uuids'])).toEqual([[uuid], []])
  })

  test.each(['runcmd', 'write_files'])('cloud_init may have %s', async (part) => {
    const api = await open({ profile })
    const cloud_init = JSON.stringify({ [part]: [] })
    expect(stateOf(api, await newVm(api, { cloud_init }))).toMatchObject({ cloudInit: cloud_init })
  })

  test.each(['packages', 'users', 'ssh_authorized_keys'])('cloud_init may not have %s', async (part) => {
    const api = await open({ profile })
    expect(await refusal(api, vmForm({ cloud_init: JSON.stringify({ [part]: [] }) }))).toContain(part)
  })

  test('cloud_init is JSON', async () => {
    const api = await open({ profile })
    expect(await refusal(api, vmForm({ cloud_init: 'runcmd: [ls]' }))).toContain('cloud_init')
  })

  test.each([
    ['vcpu', 65],
    ['vcpu', 0],
    ['ram', 262_145],
    ['ram', 0],
    ['disks', 900_000],
    ['disks', 0],
  ])('an absurd size is refused: %s %i', async (field, value) => {
    const api = await open({ profile })
    expect(await refusal(api, vmForm({ [field]: value }))).toMatch(
      new RegExp(`${field}.*Must be at (most|least)`),
    )
  })
})

test('bounds can be set', async () => {
  const api = await open()
  api.simulator.control.setRule('largestVcpu', 1)
  expect(errorText(await api.form('POST', vm, vmForm()))).toBe('Must be at most 1')
  expect((await api.form('POST', vm, vmForm({ vcpu: 1 }))).status).toBe(200)
})
