/** Replicas, disks of a VM, and disks on their own. */
import { expect } from 'vitest'
import { billing, idOf, made, newDisk, newVm, readVm, rows, type Api, type Json } from '../kit.ts'
import { idsOf, type Exercises } from './exercise.ts'
import { newReplica } from './machines.ts'

const replica = '/user-resource/vm/replica'
const storage = '/user-resource/vm/storage'
const disks = '/storage/disks'

const newStorage = async (api: Api, uuid: string) =>
  idOf(made(await api.form('POST', storage, { uuid, size_gb: 30 })))

const disksOn = async (api: Api, uuid: string) => idsOf((await readVm(api, uuid))['storage'] as Json[])

export const storageExercises = {
  'GET /user-resource/vm/replica': async ({ api }) => {
    const uuid = await newVm(api)
    const id = await newReplica(api, uuid)
    expect(idsOf(rows(await api.get(`${replica}?uuid=${uuid}`)))).toEqual([id])
  },
  'POST /user-resource/vm/replica': async ({ api }) => {
    const uuid = await newVm(api)
    const item = made(await api.form('POST', replica, { uuid }))
    expect(await disksOn(api, uuid)).toEqual([item['uuid']])
    expect(item['replica']).toEqual([expect.objectContaining({ master_uuid: item['uuid'] })])
    expect(rows(await api.get(`${replica}?uuid=${uuid}`))).toEqual(item['replica'])
  },
  'DELETE /user-resource/vm/replica': async ({ api }) => {
    const uuid = await newVm(api)
    const replica_uuid = await newReplica(api, uuid)
    expect(made(await api.form('DELETE', replica, { replica_uuid }))).toEqual({ success: true })
    expect(rows(await api.get(`${replica}?uuid=${uuid}`))).toEqual([])
  },
  'POST /user-resource/vm/storage': async ({ api }) => {
    const uuid = await newVm(api)
    const item = made(await api.form('POST', storage, { uuid, size_gb: 30 }))
    expect(item).toMatchObject({ size: 30, primary: false })
    expect(await disksOn(api, uuid)).toContain(item['uuid'])
  },
  'PATCH /user-resource/vm/storage': async ({ api }) => {
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    const fields = { uuid, disk_uuid: disk, size_gb: 31 }
    expect(made(await api.form('PATCH', storage, fields))).toMatchObject({ uuid: disk, size: 31 })
    expect(made(await api.get(`${disks}/${disk}`))).toMatchObject({ size_gb: 31 })
  },
  'DELETE /user-resource/vm/storage': async ({ api }) => {
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    const answer = await api.form('DELETE', storage, { uuid, storage_uuid: disk })
    expect(made(answer)).toEqual({ success: true })
    expect(await disksOn(api, uuid)).not.toContain(disk)
  },
  'POST /user-resource/vm/storage/attach': async ({ api }) => {
    const [uuid, disk] = [await newVm(api), await newDisk(api)]
    const item = made(await api.form('POST', `${storage}/attach`, { uuid, storage_uuid: disk }))
    expect(item).toMatchObject({ uuid: disk, primary: false })
    expect(await disksOn(api, uuid)).toContain(disk)
  },
  'POST /user-resource/vm/storage/detach': async ({ api }) => {
    const uuid = await newVm(api)
    const disk = await newStorage(api, uuid)
    const answer = await api.form('POST', `${storage}/detach`, { uuid, storage_uuid: disk })
    expect(made(answer)).toEqual({ success: true })
    expect(await disksOn(api, uuid)).not.toContain(disk)
    expect((await api.get(`${disks}/${disk}`)).status).toBe(200)
  },
  'POST /storage/disks': async ({ api }) => {
    const form = { size_gb: 12, billing_account_id: billing }
    const disk = made(await api.form('POST', disks, form))
    expect(disk).toMatchObject({ size_gb: 12, billing_account_id: billing, status: 'Active' })
    expect(idsOf(rows(await api.get(disks)))).toEqual([idOf(disk)])
  },
  'GET /storage/disks': async ({ api }) => {
    expect(rows(await api.get(disks))).toEqual([])
    const uuids = [await newDisk(api), await newDisk(api)]
    expect(idsOf(rows(await api.get(disks)))).toEqual(uuids)
  },
  'GET /storage/disks/:uuid': async ({ api }) => {
    const uuid = await newDisk(api, { size_gb: 13 })
    expect(made(await api.get(`${disks}/${uuid}`))).toMatchObject({ uuid, size_gb: 13, snapshots: [] })
  },
  'PATCH /storage/disks/:uuid': async ({ api }) => {
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const path = `${disks}/${await newDisk(own, { billing_account_id: 5 })}`
    const changed = made(await own.form('PATCH', path, { billing_account_id: 6 }))
    expect(changed).toMatchObject({ billing_account_id: 6 })
    expect(made(await own.get(path))).toMatchObject({ billing_account_id: 6 })
  },
  'DELETE /storage/disks/:uuid': async ({ api }) => {
    const uuid = await newDisk(api)
    const answer = await api.bare('DELETE', `${disks}/${uuid}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(rows(await api.get(disks))).toEqual([])
  },
} satisfies Partial<Exercises>
