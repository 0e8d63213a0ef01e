/** Virtual machines. */
import { expect } from 'vitest'
import { idOf, made, newVm, readVm, rows, stopVm, vmForm, type Api, type Json } from '../kit.ts'
import { idsOf, type Exercises } from './exercise.ts'

const vm = '/user-resource/vm'

/** Adds a replica to the VM and gives its id. */
export async function newReplica(api: Api, uuid: string): Promise<string> {
  const item = made(await api.form('POST', `${vm}/replica`, { uuid }))
  return idOf((item['replica'] as Json[]).at(-1) ?? {})
}

const addressesOf = async (api: Api, uuid: string) =>
  rows(await api.get(`/network/ip_addresses?vm_uuid=${uuid}`))

const inside = (api: Api) => api.simulator.control.inventory().vms[0]

export const machineExercises = {
  'GET /user-resource/vm': async ({ api }) => {
    const [uuid] = [await newVm(api, { name: 'one' }), await newVm(api, { name: 'two' })]
    expect(made(await api.get(`${vm}?uuid=${uuid}`))).toMatchObject({ uuid, name: 'one' })
  },
  'GET /user-resource/vm/list': async ({ api }) => {
    expect(rows(await api.get(`${vm}/list`))).toEqual([])
    const uuids = [await newVm(api), await newVm(api)]
    expect(idsOf(rows(await api.get(`${vm}/list`)))).toEqual(uuids)
  },
  'POST /user-resource/vm': async ({ api }) => {
    const record = made(await api.form('POST', vm, vmForm()))
    expect(record).toMatchObject({ name: 'web-1', vcpu: 2, memory: 2048, status: 'running' })
    expect(idsOf(rows(await api.get(`${vm}/list`)))).toEqual([idOf(record)])
  },
  'PATCH /user-resource/vm': async ({ api }) => {
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    const record = made(await api.form('PATCH', vm, { uuid, name: 'other', vcpu: 4, ram: 4096 }))
    expect(record).toMatchObject({ uuid, name: 'other', vcpu: 4, memory: 4096 })
    expect(await readVm(api, uuid)).toEqual(record)
  },
  'DELETE /user-resource/vm': async ({ api }) => {
    const uuid = await newVm(api)
    expect((await api.form('DELETE', vm, { uuid })).status).toBe(200)
    expect(rows(await api.get(`${vm}/list`))).toEqual([])
  },
  'PATCH /user-resource/vm/user': async ({ api }) => {
    const uuid = await newVm(api)
    const before = inside(api)?.['passwordSha256']
    const fields = { uuid, username: 'another', password: 'Another123' }
    expect(made(await api.form('PATCH', `${vm}/user`, fields))).toEqual({ success: true })
    expect(inside(api)?.['passwordSha256']).not.toBe(before)
    expect(await readVm(api, uuid)).toMatchObject({ username: 'another' })
  },
  'POST /user-resource/vm/start': async ({ api }) => {
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    expect((await api.form('POST', `${vm}/start`, { uuid })).status).toBe(200)
    expect(await readVm(api, uuid)).toMatchObject({ status: 'running' })
  },
  'POST /user-resource/vm/stop': async ({ api }) => {
    const uuid = await newVm(api)
    const record = made(await api.form('POST', `${vm}/stop`, { uuid, force: false }))
    expect(record).toMatchObject({ uuid, status: 'stopped' })
    expect(await readVm(api, uuid)).toMatchObject({ status: 'stopped' })
  },
  'POST /user-resource/vm/rescue_start': async ({ api }) => {
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    expect((await api.form('POST', `${vm}/rescue_start`, { uuid })).status).toBe(200)
    expect(inside(api)).toMatchObject({ status: 'running', rescue: true })
  },
  'POST /user-resource/vm/reinstall': async ({ api }) => {
    const uuid = await newVm(api)
    const fields = { uuid, os_name: 'debian', os_version: '12' }
    const record = made(await api.form('POST', `${vm}/reinstall`, fields))
    expect(record).toMatchObject({ uuid, os_name: 'debian', os_version: '12' })
    expect(api.simulator.control.counters().lostDataTokens).toHaveLength(1)
  },
  'POST /user-resource/vm/backup': async ({ api }) => {
    const uuid = await newVm(api)
    expect(made(await api.form('POST', `${vm}/backup`, { uuid }))).toMatchObject({ backup: true })
    expect(await readVm(api, uuid)).toMatchObject({ backup: true })
  },
  'POST /user-resource/vm/clone': async ({ api }) => {
    const uuid = await newVm(api)
    const clone = made(await api.form('POST', `${vm}/clone`, { uuid, name: 'twin' }))
    expect(clone).toMatchObject({ name: 'twin', vcpu: 2, memory: 2048 })
    expect(idsOf(rows(await api.get(`${vm}/list`)))).toEqual([uuid, idOf(clone)])
  },
  'POST /user-resource/vm/rebuild': async ({ api }) => {
    const uuid = await newVm(api)
    const replica_uuid = await newReplica(api, uuid)
    const record = made(await api.form('POST', `${vm}/rebuild`, { uuid, replica_uuid }))
    expect(record).toMatchObject({ uuid, status: 'running' })
    expect(api.simulator.control.counters().lostDataTokens).toHaveLength(1)
  },
  'GET /user-resource/host_pool/list': async ({ api }) => {
    const pools = rows(await api.get('/user-resource/host_pool/list'))
    expect(pools.filter((pool) => pool['is_default_designated'] === true)).toHaveLength(1)
  },
  'DELETE /user-resource/vm/ip/public': async ({ api }) => {
    const uuid = await newVm(api)
    expect(made(await api.form('DELETE', `${vm}/ip/public`, { uuid }))).toMatchObject({ uuid })
    expect(await addressesOf(api, uuid)).toEqual([])
    expect(rows(await api.get('/network/ip_addresses'))).toHaveLength(1)
  },
  'POST /user-resource/vm/ip/public': async ({ api }) => {
    const uuid = await newVm(api, { reserve_public_ip: false })
    const answer = await api.form('POST', `${vm}/ip/public`, { uuid })
    expect(made(answer)).toMatchObject({ uuid })
    const [address, ...others] = await addressesOf(api, uuid)
    expect(others).toEqual([])
    expect(answer.text).not.toContain(idOf(address ?? {}, 'address'))
  },
} satisfies Partial<Exercises>
