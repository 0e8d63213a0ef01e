import { describe, expect, test } from 'vitest'
import { billing, errorText, idOf, made, newVm, open, profiles, readVm, rows, type Api } from './kit.ts'

const create = async (api: Api, name: string) =>
  idOf(made(await api.bare('POST', `/network/network?name=${name}`)))

describe.each(profiles)('private networks, %s', (profile) => {
  test('an account starts with one default network', async () => {
    const api = await open({ profile })
    const networks = rows(await api.get('/network/networks'))
    expect(networks).toHaveLength(1)
    expect(networks[0]).toMatchObject({
      name: 'Default network',
      type: 'private',
      is_default: true,
      vm_uuids: [],
      resources_count: 0,
    })
    expect(networks[0]?.['subnet']).toMatch(/^10\.\d+\.\d+\.0\/18$/)
    expect(networks[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('without a name the default network is answered and none is made', async () => {
    const api = await open({ profile })
    const [existing] = rows(await api.get('/network/networks'))
    expect(made(await api.bare('POST', '/network/network'))).toEqual(existing)
    const empty = await api.bare('POST', '/network/network?name=')
    if (profile === 'extended') expect(made(empty)).toEqual(existing)
    else expect(empty.status).toBe(400)
    expect(rows(await api.get('/network/networks'))).toHaveLength(1)
  })

  test('without a name and without a default network one is made', async () => {
    const api = await open({ profile })
    const bare = api.as(api.simulator.control.createAccount({ defaultNetwork: false }).apiKey)
    expect(rows(await bare.get('/network/networks'))).toEqual([])
    expect(made(await bare.bare('POST', '/network/network'))).toMatchObject({
      name: 'Default network',
      is_default: true,
    })
  })

  test('the first network becomes default, the second does not', async () => {
    const api = await open({ profile })
    const bare = api.as(api.simulator.control.createAccount({ defaultNetwork: false }).apiKey)
    expect(made(await bare.bare('POST', '/network/network?name=one'))).toMatchObject({ is_default: true })
    expect(made(await bare.bare('POST', '/network/network?name=two'))).toMatchObject({ is_default: false })
  })

  test('names need not be unique, and may have spaces', async () => {
    const api = await open({ profile })
    const first = await create(api, 'back%20end')
    const second = await create(api, 'back%20end')
    expect(second).not.toBe(first)
    expect(made(await api.get(`/network/network/${second}`))).toMatchObject({ name: 'back end' })
  })

  test('making one default makes all others not', async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'second')
    expect(made(await api.bare('PUT', `/network/network/${uuid}/default`))).toMatchObject({
      is_default: true,
    })
    const defaults = rows(await api.get('/network/networks')).filter(
      (network) => network['is_default'] === true,
    )
    expect(defaults.map((network) => network['uuid'])).toEqual([uuid])
  })

  test('a rename takes JSON', async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'old')
    expect(made(await api.json('PATCH', `/network/network/${uuid}`, { name: 'new' }))).toMatchObject({
      uuid,
      name: 'new',
    })
    expect((await api.form('PATCH', `/network/network/${uuid}`, { name: 'other' })).status).toBe(400)
  })

  test('an empty network that is not default can be deleted', async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'short-lived')
    const answer = await api.bare('DELETE', `/network/network/${uuid}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await api.get(`/network/network/${uuid}`)).status).toBe(400)
  })

  test('the default network cannot be deleted', async () => {
    const api = await open({ profile })
    const [network] = rows(await api.get('/network/networks'))
    const answer = await api.bare('DELETE', `/network/network/${idOf(network ?? {})}`)
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/default/)
    expect(api.simulator.control.counters().preconditionsViolated).toBe(1)
  })

  test('a network with a VM lists it and cannot be deleted until the VM is gone', async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'busy')
    const vm = await newVm(api, { network_uuid: uuid, reserve_public_ip: false })
    expect(made(await api.get(`/network/network/${uuid}`))).toMatchObject({
      vm_uuids: [vm],
      resources_count: 1,
    })
    expect((await api.bare('DELETE', `/network/network/${uuid}`)).status).toBe(400)
    await api.form('DELETE', '/user-resource/vm', { uuid: vm })
    expect((await api.bare('DELETE', `/network/network/${uuid}`)).status).toBe(200)
  })

  test('a VM just deleted can still be listed for a while', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('memberLagMs', 60_000)
    const uuid = await create(api, 'slow')
    const vm = await newVm(api, { network_uuid: uuid })
    await api.form('DELETE', '/user-resource/vm', { uuid: vm })
    expect(made(await api.get(`/network/network/${uuid}`))).toMatchObject({ vm_uuids: [vm] })
    expect((await api.bare('DELETE', `/network/network/${uuid}`)).status).toBe(400)
  })

  test('a load balancer counts as a resource, not as a VM', async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'balanced')
    const body = {
      display_name: 'lb',
      billing_account_id: billing,
      network_uuid: uuid,
      rules: [],
      targets: [],
    }
    made(await api.json('POST', '/network/load_balancers', body))
    expect(made(await api.get(`/network/network/${uuid}`))).toMatchObject({
      vm_uuids: [],
      resources_count: 1,
    })
    expect((await api.bare('DELETE', `/network/network/${uuid}`)).status).toBe(400)
  })

  test('a VM without a network goes into the default one', async () => {
    const api = await open({ profile })
    const vm = await newVm(api)
    const [network] = rows(await api.get('/network/networks'))
    expect(network?.['vm_uuids']).toEqual([vm])
    expect(await readVm(api, vm)).not.toHaveProperty('network_uuid')
  })

  test("another account's network is unknown", async () => {
    const api = await open({ profile })
    const uuid = await create(api, 'mine')
    const other = api.as(api.simulator.control.createAccount().apiKey)
    expect((await other.get(`/network/network/${uuid}`)).status).toBe(400)
    expect((await other.bare('DELETE', `/network/network/${uuid}`)).status).toBe(400)
  })
})

test('extended: networks belong to a location, each with its default', async () => {
  const api = await open({ profile: 'extended' })
  const uuid = idOf(made(await api.bare('POST', '/sgp01/network/network?name=there')))
  expect(rows(await api.get('/sgp01/network/networks'))).toHaveLength(2)
  expect(rows(await api.get('/network/networks'))).toHaveLength(1)
  expect((await api.get(`/network/network/${uuid}`)).status).toBe(400)
})

test('documented: networks belong to the account, and VMs of every location can be in them', async () => {
  const api = await open({ profile: 'documented' })
  const uuid = await create(api, 'everywhere')
  const form = {
    name: 'a',
    os_name: 'debian',
    os_version: '12',
    disks: 5,
    vcpu: 1,
    ram: 512,
    network_uuid: uuid,
  }
  const vm = made(await api.form('POST', '/sgp01/user-resource/vm', { ...form, billing_account_id: billing }))
  expect(made(await api.get(`/network/network/${uuid}`))).toMatchObject({ vm_uuids: [vm['uuid']] })
})
