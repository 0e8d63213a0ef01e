/** Rules on network load balancers: list and create, which are all that the interface states. */
import { describe, expect, test } from 'vitest'
import { billing, idOf, made, newVm, open, profiles, rows, without, type Api, type Json } from '../kit.ts'

const balancers = '/network/load_balancers'

async function bodyFor(api: Api, change: Json = {}): Promise<Json> {
  const [network] = rows(await api.get('/network/networks'))
  return {
    display_name: 'front',
    billing_account_id: billing,
    network_uuid: network?.['uuid'],
    reserve_public_ip: false,
    rules: [{ source_port: 80, target_port: 8080 }],
    targets: [],
    ...change,
  }
}

async function create(api: Api, change: Json = {}): Promise<Json> {
  const before = rows(await api.get(balancers)).length
  const answer = await api.json('POST', balancers, await bodyFor(api, change))
  expect(answer.status, answer.text).toBeLessThan(300)
  return rows(await api.get(balancers))[before] ?? expect.fail('no load balancer')
}

async function refusal(api: Api, body: Json): Promise<string> {
  const answer = await api.json('POST', balancers, body)
  expect(answer.status, answer.text).toBe(400)
  expect(rows(await api.get(balancers))).toEqual([])
  return answer.text
}

describe.each(profiles)('load balancers, %s', (profile) => {
  test.each(['display_name', 'billing_account_id', 'network_uuid'])('one needs %s', async (field) => {
    const api = await open({ profile })
    expect(await refusal(api, without(await bodyFor(api), field))).toContain(field)
  })

  test('it stands in a network of the caller, with an address there', async () => {
    const api = await open({ profile })
    const network = made(await api.bare('POST', '/network/network?name=back'))
    const balancer = await create(api, { network_uuid: network['uuid'] })
    expect(balancer['network_uuid']).toBe(network['uuid'])
    const prefix = String(network['subnet']).split('.').slice(0, 2).join('.')
    expect(String(balancer['private_address']).startsWith(`${prefix}.`)).toBe(true)
    const other = api.as(api.simulator.control.createAccount({ billingAccounts: [billing] }).apiKey)
    expect(await refusal(other, await bodyFor(other, { network_uuid: network['uuid'] }))).toContain(
      'network_uuid',
    )
  })

  test.each([true, 'true'])(
    'it has a public address where that is asked for: %j',
    async (reserve_public_ip) => {
      const api = await open({ profile })
      const { uuid } = await create(api, { reserve_public_ip })
      expect(rows(await api.get('/network/ip_addresses'))).toEqual([
        expect.objectContaining({ assigned_to: uuid }),
      ])
    },
  )

  test.each([false, 'false'])(
    'it has no public address where that is asked for: %j',
    async (reserve_public_ip) => {
      const api = await open({ profile })
      await create(api, { reserve_public_ip })
      expect(rows(await api.get('/network/ip_addresses'))).toEqual([])
    },
  )

  test('its address is that of a load balancer as deployed, of a service as documented', async () => {
    const api = await open({ profile })
    await create(api, { reserve_public_ip: true })
    expect(rows(await api.get('/network/ip_addresses'))[0]).toMatchObject({
      assigned_to_resource_type: profile === 'extended' ? 'load_balancer' : 'service',
    })
  })

  test('each rule is forwarded by TCP, with its settings', async () => {
    const api = await open({ profile })
    const rules = [80, 443].map((port) => ({ source_port: port, target_port: port + 8000 }))
    const { forwarding_rules } = await create(api, { rules })
    const settings = { connection_limit: 10_000, session_persistence: 'SOURCE_IP' }
    expect(forwarding_rules).toEqual(
      rules.map((rule) => expect.objectContaining({ ...rule, protocol: 'TCP', settings }) as unknown),
    )
  })

  test.each(['source_port', 'target_port'])('a rule needs %s', async (field) => {
    const api = await open({ profile })
    const rule = without({ source_port: 80, target_port: 8080 }, field)
    expect(await refusal(api, await bodyFor(api, { rules: [rule] }))).toContain(field)
  })

  test('each target is a VM of the caller', async () => {
    const api = await open({ profile })
    const vms = [await newVm(api), await newVm(api)]
    const targets = vms.map((uuid) => ({ target_uuid: uuid, target_type: 'vm' }))
    expect((await create(api, { targets }))['targets']).toMatchObject(targets)
    const other = api.as(api.simulator.control.createAccount({ billingAccounts: [billing] }).apiKey)
    expect(await refusal(other, await bodyFor(other, { targets }))).toContain('target_uuid')
  })

  test.each(['target_uuid', 'target_type'])('a target needs %s', async (field) => {
    const api = await open({ profile })
    const target = without({ target_uuid: await newVm(api), target_type: 'vm' }, field)
    expect(await refusal(api, await bodyFor(api, { targets: [target] }))).toContain(field)
  })

  test('no other type of target', async () => {
    const api = await open({ profile })
    const targets = [{ target_uuid: await newVm(api), target_type: 'pod' }]
    expect(await refusal(api, await bodyFor(api, { targets }))).toContain('target_type')
  })

  test.each([
    ['by default', '', 1],
    ['all=false', '?all=false', 1],
    ['all=true', '?all=true', 2],
  ])('the list leaves out what is deleted unless all is asked for: %s', async (_how, query, count) => {
    const api = await open({ profile })
    const gone = idOf(await create(api))
    await create(api)
    api.simulator.control.mutate({ do: 'delete', kind: 'loadBalancer', id: gone })
    const listed = rows(await api.get(balancers + query))
    expect(listed).toHaveLength(count)
    expect(listed.filter((row) => row['is_deleted'] === true)).toHaveLength(count - 1)
  })

  test('all is true or false', async () => {
    const api = await open({ profile })
    expect((await api.get(`${balancers}?all=maybe`)).status).toBe(400)
  })

  test('one balances the VMs of several locations only as documented', async () => {
    const api = await open({ profile })
    const form = { name: 'far', os_name: 'debian', os_version: '12', disks: 5, vcpu: 1, ram: 512 }
    const far = made(
      await api.form('POST', '/sgp01/user-resource/vm', { ...form, billing_account_id: billing }),
    )
    const targets = [{ target_uuid: idOf(far), target_type: 'vm' }]
    const answer = await api.json('POST', balancers, await bodyFor(api, { targets }))
    expect(answer.status).toBe(profile === 'extended' ? 400 : 200)
  })
})
