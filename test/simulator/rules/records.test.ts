/** Rules on records: their fields, the kinds of their values, their three shapes of time. */
import { describe, expect, test } from 'vitest'
import { idOf, open, profiles, type Json } from '../kit.ts'
import { deployedLack, fields, isOf } from './fields.ts'
import { sampleOf, type RecordName } from './sample.ts'

/** Pairs of field and kind. */
const listed = (record: RecordName): [string, string][] =>
  Object.entries(fields[record]).flatMap(([kind, names]) =>
    names
      .split(' ')
      .filter((name) => name !== '')
      .map((name): [string, string] => [name, kind]),
  )

describe.each(profiles)('records, %s', (profile) => {
  test.each([
    'user',
    'profile',
    'API token',
    'location',
    'VM',
    'storage item',
    'replica',
    'resource pool',
    'disk',
    'new disk',
    'disk snapshot',
    'bucket',
    'object storage user',
    'key pair',
    'private network',
    'floating IP',
    'unassigned floating IP',
    'load balancer',
    'forwarding rule',
    'target',
  ] as const)('the fields of a record: %s', async (name) => {
    const record = (await sampleOf(await open({ profile })))[name]
    const lacking = profile === 'extended' ? (deployedLack[name] ?? []) : []
    const expected = listed(name).filter(([field]) => !lacking.includes(field))
    for (const [field, kind] of expected)
      expect([field, record[field], isOf(kind, record[field])]).toEqual([field, record[field], true])
    const names = expected.map(([field]) => field)
    if (profile === 'documented') expect(Object.keys(record).sort()).toEqual(names.sort())
    else expect(Object.keys(record)).toEqual(expect.arrayContaining(names))
  })

  test.each([
    ['VM', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, ['VM', 'private network', 'floating IP', 'load balancer']],
    ['storage item', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/, ['storage item', 'replica']],
    ['disk', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/, ['disk', 'disk snapshot', 'bucket']],
  ] as [string, RegExp, RecordName[]][])('times in %s style', async (_style, shape, names) => {
    const sample = await sampleOf(await open({ profile }))
    for (const name of names) expect(sample[name]['created_at'], name).toMatch(shape)
  })

  test('values that name a state or a type are those seen', async () => {
    const sample = await sampleOf(await open({ profile }))
    expect(sample.VM['status']).toBe('running')
    expect(sample['storage item']).toMatchObject({ type: 'block', primary: true })
    expect(sample.replica['type']).toBe('snapshot')
    expect(sample.disk['status']).toBe('Active')
    expect(sample['private network']['type']).toBe('private')
    expect(sample['floating IP']).toMatchObject({
      type: 'public',
      assigned_to_resource_type: 'virtual_machine',
    })
    expect(sample['forwarding rule']).toMatchObject({
      protocol: 'TCP',
      settings: { connection_limit: expect.any(Number) as unknown, session_persistence: 'SOURCE_IP' },
    })
    expect(sample.target['target_type']).toBe('vm')
  })

  test('a replica is named after its disk and the second it was taken in', async () => {
    const { replica, 'storage item': item } = await sampleOf(await open({ profile }))
    const taken = String(replica['created_at']).slice(0, 19).replace(/[ :]/g, '-')
    expect(replica).toMatchObject({ master_uuid: item['uuid'], master_id: item['id'] })
    expect(replica['uuid']).toBe(idOf(item) + taken)
  })

  test('records that belong together name each other', async () => {
    const sample = await sampleOf(await open({ profile }))
    const [item] = sample.VM['storage'] as Json[]
    expect(item?.['uuid']).toBe(sample.disk['uuid'])
    expect(sample['disk snapshot']['disk_uuid']).toBe(sample.disk['uuid'])
    expect(sample['private network']['vm_uuids']).toEqual([sample.VM['uuid']])
    expect(sample['floating IP']).toMatchObject({
      assigned_to: sample.VM['uuid'],
      assigned_to_private_ip: sample.VM['private_ipv4'],
    })
    expect(sample.target).toMatchObject({
      target_uuid: sample.VM['uuid'],
      target_ip_address: sample.VM['private_ipv4'],
    })
    expect(sample['key pair']['userId']).toBe(sample['object storage user']['userId'])
    expect(sample.profile['user_id']).toBe(sample.user['id'])
  })

  test('the address by which a floating IP is read is in its record', async () => {
    const { 'floating IP': floatingIp } = await sampleOf(await open({ profile }))
    expect(idOf(floatingIp, 'address')).toMatch(/^198\.1[89]\./)
  })
})

test('extended: list rows may lack fields of the record', async () => {
  const api = await open()
  const { VM } = await sampleOf(api)
  api.simulator.control.setRule('sparseVmRows', true)
  const [row] = (await api.get('/user-resource/vm/list')).body as Json[]
  expect(VM).toMatchObject(row ?? {})
  expect(Object.keys(row ?? {}).length).toBeLessThan(Object.keys(VM).length)
})
