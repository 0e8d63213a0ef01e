import { describe, expect, test } from 'vitest'
import { billing, errorText, made, newVm, open, profiles, readVm, rows, vmForm, type Api } from './kit.ts'

const ips = '/network/ip_addresses'
const reserve = async (api: Api, body: object = {}) =>
  String(made(await api.json('POST', ips, { billing_account_id: billing, ...body }))['address'])

describe.each(profiles)('floating IPs, %s', (profile) => {
  test('reserving needs a billing account and takes a name', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', ips, { billing_account_id: billing, name: 'front door' })
    const ip = made(answer)
    expect(ip).toMatchObject({
      name: 'front door',
      user_id: 1001,
      billing_account_id: billing,
      type: 'public',
      enabled: true,
      is_deleted: false,
    })
    expect(made(await api.get(`${ips}/${String(ip['address'])}`))).toEqual(ip)
    const refused = await api.json('POST', ips, { name: 'x' })
    expect(refused.status).toBe(400)
    expect(errorText(refused)).toContain('billing_account_id')
  })

  test('one that was never assigned says so as documented, or not at all as deployed', async () => {
    const api = await open({ profile })
    const address = await reserve(api)
    const ip = made(await api.get(`${ips}/${address}`))
    const fields = [
      'assigned_to',
      'assigned_to_resource_type',
      'assigned_to_private_ip',
      'is_virtual',
      'name',
    ]
    for (const field of fields) expect(field in ip, field).toBe(profile === 'documented')
    expect('uuid' in ip).toBe(profile === 'extended')
  })

  test('name and billing account change', async () => {
    const api = await open({ profile })
    const two = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const address = String(made(await two.json('POST', ips, { billing_account_id: 5 }))['address'])
    expect(made(await two.json('PATCH', `${ips}/${address}`, { name: 'b' }))).toMatchObject({
      name: 'b',
      billing_account_id: 5,
    })
    expect(made(await two.json('PATCH', `${ips}/${address}`, { billing_account_id: 6 }))).toMatchObject({
      name: 'b',
      billing_account_id: 6,
    })
    expect((await two.json('PATCH', `${ips}/${address}`, { billing_account_id: billing })).status).toBe(400)
  })

  test('assign and unassign', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { reserve_public_ip: false })
    const address = await reserve(api)
    const assigned = made(await api.json('POST', `${ips}/${address}/assign`, { vm_uuid: uuid }))
    const privateIp = (await readVm(api, uuid))['private_ipv4']
    expect(assigned).toMatchObject({
      assigned_to: uuid,
      assigned_to_resource_type: 'virtual_machine',
      assigned_to_private_ip: privateIp,
    })
    const unassigned = made(await api.bare('POST', `${ips}/${address}/unassign`))
    expect(unassigned).toMatchObject({ assigned_to: null, uuid: expect.any(String) as unknown })
    expect(unassigned['unassigned_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(made(await api.get(`${ips}/${address}`))).toMatchObject({ assigned_to: null })
    expect((await api.bare('POST', `${ips}/${address}/unassign`)).status).toBe(400)
  })

  test('an assigned one cannot be assigned again, even to the same VM', async () => {
    const api = await open({ profile })
    const [one, two] = [await newVm(api), await newVm(api)]
    const address = await reserve(api)
    made(await api.json('POST', `${ips}/${address}/assign`, { vm_uuid: one }))
    for (const vm of [one, two])
      expect((await api.json('POST', `${ips}/${address}/assign`, { vm_uuid: vm })).status).toBe(400)
  })

  test('an unknown VM and a VM elsewhere are refused', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const there = String(
      made(await api.json('POST', `/sgp01${ips}`, { billing_account_id: billing }))['address'],
    )
    expect((await api.json('POST', `/sgp01${ips}/${there}/assign`, { vm_uuid: uuid })).status).toBe(400)
    const address = await reserve(api)
    expect((await api.json('POST', `${ips}/${address}/assign`, { vm_uuid: 'none' })).status).toBe(400)
    expect((await api.json('POST', `${ips}/${address}/assign`, {})).status).toBe(400)
  })

  test('a target can be named with its type as deployed', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const address = await reserve(api)
    const body = { assigned_to: uuid, assigned_to_resource_type: 'virtual_machine' }
    const answer = await api.json('POST', `${ips}/${address}/assign`, body)
    expect(answer.status).toBe(profile === 'extended' ? 200 : 400)
  })

  test('the list filters by billing account and by VM', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const address = await reserve(api)
    expect(rows(await api.get(ips))).toHaveLength(2)
    expect(rows(await api.get(`${ips}?billing_account_id=${billing}`))).toHaveLength(2)
    expect(rows(await api.get(`${ips}?billing_account_id=7`))).toEqual([])
    const ofVm = rows(await api.get(`${ips}?vm_uuid=${uuid}`))
    expect(ofVm.map((ip) => ip['assigned_to'])).toEqual([uuid])
    expect(ofVm.map((ip) => ip['address'])).not.toContain(address)
  })

  test('deleting answers 200 with an empty body', async () => {
    const api = await open({ profile })
    const address = await reserve(api)
    const answer = await api.bare('DELETE', `${ips}/${address}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    const gone = await api.get(`${ips}/${address}`)
    expect([gone.status, errorText(gone)]).toEqual([404, `Ip address ${address} was not found.`])
    expect(rows(await api.get(ips))).toEqual([])
  })

  test('the list can hold deleted ones', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('deletedRowsInLists', true)
    const address = await reserve(api)
    await api.bare('DELETE', `${ips}/${address}`)
    expect(rows(await api.get(ips))).toEqual([expect.objectContaining({ address, is_deleted: true })])
  })

  test('a freed address can be handed out again, with another id', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('reuseAddresses', true)
    const address = await reserve(api)
    const before = made(await api.get(`${ips}/${address}`))
    await api.bare('DELETE', `${ips}/${address}`)
    const after = made(await api.json('POST', ips, { billing_account_id: billing }))
    expect(after['address']).toBe(address)
    expect(after['id']).not.toBe(before['id'])
  })

  test('deleting an assigned one can be refused', async () => {
    const api = await open({ profile })
    await newVm(api)
    const [ip] = rows(await api.get(ips))
    api.simulator.control.setRule('refuseDeleteOfAssigned', true)
    expect((await api.bare('DELETE', `${ips}/${String(ip?.['address'])}`)).status).toBe(400)
  })

  test("another account's address is unknown", async () => {
    const api = await open({ profile })
    const address = await reserve(api)
    const other = api.as(api.simulator.control.createAccount().apiKey)
    expect((await other.get(`${ips}/${address}`)).status).toBe(404)
    expect((await other.bare('DELETE', `${ips}/${address}`)).status).toBe(404)
  })
})

test('a location has so many addresses; after that those given back come again, the oldest first', async () => {
  const api = await open()
  api.simulator.control.mutate({ do: 'create', kind: 'floatingIp', count: 2 ** 15 - 1 })
  const reserve = () => api.json('POST', '/network/ip_addresses', { billing_account_id: billing })
  const before = api.simulator.control.dump()
  expect((await reserve()).status).toBe(400)
  expect((await api.form('POST', '/user-resource/vm', vmForm())).status).toBe(400)
  expect(api.simulator.control.dump().replace(/,?"call":\d+/, '')).toBe(before)
  for (const address of ['198.18.0.9', '198.18.0.5'])
    await api.bare('DELETE', `/network/ip_addresses/${address}`)
  expect(made(await reserve())).toMatchObject({ address: '198.18.0.9' })
  expect(
    (await api.json('POST', '/sgp01/network/ip_addresses', { billing_account_id: billing })).status,
  ).toBe(201)
})
