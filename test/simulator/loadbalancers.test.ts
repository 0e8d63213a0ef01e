import { describe, expect, test } from 'vitest'
import {
  billing,
  errorText,
  idOf,
  made,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  type Api,
  without,
  type Json,
} from './kit.ts'

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

async function create(api: Api, change: Json = {}): Promise<string> {
  return idOf(made(await api.json('POST', balancers, await bodyFor(api, change))))
}

describe.each(profiles)('load balancers, %s', (profile) => {
  test('creating one, with rules and targets', async () => {
    const api = await open({ profile })
    const vm = await newVm(api, { reserve_public_ip: false })
    const targets = [{ target_uuid: vm, target_type: 'vm' }]
    const answer = await api.json('POST', balancers, await bodyFor(api, { targets }))
    expect(answer.status).toBe(profile === 'extended' ? 201 : 200)
    const [balancer] = rows(await api.get(balancers))
    expect(balancer).toMatchObject({ user_id: 1001, billing_account_id: billing, is_deleted: false })
    expect(balancer?.['forwarding_rules']).toEqual([
      expect.objectContaining({
        protocol: 'TCP',
        source_port: 80,
        target_port: 8080,
        settings: { connection_limit: 10000, session_persistence: 'SOURCE_IP' },
      }),
    ])
    expect(balancer?.['targets']).toEqual([
      expect.objectContaining({
        target_uuid: vm,
        target_type: 'vm',
        target_ip_address: (await readVm(api, vm))['private_ipv4'],
      }),
    ])
    for (const field of ['display_name', 'deleted_at'])
      expect(field in (balancer ?? {})).toBe(profile === 'extended')
    expect(made(answer)).toEqual(balancer)
  })

  test('the answer to a create can be empty: its body is not stated', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('loadBalancerCreateAnswer', 'empty')
    const answer = await api.json('POST', balancers, await bodyFor(api))
    expect(answer.text).toBe('')
    expect(rows(await api.get(balancers))).toHaveLength(1)
  })

  test.each([true, 'true', undefined])(
    'reserve_public_ip %s makes a nameless address of its own',
    async (value) => {
      const api = await open({ profile })
      const uuid = await create(api, { reserve_public_ip: value })
      const [ip] = rows(await api.get('/network/ip_addresses'))
      const type = profile === 'extended' ? 'load_balancer' : 'service'
      expect(ip).toMatchObject({ assigned_to: uuid, assigned_to_resource_type: type })
      expect(ip?.['name'] ?? '').toBe('')
      const [balancer] = rows(await api.get(balancers))
      expect(ip?.['assigned_to_private_ip']).toBe(balancer?.['private_address'])
    },
  )

  test.each([false, 'false'])('reserve_public_ip %s makes none', async (value) => {
    const api = await open({ profile })
    await create(api, { reserve_public_ip: value })
    expect(rows(await api.get('/network/ip_addresses'))).toEqual([])
  })

  test('without targets: refused, and 500 as deployed', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', balancers, without(await bodyFor(api), 'targets'))
    expect(answer.status).toBe(profile === 'extended' ? 500 : 400)
    expect(rows(await api.get(balancers))).toEqual([])
  })

  test.each<[string, Json]>([
    ['display_name', { display_name: '' }],
    ['network_uuid', { network_uuid: 'none' }],
    ['billing_account_id', { billing_account_id: 9999 }],
    ['source_port', { rules: [{ source_port: 0, target_port: 80 }] }],
    ['target_port', { rules: [{ source_port: 80, target_port: 65536 }] }],
    ['source_port', { rules: [1, 2].map((port) => ({ source_port: 80, target_port: port })) }],
    ['target_uuid', { targets: [{ target_uuid: 'none', target_type: 'vm' }] }],
    ['target_type', { targets: [{ target_uuid: 'none', target_type: 'pod' }] }],
    ['rules', { rules: 'x' }],
  ])('%s is refused in %j', async (field, change) => {
    const api = await open({ profile })
    const answer = await api.json('POST', balancers, await bodyFor(api, change))
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toContain(field)
    expect(rows(await api.get(balancers))).toEqual([])
  })

  test('a VM that is deleted is no target any more', async () => {
    const api = await open({ profile })
    const vm = await newVm(api)
    await create(api, { targets: [{ target_uuid: vm, target_type: 'vm' }] })
    await api.form('DELETE', '/user-resource/vm', { uuid: vm })
    expect(rows(await api.get(balancers))[0]).toMatchObject({ targets: [] })
  })

  test('operations beyond list and create exist only as deployed', async () => {
    const api = await open({ profile })
    const uuid = await create(api)
    const answer = await api.get(`${balancers}/${uuid}`)
    expect(answer.status).toBe(profile === 'extended' ? 200 : 404)
    if (profile === 'documented') expect(errorText(answer)).toMatch(/^no route/)
  })
})

describe('load balancer operations as deployed', () => {
  test('rename and billing account', async () => {
    const api = await open()
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6, 7] }).apiKey)
    const path = `${balancers}/${await create(own, { billing_account_id: 5 })}`
    expect(made(await own.json('PATCH', path, { display_name: 'back' }))).toMatchObject({
      display_name: 'back',
    })
    const byBody = await own.json('PUT', `${path}/billing_account`, { set_id: 6 })
    expect(made(byBody)).toMatchObject({ billing_account_id: 6 })
    expect(made(await own.bare('PUT', `${path}/billing_account?set_id=7`))).toMatchObject({
      billing_account_id: 7,
    })
  })

  test('targets come and go, and one can be listed twice', async () => {
    const api = await open()
    const [path, vm] = [`${balancers}/${await create(api)}`, await newVm(api)]
    const target = { target_uuid: vm, target_type: 'vm' }
    made(await api.json('POST', `${path}/targets`, target))
    made(await api.json('POST', `${path}/targets`, target))
    expect(made(await api.get(path))['targets']).toHaveLength(2)
    expect((await api.bare('DELETE', `${path}/targets/${vm}`)).status).toBe(204)
    expect(made(await api.get(path))['targets']).toEqual([])
    expect((await api.bare('DELETE', `${path}/targets/${vm}`)).status).toBe(404)
  })

  test('rules come and go; the answer to a new one lacks its id', async () => {
    const api = await open()
    const path = `${balancers}/${await create(api)}`
    const rule = { source_port: 443, target_port: 8443 }
    expect(made(await api.json('POST', `${path}/forwarding_rules`, rule))).not.toHaveProperty('uuid')
    expect((await api.json('POST', `${path}/forwarding_rules`, rule)).status).toBe(400)
    const [first] = made(await api.get(path))['forwarding_rules'] as Json[]
    expect((await api.bare('DELETE', `${path}/forwarding_rules/${idOf(first ?? {})}`)).status).toBe(204)
    expect(made(await api.get(path))['forwarding_rules']).toEqual([expect.objectContaining(rule)])
  })

  test('a deleted one leaves its address, and a tombstone that the list omits', async () => {
    const api = await open()
    const uuid = await create(api, { reserve_public_ip: true })
    const answer = await api.bare('DELETE', `${balancers}/${uuid}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(rows(await api.get(balancers))).toEqual([])
    expect(rows(await api.get(`${balancers}?all=true`))).toHaveLength(1)
    expect(made(await api.get(`${balancers}/${uuid}`))).toMatchObject({ is_deleted: true })
    expect((await api.bare('DELETE', `${balancers}/${uuid}`)).status).toBe(404)
    expect(rows(await api.get('/network/ip_addresses'))).toEqual([
      expect.objectContaining({ assigned_to: null }),
    ])
  })

  test('an unknown one: 404', async () => {
    const api = await open()
    const answer = await api.get(`${balancers}/none`)
    expect([answer.status, errorText(answer)]).toEqual([404, 'Load balancer none was not found.'])
  })

  test('a floating IP can be assigned to one', async () => {
    const api = await open()
    const uuid = await create(api)
    const ip = made(await api.json('POST', '/network/ip_addresses', { billing_account_id: billing }))
    const path = `/network/ip_addresses/${String(ip['address'])}`
    for (const type of ['load_balancer', 'service']) {
      const body = { assigned_to: uuid, assigned_to_resource_type: type }
      expect(made(await api.json('POST', `${path}/assign`, body))).toMatchObject({ assigned_to: uuid })
      await api.bare('POST', `${path}/unassign`)
    }
  })

  test('they can be switched off', async () => {
    const api = await open()
    const uuid = await create(api)
    api.simulator.control.setRule('loadBalancerOperations', false)
    expect(errorText(await api.get(`${balancers}/${uuid}`))).toMatch(/^no route/)
    expect(rows(await api.get(balancers))).toHaveLength(1)
  })
})
