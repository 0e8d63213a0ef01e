/** Rules on disks: those of a VM, those on their own, and replicas. */
import { describe, expect, test } from 'vitest'
import {
  billing,
  idOf,
  made,
  newDisk,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  without,
  type Api,
  type Form,
  type Json,
} from '../kit.ts'

const storage = '/user-resource/vm/storage'
const replica = '/user-resource/vm/replica'
const disks = '/storage/disks'

const bootDisk = async (api: Api, uuid: string) =>
  idOf(((await readVm(api, uuid))['storage'] as Json[])[0] ?? {})

const newStorage = async (api: Api, uuid: string) =>
  idOf(made(await api.form('POST', storage, { uuid, size_gb: 10 })))

const sizeOf = async (api: Api, form: Form) => {
  const answer = await api.form('POST', disks, { billing_account_id: billing, ...form })
  return answer.status < 300 ? made(answer)['size_gb'] : answer.status
}

/** Something of each kind to copy a disk from. */
async function sources(api: Api): Promise<Record<string, string>> {
  const disk = await newDisk(api, { size_gb: 8 })
  const [snapshot = ''] = api.simulator.control.mutate({ do: 'snapshotDisk', disk }).ids
  return { OS_BASE: 'debian_12', DISK: disk, SNAPSHOT: snapshot }
}

describe.each(profiles)('disks of a VM, %s', (profile) => {
  test.each(['uuid', 'size_gb'])('a new one needs %s', async (field) => {
    const api = await open({ profile })
    const fields = without({ uuid: await newVm(api), size_gb: 10 }, field)
    const answer = await api.form('POST', storage, fields)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
  })

  test('a disk may keep its size or grow, not shrink', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    const resize = async (size_gb: number) =>
      (await api.form('PATCH', storage, { uuid, disk_uuid: disk, size_gb })).status
    expect([await resize(10), await resize(20), await resize(19), await resize(20)]).toEqual([
      200, 200, 400, 200,
    ])
    expect(made(await api.get(`${disks}/${disk}`))).toMatchObject({ size_gb: 20 })
  })

  test('a resize names the disk disk_uuid', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    const answer = await api.form('PATCH', storage, { uuid, storage_uuid: disk, size_gb: 20 })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('disk_uuid')])
  })

  test.each([
    ['DELETE', '/user-resource/vm/storage'],
    ['POST', '/user-resource/vm/storage/attach'],
    ['POST', '/user-resource/vm/storage/detach'],
  ])('%s %s names the disk storage_uuid', async (method, path) => {
    const api = await open({ profile })
    const answer = await api.form(method, path, { uuid: await newVm(api), disk_uuid: 'x' })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('storage_uuid')])
  })

  test('a primary disk cannot be deleted', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const answer = await api.form('DELETE', storage, { uuid, storage_uuid: await bootDisk(api, uuid) })
    expect(answer.body).toEqual({ errors: { Error: expect.stringContaining('primary') as unknown } })
    expect((await readVm(api, uuid))['storage']).toHaveLength(1)
  })

  test('the data of a deleted disk is lost', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    made(await api.form('DELETE', storage, { uuid, storage_uuid: disk }))
    expect(api.simulator.control.counters().lostDataTokens).toEqual([`disk/${disk}/1`])
  })

  test('a detached disk keeps its data and can be attached again', async () => {
    const api = await open({ profile })
    const [uuid, other] = [await newVm(api), await newVm(api)]
    const disk = await newStorage(api, uuid)
    made(await api.form('POST', `${storage}/detach`, { uuid, storage_uuid: disk }))
    const item = made(await api.form('POST', `${storage}/attach`, { uuid: other, storage_uuid: disk }))
    expect(item).toMatchObject({ uuid: disk, size: 10, primary: false })
    expect(api.simulator.control.counters().lostDataTokens).toEqual([])
  })

  test.each([
    ['PATCH', '/user-resource/vm/storage'],
    ['DELETE', '/user-resource/vm/storage'],
    ['POST', '/user-resource/vm/storage/detach'],
  ])('%s %s needs a disk of this VM', async (method, path) => {
    const api = await open({ profile })
    const [uuid, disk] = [await newVm(api), await newDisk(api)]
    const fields = { uuid, storage_uuid: disk, disk_uuid: disk, size_gb: 50 }
    expect((await api.form(method, path, fields)).status).toBe(400)
  })

  test('a VM has so many disks and no more', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('mostDisksPerVm', 2)
    const [uuid, disk] = [await newVm(api), await newDisk(api)]
    await newStorage(api, uuid)
    expect((await api.form('POST', storage, { uuid, size_gb: 5 })).status).toBe(400)
    expect((await api.form('POST', `${storage}/attach`, { uuid, storage_uuid: disk })).status).toBe(400)
  })

  test.each(['POST', 'PATCH'])('no absurd size of a disk of a VM (%s)', async (method) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const fields = { uuid, disk_uuid: await newStorage(api, uuid), size_gb: 900_000 }
    const answer = await api.form(method, storage, fields)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('size_gb')])
  })
})

describe.each(profiles)('disks on their own, %s', (profile) => {
  test('a new disk is empty by default', async () => {
    const api = await open({ profile })
    const disk = made(await api.get(`${disks}/${await newDisk(api)}`))
    expect(disk).toMatchObject({ source_image_type: 'EMPTY' })
    expect(disk).not.toHaveProperty('source_image')
  })

  test('an empty disk needs a size', async () => {
    const api = await open({ profile })
    expect(await sizeOf(api, {})).toBe(400)
    expect(await sizeOf(api, { source_image_type: 'EMPTY' })).toBe(400)
    expect(await sizeOf(api, { source_image_type: 'EMPTY', size_gb: 4 })).toBe(4)
  })

  test.each([
    ['OS_BASE', 5],
    ['DISK', 8],
    ['SNAPSHOT', 8],
  ])('a copy has the size of its source unless a larger one is given: %s', async (type, size) => {
    const api = await open({ profile })
    const form = { source_image_type: type, source_image: (await sources(api))[type] ?? '' }
    expect(await sizeOf(api, form)).toBe(size)
    expect(await sizeOf(api, { ...form, size_gb: 30 })).toBe(30)
  })

  test.each(['OS_BASE', 'DISK', 'SNAPSHOT'])('a copy names its source: %s', async (type) => {
    const api = await open({ profile })
    const fields = { source_image_type: type, source_image: (await sources(api))[type] ?? '' }
    const form = { billing_account_id: billing, ...fields }
    expect(made(await api.form('POST', disks, form))).toMatchObject(fields)
  })

  test.each(['OS_BASE', 'DISK', 'SNAPSHOT'])('source_image is required: %s', async (type) => {
    const api = await open({ profile })
    const form = { size_gb: 10, billing_account_id: billing, source_image_type: type }
    const answer = await api.form('POST', disks, form)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('source_image')])
  })

  test('an image is named by its system and version', async () => {
    const api = await open({ profile })
    const image = (source_image: string) => sizeOf(api, { source_image_type: 'OS_BASE', source_image })
    expect([await image('ubuntu_22.04'), await image('ubuntu'), await image('ubuntu-22.04')]).toEqual([
      5, 400, 400,
    ])
  })

  test('an unknown kind of source is refused', async () => {
    const api = await open({ profile })
    expect(await sizeOf(api, { size_gb: 5, source_image_type: 'TAPE', source_image: 'x' })).toBe(400)
  })

  test('what a disk holds is shown by get and list, not by create', async () => {
    const api = await open({ profile })
    const disk = made(await api.form('POST', disks, { size_gb: 5, billing_account_id: billing }))
    expect(disk).not.toHaveProperty('snapshots')
    expect(made(await api.get(`${disks}/${idOf(disk)}`))).toHaveProperty('snapshots', [])
    expect(rows(await api.get(disks))[0]).toHaveProperty('snapshots', [])
  })

  test('a snapshot has the size of its disk when it was taken', async () => {
    const api = await open({ profile })
    const disk = await newDisk(api, { size_gb: 8 })
    const { ids } = api.simulator.control.mutate({ do: 'snapshotDisk', disk })
    const { snapshots } = made(await api.get(`${disks}/${disk}`))
    expect(snapshots).toEqual([expect.objectContaining({ uuid: ids[0], sizeGb: 8, disk_uuid: disk })])
  })

  test('a change sets the billing account and needs it', async () => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const path = `${disks}/${await newDisk(own, { billing_account_id: 5 })}`
    expect(made(await own.form('PATCH', path, { billing_account_id: 6 }))['billing_account_id']).toBe(6)
    expect((await own.form('PATCH', path, {})).status).toBe(400)
  })

  test('a deleted disk takes its data and its snapshots along', async () => {
    const api = await open({ profile })
    const { DISK: disk = '', SNAPSHOT: snapshot = '' } = await sources(api)
    const answer = await api.bare('DELETE', `${disks}/${disk}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(api.simulator.control.counters().lostDataTokens).toEqual([`disk/${disk}/1`])
    expect(await sizeOf(api, { source_image_type: 'SNAPSHOT', source_image: snapshot })).toBe(400)
  })

  test('no absurd size of a disk', async () => {
    const api = await open({ profile })
    expect(await sizeOf(api, { size_gb: 900_000 })).toBe(400)
    expect(await sizeOf(api, { size_gb: 16_384 })).toBe(16_384)
  })
})

describe.each(profiles)('replicas, %s', (profile) => {
  test('taking one answers with the disk and all its replicas', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', replica, { uuid })
    const item = made(await api.form('POST', replica, { uuid }))
    expect(item).toMatchObject({ uuid: await bootDisk(api, uuid), primary: true })
    expect(item['replica']).toEqual(rows(await api.get(`${replica}?uuid=${uuid}`)))
    expect(item['replica']).toHaveLength(2)
  })

  test.each([
    ['snapshot by default', '', ['snapshot']],
    ['snapshot', '&r_type=snapshot', ['snapshot']],
    ['backup', '&r_type=backup', ['backup']],
  ])('the list is of one type: %s', async (_how, query, types) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', replica, { uuid })
    api.simulator.control.mutate({ do: 'addReplica', vm: uuid, type: 'backup' })
    const listed = rows(await api.get(`${replica}?uuid=${uuid}${query}`))
    expect(listed.map((row) => row['type'])).toEqual(types)
  })

  test('deleting takes one by its id', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', replica, { uuid })
    await api.form('POST', replica, { uuid })
    const [gone, kept] = rows(await api.get(`${replica}?uuid=${uuid}`))
    const answer = await api.form('DELETE', replica, { replica_uuid: idOf(gone ?? {}) })
    expect(made(answer)).toEqual({ success: true })
    expect(rows(await api.get(`${replica}?uuid=${uuid}`))).toEqual([kept])
    expect((await api.form('DELETE', replica, { uuid: idOf(kept ?? {}) })).text).toContain('replica_uuid')
  })
})
