/** Networks, floating IPs, load balancers. */
import { expect } from 'vitest'
import { billing, idOf, made, newVm, readVm, rows, type Api, type Json } from '../kit.ts'
import { idsOf, type Exercises } from './exercise.ts'

const networks = '/network/networks'
const network = '/network/network'
const addresses = '/network/ip_addresses'
const balancers = '/network/load_balancers'

const newNetwork = async (api: Api) => idOf(made(await api.bare('POST', `${network}?name=back%20end`)))

const newIp = async (api: Api, name = 'front') =>
  idOf(made(await api.json('POST', addresses, { billing_account_id: billing, name })), 'address')

async function newBalancer(api: Api): Promise<Json> {
  const [home] = rows(await api.get(networks))
  const body = {
    display_name: 'front',
    billing_account_id: billing,
    network_uuid: home?.['uuid'],
    reserve_public_ip: true,
    rules: [{ source_port: 80, target_port: 8080 }],
    targets: [{ target_uuid: await newVm(api), target_type: 'vm' }],
  }
  const answer = await api.json('POST', balancers, body)
  expect(answer.status).toBeLessThan(300)
  return body
}

const networkExercises = {
  'GET /network/networks': async ({ api }) => {
    const before = idsOf(rows(await api.get(networks)))
    const uuid = await newNetwork(api)
    expect(idsOf(rows(await api.get(networks)))).toEqual([...before, uuid])
  },
  'GET /network/network/:uuid': async ({ api }) => {
    const uuid = await newNetwork(api)
    expect(made(await api.get(`${network}/${uuid}`))).toMatchObject({ uuid, name: 'back end' })
  },
  'POST /network/network': async ({ api }) => {
    const record = made(await api.bare('POST', `${network}?name=back%20end`))
    expect(record).toMatchObject({ name: 'back end', is_default: false, vm_uuids: [] })
    expect(rows(await api.get(networks))).toContainEqual(record)
  },
  'PUT /network/network/:uuid/default': async ({ api }) => {
    const uuid = await newNetwork(api)
    const record = made(await api.bare('PUT', `${network}/${uuid}/default`))
    expect(record).toMatchObject({ uuid, is_default: true })
    const defaults = rows(await api.get(networks)).filter((row) => row['is_default'] === true)
    expect(defaults).toEqual([record])
  },
  'PATCH /network/network/:uuid': async ({ api }) => {
    const path = `${network}/${await newNetwork(api)}`
    const record = made(await api.json('PATCH', path, { name: 'front end' }))
    expect(record).toMatchObject({ name: 'front end' })
    expect(made(await api.get(path))).toEqual(record)
  },
  'DELETE /network/network/:uuid': async ({ api }) => {
    const uuid = await newNetwork(api)
    const answer = await api.bare('DELETE', `${network}/${uuid}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(idsOf(rows(await api.get(networks)))).not.toContain(uuid)
  },
} satisfies Partial<Exercises>

const addressExercises = {
  'POST /network/ip_addresses': async ({ api }) => {
    const record = made(await api.json('POST', addresses, { billing_account_id: billing, name: 'front' }))
    expect(record).toMatchObject({ name: 'front', billing_account_id: billing, enabled: true })
    expect(rows(await api.get(addresses))).toEqual([record])
  },
  'GET /network/ip_addresses': async ({ api }) => {
    const known = [await newIp(api), await newIp(api)]
    expect(idsOf(rows(await api.get(addresses)), 'address')).toEqual(known)
  },
  'GET /network/ip_addresses/:address': async ({ api }) => {
    const [address] = [await newIp(api, 'one'), await newIp(api, 'two')]
    expect(made(await api.get(`${addresses}/${address}`))).toMatchObject({ address, name: 'one' })
  },
  'PATCH /network/ip_addresses/:address': async ({ api }) => {
    const path = `${addresses}/${await newIp(api)}`
    expect(made(await api.json('PATCH', path, { name: 'back' }))).toMatchObject({ name: 'back' })
    expect(made(await api.get(path))).toMatchObject({ name: 'back', billing_account_id: billing })
  },
  'DELETE /network/ip_addresses/:address': async ({ api }) => {
    const answer = await api.bare('DELETE', `${addresses}/${await newIp(api)}`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(rows(await api.get(addresses))).toEqual([])
  },
  'POST /network/ip_addresses/:address/assign': async ({ api }) => {
    const vm = await newVm(api, { reserve_public_ip: false })
    const path = `${addresses}/${await newIp(api)}`
    const record = made(await api.json('POST', `${path}/assign`, { vm_uuid: vm }))
    expect(record).toMatchObject({
      assigned_to: vm,
      assigned_to_resource_type: 'virtual_machine',
      assigned_to_private_ip: (await readVm(api, vm))['private_ipv4'],
    })
    expect(made(await api.get(path))).toEqual(record)
  },
  'POST /network/ip_addresses/:address/unassign': async ({ api }) => {
    const vm = await newVm(api, { reserve_public_ip: false })
    const path = `${addresses}/${await newIp(api)}`
    made(await api.json('POST', `${path}/assign`, { vm_uuid: vm }))
    const record = made(await api.bare('POST', `${path}/unassign`))
    expect(record['assigned_to']).toBeNull()
    expect(record['unassigned_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(record['uuid']).toMatch(/^[0-9a-f-]{36}$/)
    expect(rows(await api.get(`${addresses}?vm_uuid=${vm}`))).toEqual([])
  },
} satisfies Partial<Exercises>

const balancerExercises = {
  'GET /network/load_balancers': async ({ api }) => {
    expect(rows(await api.get(balancers))).toEqual([])
    await newBalancer(api)
    expect(rows(await api.get(balancers))).toHaveLength(1)
  },
  'POST /network/load_balancers': async ({ api }) => {
    const body = await newBalancer(api)
    const [record] = rows(await api.get(balancers))
    expect(record).toMatchObject({
      network_uuid: body['network_uuid'],
      billing_account_id: billing,
      forwarding_rules: body['rules'],
      targets: body['targets'],
    })
  },
} satisfies Partial<Exercises>

export const connectionExercises = {
  ...networkExercises,
  ...addressExercises,
  ...balancerExercises,
} satisfies Partial<Exercises>
