import { describe, expect, test } from 'vitest'
import {
  billing,
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
  type Json,
} from './kit.ts'

const storage = '/user-resource/vm/storage'

describe.each(profiles)('disks of a VM, %s', (profile) => {
  test('a new one is attached, and in the disk list', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const item = made(await api.form('POST', storage, { uuid, size_gb: 30 }))
    expect(item).toMatchObject({ name: 'vdb', primary: false, size: 30, type: 'block', user_id: 1001 })
    const disks = (await readVm(api, uuid))['storage'] as Json[]
    expect(disks.map((disk) => disk['uuid'])).toContain(item['uuid'])
    const listed = rows(await api.get('/storage/disks')).find((disk) => disk['uuid'] === item['uuid'])
    expect(listed).toMatchObject({ size_gb: 30, source_image_type: 'EMPTY', billing_account_id: billing })
  })

  test('a disk grows, also the boot disk of a running VM, and never shrinks', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [boot] = (await readVm(api, uuid))['storage'] as Json[]
    const fields = { uuid, disk_uuid: idOf(boot ?? {}) }
    expect(made(await api.form('PATCH', storage, { ...fields, size_gb: 40 }))).toMatchObject({ size: 40 })
    expect((await api.form('PATCH', storage, { ...fields, size_gb: 40 })).status).toBe(200)
    const refused = await api.form('PATCH', storage, { ...fields, size_gb: 39 })
    expect(refused.status).toBe(400)
    expect(errorText(refused)).toMatch(/40/)
    expect(api.simulator.control.counters().preconditionsViolated).toBe(1)
    expect(rows(await api.get('/storage/disks'))[0]).toMatchObject({ size_gb: 40 })
  })

  test('a resize says disk_uuid, all others say storage_uuid', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const id = idOf(made(await api.form('POST', storage, { uuid, size_gb: 5 })))
    expect(errorText(await api.form('PATCH', storage, { uuid, storage_uuid: id, size_gb: 6 }))).toBeTruthy()
    expect((await api.form('PATCH', storage, { uuid, storage_uuid: id, size_gb: 6 })).text).toContain(
      'disk_uuid',
    )
    expect((await api.form('DELETE', storage, { uuid, disk_uuid: id })).text).toContain('storage_uuid')
  })

  test('a deleted one is gone with its data', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const id = idOf(made(await api.form('POST', storage, { uuid, size_gb: 5 })))
    expect(made(await api.form('DELETE', storage, { uuid, storage_uuid: id }))).toEqual({ success: true })
    expect(rows(await api.get('/storage/disks')).map((disk) => disk['uuid'])).not.toContain(id)
    expect(api.simulator.control.counters().lostDataTokens).toEqual([`disk/${id}/1`])
  })

  test('a deleted one can stay in the disk list', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('storageDeleteLeavesDisk', true)
    const uuid = await newVm(api)
    const id = idOf(made(await api.form('POST', storage, { uuid, size_gb: 5 })))
    made(await api.form('DELETE', storage, { uuid, storage_uuid: id }))
    expect((await readVm(api, uuid))['storage']).toHaveLength(1)
    expect(rows(await api.get('/storage/disks')).map((disk) => disk['uuid'])).toContain(id)
  })

  test.each(['DELETE', 'POST'])('the primary disk stays (%s)', async (method) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [boot] = (await readVm(api, uuid))['storage'] as Json[]
    const path = method === 'DELETE' ? storage : `${storage}/detach`
    const answer = await api.form(method, path, { uuid, storage_uuid: idOf(boot ?? {}) })
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/primary/)
  })

  test('attach and detach move a disk between VMs of its location', async () => {
    const api = await open({ profile })
    const [one, two] = [await newVm(api), await newVm(api)]
    const disk = await newDisk(api)
    const attach = (uuid: string) => api.form('POST', `${storage}/attach`, { uuid, storage_uuid: disk })
    expect(made(await attach(one))).toMatchObject({ uuid: disk, name: 'vdb', primary: false })
    expect((await attach(two)).status).toBe(400)
    expect((await attach(one)).status).toBe(400)
    const detach = await api.form('POST', `${storage}/detach`, { uuid: one, storage_uuid: disk })
    expect(made(detach)).toEqual({ success: true })
    expect((await api.form('POST', `${storage}/detach`, { uuid: one, storage_uuid: disk })).status).toBe(400)
    expect((await attach(two)).status).toBe(200)
  })

  test('a disk of another location cannot be attached', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const form = { size_gb: 5, billing_account_id: billing }
    const disk = idOf(made(await api.form('POST', '/sgp01/storage/disks', form)))
    expect((await api.form('POST', `${storage}/attach`, { uuid, storage_uuid: disk })).status).toBe(400)
  })

  test("the VM's record can show an attach late", async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('attachLagMs', 60_000)
    const uuid = await newVm(api)
    const disk = await newDisk(api)
    made(await api.form('POST', `${storage}/attach`, { uuid, storage_uuid: disk }))
    expect((await readVm(api, uuid))['storage']).toHaveLength(1)
    made(await api.form('POST', `${storage}/detach`, { uuid, storage_uuid: disk }))
    expect((await readVm(api, uuid))['storage']).toHaveLength(2)
  })
})

describe.each(profiles)('replicas, %s', (profile) => {
  test('a replica belongs to the boot disk; its id is the disk id and the time', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const item = made(await api.form('POST', '/user-resource/vm/replica', { uuid }))
    const [replica] = rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`))
    expect(item['replica']).toEqual([replica])
    expect(replica).toMatchObject({
      master_uuid: item['uuid'],
      master_id: item['id'],
      size: 20,
      type: 'snapshot',
    })
    expect(String(replica?.['uuid']).slice(36)).toMatch(/^\d{4}(-\d\d){5}$/)
    expect(String(replica?.['uuid']).startsWith(idOf(item))).toBe(true)
  })

  test('two of one second have two ids', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', '/user-resource/vm/replica', { uuid })
    await api.form('POST', '/user-resource/vm/replica', { uuid })
    const ids = rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`)).map(
      (replica) => replica['uuid'],
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('the list shows snapshots unless another type is asked for', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const made = api.simulator.control.mutate({ do: 'addReplica', vm: uuid, type: 'backup' })
    expect(rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`))).toEqual([])
    const backups = rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}&r_type=backup`))
    expect(backups.map((replica) => replica['uuid'])).toEqual(made.ids)
  })

  test('a deleted replica is gone, an unknown one is refused', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', '/user-resource/vm/replica', { uuid })
    const [replica] = rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`))
    const fields = { replica_uuid: idOf(replica ?? {}) }
    expect(made(await api.form('DELETE', '/user-resource/vm/replica', fields))).toEqual({ success: true })
    expect(rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`))).toEqual([])
    expect(rows(await api.get('/storage/disks'))[0]).toMatchObject({ snapshots: [] })
    expect((await api.form('DELETE', '/user-resource/vm/replica', fields)).status).toBe(400)
  })

  test('a VM can be made from a replica, with the size of its source', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', '/user-resource/vm/replica', { uuid })
    const [replica] = rows(await api.get(`/user-resource/vm/replica?uuid=${uuid}`))
    const form = without(vmForm({ name: 'copy' }), 'os_name', 'os_version', 'disks', 'vcpu', 'ram')
    const fields = { ...form, source_uuid: uuid, source_replica: idOf(replica ?? {}) }
    const copy = made(await api.form('POST', '/user-resource/vm', fields))
    expect(copy).toMatchObject({
      name: 'copy',
      os_name: 'ubuntu',
      os_version: '22.04',
      vcpu: 2,
      memory: 2048,
    })
    expect((await api.form('POST', '/user-resource/vm', { ...form, source_uuid: uuid })).status).toBe(400)
  })
})

describe.each(profiles)('the deprecated public address operations, %s', (profile) => {
  test('release keeps the address, reserve assigns a new one', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect(made(await api.form('DELETE', '/user-resource/vm/ip/public', { uuid }))).toMatchObject({ uuid })
    expect(rows(await api.get('/network/ip_addresses'))).toEqual([
      expect.objectContaining({ assigned_to: null }),
    ])
    const vm = made(await api.form('POST', '/user-resource/vm/ip/public', { uuid }))
    const ips = rows(await api.get('/network/ip_addresses'))
    expect(ips.map((ip) => ip['assigned_to'])).toEqual([null, uuid])
    expect(JSON.stringify(vm)).not.toContain(String(ips[1]?.['address']))
  })
})
