/** Rules on floating IPs. */
import { describe, expect, test } from 'vitest'
import { billing, idOf, made, newVm, open, profiles, readVm, rows, without, type Api } from '../kit.ts'

const ips = '/network/ip_addresses'

const reserve = async (api: Api, body: object = {}) =>
  idOf(made(await api.json('POST', ips, { billing_account_id: billing, ...body })), 'address')

const bareVm = (api: Api) => newVm(api, { reserve_public_ip: false })

const assign = (api: Api, address: string, vm_uuid: string) =>
  api.json('POST', `${ips}/${address}/assign`, { vm_uuid })

describe.each(profiles)('reserving an address, %s', (profile) => {
  test('it needs a billing account', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', ips, { name: 'front' })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('billing_account_id')])
  })

  test('it may have a name', async () => {
    const api = await open({ profile })
    expect(made(await api.get(`${ips}/${await reserve(api, { name: 'a b' })}`))).toMatchObject({
      name: 'a b',
    })
    expect(made(await api.get(`${ips}/${await reserve(api)}`))['name'] ?? '').toBe('')
  })

  test('each has an address of its own', async () => {
    const api = await open({ profile })
    expect(await reserve(api)).not.toBe(await reserve(api))
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of an address that is not there', async (method) => {
    const api = await open({ profile })
    const path = `${ips}/203.0.113.9`
    const answer =
      method === 'PATCH' ? await api.json(method, path, { name: 'x' }) : await api.bare(method, path)
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('203.0.113.9')])
  })
})

describe.each(profiles)('lists of addresses, %s', (profile) => {
  test('of all, of one VM, of one billing account, of both', async () => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const vm = await newVm(own, { billing_account_id: 5 })
    await reserve(own, { billing_account_id: 6 })
    const count = async (query: string) => rows(await own.get(ips + query)).length
    expect(await count('')).toBe(2)
    expect(await count(`?vm_uuid=${vm}`)).toBe(1)
    expect(await count('?billing_account_id=6')).toBe(1)
    expect(await count(`?billing_account_id=5&vm_uuid=${vm}`)).toBe(1)
    expect(await count(`?billing_account_id=6&vm_uuid=${vm}`)).toBe(0)
  })

  test('the address that came with a VM is among them', async () => {
    const api = await open({ profile })
    const vm = await newVm(api)
    const [ip] = rows(await api.get(ips))
    expect(ip).toMatchObject({ assigned_to: vm, assigned_to_resource_type: 'virtual_machine' })
  })

  test('an address stays when its VM goes', async () => {
    const api = await open({ profile })
    const vm = await newVm(api)
    await api.form('DELETE', '/user-resource/vm', { uuid: vm })
    expect(rows(await api.get(ips))).toEqual([
      expect.objectContaining({ assigned_to: null, is_deleted: false }),
    ])
  })
})

describe.each(profiles)('changing an address, %s', (profile) => {
  test.each([
    ['name', 'back'],
    ['billing_account_id', 6],
  ])('%s changes alone', async (field, value) => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const path = `${ips}/${await reserve(own, { billing_account_id: 5, name: 'front' })}`
    const before = made(await own.get(path))
    const after = made(await own.json('PATCH', path, { [field]: value }))
    expect(after).toEqual({ ...before, [field]: value, updated_at: after['updated_at'] })
  })

  test('deleting answers 200 with nothing, and frees it', async () => {
    const api = await open({ profile })
    const path = `${ips}/${await reserve(api)}`
    const answer = await api.bare('DELETE', path)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await api.get(path)).status).toBe(404)
  })
})

describe.each(profiles)('assigning an address, %s', (profile) => {
  test('it needs a VM', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', `${ips}/${await reserve(api)}/assign`, {})
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('vm_uuid')])
  })

  test('the answer says to what, of which type, and its private address', async () => {
    const api = await open({ profile })
    const [vm, address] = [await bareVm(api), await reserve(api)]
    const record = made(await assign(api, address, vm))
    expect(record).toMatchObject({
      address,
      assigned_to: vm,
      assigned_to_resource_type: 'virtual_machine',
      assigned_to_private_ip: (await readVm(api, vm))['private_ipv4'],
    })
  })

  test('one VM can have several', async () => {
    const api = await open({ profile })
    const vm = await newVm(api)
    made(await assign(api, await reserve(api), vm))
    expect(rows(await api.get(`${ips}?vm_uuid=${vm}`))).toHaveLength(2)
  })

  test('only where the VM is', async () => {
    const api = await open({ profile })
    const vm = await bareVm(api)
    const body = { billing_account_id: billing }
    const there = idOf(made(await api.json('POST', `/sgp01${ips}`, body)), 'address')
    const answer = await api.json('POST', `/sgp01${ips}/${there}/assign`, { vm_uuid: vm })
    expect(answer.status).toBe(400)
  })

  test('unassigning says when, and names no VM any more', async () => {
    const api = await open({ profile })
    const [vm, address] = [await bareVm(api), await reserve(api)]
    const before = made(await assign(api, address, vm))
    const record = made(await api.bare('POST', `${ips}/${address}/unassign`))
    expect(record).toMatchObject({ id: before['id'], address, assigned_to: null })
    expect(record['uuid']).toMatch(/^[0-9a-f-]{36}$/)
    expect(record['unassigned_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('the time of unassigning is in its answer alone', async () => {
    const api = await open({ profile })
    const [vm, address] = [await bareVm(api), await reserve(api)]
    await assign(api, address, vm)
    await api.bare('POST', `${ips}/${address}/unassign`)
    const record = made(await api.get(`${ips}/${address}`))
    expect(record).not.toHaveProperty('unassigned_at')
    expect('uuid' in record).toBe(profile === 'extended')
  })

  test('an unassigned address can be assigned again', async () => {
    const api = await open({ profile })
    const [one, two, address] = [await bareVm(api), await bareVm(api), await reserve(api)]
    made(await assign(api, address, one))
    made(await api.bare('POST', `${ips}/${address}/unassign`))
    expect(made(await assign(api, address, two))).toMatchObject({ assigned_to: two })
  })
})

test('extended: a target named with its type', async () => {
  const api = await open()
  const [vm, address] = [await bareVm(api), await reserve(api)]
  const body = { assigned_to: vm, assigned_to_resource_type: 'virtual_machine' }
  const path = `${ips}/${address}/assign`
  expect((await api.json('POST', path, without(body, 'assigned_to_resource_type'))).status).toBe(400)
  expect((await api.json('POST', path, { ...body, assigned_to_resource_type: 'bucket' })).status).toBe(400)
  expect(made(await api.json('POST', path, body))).toMatchObject(body)
})
