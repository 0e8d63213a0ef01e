/** An account with one of everything, and the records the service shows of it. */
import { expect } from 'vitest'
import { billing, idOf, made, newDisk, newVm, readVm, rows, type Api, type Json } from '../kit.ts'

export type RecordName =
  | 'user'
  | 'profile'
  | 'API token'
  | 'location'
  | 'VM'
  | 'storage item'
  | 'replica'
  | 'resource pool'
  | 'disk'
  | 'new disk'
  | 'disk snapshot'
  | 'bucket'
  | 'object storage user'
  | 'key pair'
  | 'private network'
  | 'floating IP'
  | 'unassigned floating IP'
  | 'load balancer'
  | 'forwarding rule'
  | 'target'

export type Sample = Record<RecordName, Json>

const first = (list: unknown): Json => {
  expect(list).toBeInstanceOf(Array)
  const [item] = list as Json[]
  return item ?? expect.fail('the list is empty')
}

/** Makes one of everything and reads it back, each by the operation that shows it. */
export async function sampleOf(api: Api): Promise<Sample> {
  const user = made(await api.get('/user-resource/user'))
  return {
    user,
    profile: made(await api.form('PATCH', '/user-resource/user/profile', { first_name: 'Ada' })),
    'API token': first(rows(await api.get('/user-resource/token/list'))),
    location: first(rows(await api.get('/config/locations'))),
    'resource pool': first(rows(await api.get('/user-resource/host_pool/list'))),
    ...(await machineRecords(api)),
    ...(await objectRecords(api)),
    ...(await balancerRecords(api)),
  }
}

async function machineRecords(api: Api) {
  const uuid = await newVm(api, { description: 'a machine' })
  const storage = made(await api.form('POST', '/user-resource/vm/replica', { uuid }))
  const replica = first(storage['replica'])
  const disk = made(await api.get(`/storage/disks/${idOf(storage)}`))
  const form = { billing_account_id: billing, source_image_type: 'DISK', source_image: await newDisk(api) }
  const floatingIp = first(rows(await api.get(`/network/ip_addresses?vm_uuid=${uuid}`)))
  const path = `/network/ip_addresses/${idOf(floatingIp, 'address')}`
  await api.json('PATCH', path, { name: 'front' })
  return {
    VM: await readVm(api, uuid),
    'storage item': storage,
    replica,
    disk,
    'new disk': made(await api.form('POST', '/storage/disks', form)),
    'disk snapshot': first(disk['snapshots']),
    'private network': first(rows(await api.get('/network/networks'))),
    'floating IP': made(await api.get(path)),
    'unassigned floating IP': made(await api.bare('POST', `${path}/unassign`)),
  }
}

async function objectRecords(api: Api) {
  const user = made(await api.get('/storage/user'))
  const form = { name: 'my-logs', billing_account_id: billing }
  return {
    bucket: made(await api.form('PUT', '/storage/bucket', form)),
    'object storage user': user,
    'key pair': first(user['s3Credentials']),
  }
}

async function balancerRecords(api: Api) {
  const network = first(rows(await api.get('/network/networks')))
  const [vm] = network['vm_uuids'] as string[]
  const answer = await api.json('POST', '/network/load_balancers', {
    display_name: 'front',
    billing_account_id: billing,
    network_uuid: network['uuid'],
    reserve_public_ip: false,
    rules: [{ source_port: 80, target_port: 8080 }],
    targets: [{ target_uuid: vm, target_type: 'vm' }],
  })
  expect(answer.status).toBeLessThan(300)
  const balancer = first(rows(await api.get('/network/load_balancers')))
  return {
    'load balancer': balancer,
    'forwarding rule': first(balancer['forwarding_rules']),
    target: first(balancer['targets']),
  }
}
