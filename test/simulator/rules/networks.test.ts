/** Rules on private networks. */
import { describe, expect, test } from 'vitest'
import { billing, idOf, made, newVm, open, profiles, rows, type Api } from '../kit.ts'

const list = '/network/networks'
const network = '/network/network'

/** An account that has no network yet. */
const newcomer = async (profile: (typeof profiles)[number]): Promise<Api> => {
  const api = await open({ profile })
  return api.as(api.simulator.control.createAccount({ defaultNetwork: false }).apiKey)
}

const named = async (api: Api, name: string) => made(await api.bare('POST', `${network}?name=${name}`))

const defaults = async (api: Api) =>
  rows(await api.get(list))
    .filter((row) => row['is_default'] === true)
    .map((row) => row['name'])

describe.each(profiles)('making a network, %s', (profile) => {
  test('without a name: the default network that is there', async () => {
    const api = await open({ profile })
    const [home] = rows(await api.get(list))
    expect(made(await api.bare('POST', network))).toEqual(home)
    expect(rows(await api.get(list))).toHaveLength(1)
  })

  test('without a name: a default network of the fixed name where there is none', async () => {
    const api = await newcomer(profile)
    const record = made(await api.bare('POST', network))
    expect(record).toMatchObject({ name: 'Default network', is_default: true })
    expect(rows(await api.get(list))).toEqual([record])
  })

  test('with a name: a new network of that name, each time', async () => {
    const api = await open({ profile })
    const [one, two] = [await named(api, 'back'), await named(api, 'back')]
    expect([one['name'], two['name']]).toEqual(['back', 'back'])
    expect(one['uuid']).not.toBe(two['uuid'])
  })

  test('the first network becomes default, whatever its name', async () => {
    const api = await newcomer(profile)
    expect(await named(api, 'first')).toMatchObject({ is_default: true })
    expect(await named(api, 'second')).toMatchObject({ is_default: false })
  })

  test('the name is in the query', async () => {
    const api = await open({ profile })
    expect(await named(api, 'a%20%2B%20b')).toMatchObject({ name: 'a + b' })
  })

  test('networks have subnets of their own', async () => {
    const api = await open({ profile })
    const records = [await named(api, 'one'), await named(api, 'two')]
    for (const field of ['subnet', 'subnet_ipv6', 'vlan_id'])
      expect(new Set(records.map((record) => record[field])).size).toBe(2)
  })
})

describe.each(profiles)('the default network, %s', (profile) => {
  test('there is exactly one', async () => {
    const api = await open({ profile })
    await named(api, 'one')
    await named(api, 'two')
    expect(await defaults(api)).toEqual(['Default network'])
  })

  test('making another one default ends the old one', async () => {
    const api = await open({ profile })
    const { uuid } = await named(api, 'one')
    const record = made(await api.bare('PUT', `${network}/${String(uuid)}/default`))
    expect(record).toMatchObject({ uuid, is_default: true })
    expect(await defaults(api)).toEqual(['one'])
  })

  test('making the default network default changes nothing', async () => {
    const api = await open({ profile })
    const [home] = rows(await api.get(list))
    expect(made(await api.bare('PUT', `${network}/${idOf(home ?? {})}/default`))).toEqual(home)
  })

  test("another user's default network is another", async () => {
    const api = await open({ profile })
    const other = api.as(api.simulator.control.createAccount().apiKey)
    const { uuid } = await named(api, 'one')
    made(await api.bare('PUT', `${network}/${String(uuid)}/default`))
    expect(await defaults(other)).toEqual(['Default network'])
  })

  test('the default network cannot be deleted, a former one can', async () => {
    const api = await open({ profile })
    const [home] = rows(await api.get(list))
    const path = `${network}/${idOf(home ?? {})}`
    expect((await api.bare('DELETE', path)).status).toBe(400)
    const { uuid } = await named(api, 'one')
    made(await api.bare('PUT', `${network}/${String(uuid)}/default`))
    expect((await api.bare('DELETE', path)).status).toBe(200)
  })
})

describe.each(profiles)('changing and deleting a network, %s', (profile) => {
  test('a rename needs a name, in JSON', async () => {
    const api = await open({ profile })
    const path = `${network}/${idOf(await named(api, 'one'))}`
    expect((await api.json('PATCH', path, {})).text).toContain('name')
    expect((await api.form('PATCH', path, { name: 'two' })).status).toBe(400)
    expect(made(await api.json('PATCH', path, { name: 'two' }))).toMatchObject({ name: 'two' })
  })

  test('VMs are counted and listed as long as they are there', async () => {
    const api = await open({ profile })
    const uuid = idOf(await named(api, 'one'))
    const vm = await newVm(api, { network_uuid: uuid })
    const read = async () => made(await api.get(`${network}/${uuid}`))
    expect(await read()).toMatchObject({ vm_uuids: [vm], resources_count: 1 })
    expect((await api.form('DELETE', '/user-resource/vm', { uuid: vm })).status).toBe(200)
    expect(await read()).toMatchObject({ vm_uuids: [], resources_count: 0 })
  })

  test.each(['VM', 'load balancer'])('a network that holds something stays: %s', async (what) => {
    const api = await open({ profile })
    const uuid = idOf(await named(api, 'one'))
    if (what === 'VM') await newVm(api, { network_uuid: uuid })
    else {
      const body = {
        display_name: 'lb',
        billing_account_id: billing,
        network_uuid: uuid,
        rules: [],
        targets: [],
      }
      await api.json('POST', '/network/load_balancers', body)
    }
    expect((await api.bare('DELETE', `${network}/${uuid}`)).status).toBe(400)
    expect(made(await api.get(`${network}/${uuid}`))).toMatchObject({ resources_count: 1 })
  })

  test('deleting answers with nothing', async () => {
    const api = await open({ profile })
    const answer = await api.bare('DELETE', `${network}/${idOf(await named(api, 'one'))}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of a network that is not there', async (method) => {
    const api = await open({ profile })
    const path = `${network}/f0000000-0000-4000-8000-000000000000`
    const answer =
      method === 'PATCH' ? await api.json(method, path, { name: 'x' }) : await api.bare(method, path)
    expect(answer.status).toBe(400)
  })
})
