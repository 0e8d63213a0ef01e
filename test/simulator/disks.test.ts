import { describe, expect, test } from 'vitest'
import { billing, errorText, idOf, made, newDisk, newVm, open, profiles, rows, type Form } from './kit.ts'

describe.each(profiles)('block storage disks, %s', (profile) => {
  test('an empty disk by default', async () => {
    const api = await open({ profile })
    const answer = await api.form('POST', '/storage/disks', { size_gb: 10, billing_account_id: billing })
    expect(answer.status).toBe(profile === 'extended' ? 201 : 200)
    const disk = made(answer)
    expect(disk).toMatchObject({
      status: 'Active',
      user_id: 1001,
      billing_account_id: billing,
      size_gb: 10,
      source_image_type: 'EMPTY',
    })
    expect(disk).not.toHaveProperty('snapshots')
    expect(disk).not.toHaveProperty('source_image')
    expect(disk['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
    const read = made(await api.get(`/storage/disks/${idOf(disk)}`))
    expect(read).toEqual({ ...disk, snapshots: [] })
    expect(rows(await api.get('/storage/disks'))).toEqual([read])
  })

  test.each<[string, Form]>([
    ['size_gb', { billing_account_id: billing }],
    ['size_gb', { billing_account_id: billing, size_gb: 0 }],
    ['size_gb', { billing_account_id: billing, size_gb: 'big' }],
    ['billing_account_id', { size_gb: 10 }],
    ['billing_account_id', { size_gb: 10, billing_account_id: 9999 }],
    ['source_image_type', { size_gb: 10, billing_account_id: billing, source_image_type: 'TAPE' }],
    [
      'source_image',
      { size_gb: 10, billing_account_id: billing, source_image_type: 'OS_BASE', source_image: 'beos_5' },
    ],
    [
      'source_image',
      { size_gb: 10, billing_account_id: billing, source_image_type: 'DISK', source_image: 'none' },
    ],
    [
      'source_image',
      { size_gb: 10, billing_account_id: billing, source_image_type: 'SNAPSHOT', source_image: 'none' },
    ],
  ])('%s is refused in %j', async (field, form) => {
    const api = await open({ profile })
    const answer = await api.form('POST', '/storage/disks', form)
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toContain(field)
    expect(rows(await api.get('/storage/disks'))).toEqual([])
  })

  test.each(['OS_BASE', 'DISK', 'SNAPSHOT'])('source %s without a source image is refused', async (type) => {
    const api = await open({ profile })
    const form = { size_gb: 10, billing_account_id: billing, source_image_type: type }
    const answer = await api.form('POST', '/storage/disks', form)
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toContain('source_image')
    expect(api.simulator.control.counters().preconditionsViolated).toBe(1)
  })

  test('from an image, with the size of the image unless more is asked for', async () => {
    const api = await open({ profile })
    const form = { billing_account_id: billing, source_image_type: 'OS_BASE', source_image: 'ubuntu_22.04' }
    expect(made(await api.form('POST', '/storage/disks', form))).toMatchObject({
      size_gb: 5,
      source_image: 'ubuntu_22.04',
    })
    expect(made(await api.form('POST', '/storage/disks', { ...form, size_gb: 50 }))).toMatchObject({
      size_gb: 50,
    })
    expect((await api.form('POST', '/storage/disks', { ...form, size_gb: 4 })).status).toBe(400)
  })

  test('from a disk', async () => {
    const api = await open({ profile })
    const source = await newDisk(api)
    const form = { billing_account_id: billing, source_image_type: 'DISK', source_image: source }
    expect(made(await api.form('POST', '/storage/disks', form))).toMatchObject({
      size_gb: 10,
      source_image_type: 'DISK',
      source_image: source,
    })
    expect((await api.form('POST', '/storage/disks', { ...form, size_gb: 9 })).status).toBe(400)
  })

  test('from a snapshot', async () => {
    const api = await open({ profile })
    const source = await newDisk(api)
    const [snapshot = ''] = api.simulator.control.mutate({ do: 'snapshotDisk', disk: source }).ids
    const form = { billing_account_id: billing, source_image_type: 'SNAPSHOT', source_image: snapshot }
    expect(made(await api.form('POST', '/storage/disks', form))).toMatchObject({
      size_gb: 10,
      source_image: snapshot,
    })
  })

  test('snapshots are part of the record; a replica of a VM is one of its boot disk', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('POST', '/user-resource/vm/replica', { uuid })
    const [disk] = rows(await api.get('/storage/disks'))
    expect(disk?.['snapshots']).toEqual([
      {
        uuid: expect.any(String) as unknown,
        sizeGb: 20,
        created_at: expect.any(String) as unknown,
        disk_uuid: disk?.['uuid'],
      },
    ])
  })

  test('the billing account can be changed', async () => {
    const api = await open({ profile })
    const two = api.simulator.control.createAccount({ billingAccounts: [5, 6] })
    const own = api.as(two.apiKey)
    const id = await newDisk(own, { billing_account_id: 5 })
    const changed = await own.form('PATCH', `/storage/disks/${id}`, { billing_account_id: 6 })
    expect([changed.status, made(changed)['billing_account_id']]).toEqual([200, 6])
    expect((await own.form('PATCH', `/storage/disks/${id}`, {})).status).toBe(400)
    expect((await own.form('PATCH', `/storage/disks/${id}`, { billing_account_id: billing })).status).toBe(
      400,
    )
  })

  test('display_name exists as deployed', async () => {
    const api = await open({ profile })
    const id = await newDisk(api, { display_name: 'data 1' })
    const disk = made(await api.get(`/storage/disks/${id}`))
    expect(disk['display_name']).toBe(profile === 'extended' ? 'data 1' : undefined)
    const renamed = await api.form('PATCH', `/storage/disks/${id}`, { display_name: 'data 2' })
    expect(renamed.status).toBe(profile === 'extended' ? 200 : 400)
    if (profile === 'extended')
      expect(made(renamed)).toMatchObject({ display_name: 'data 2', billing_account_id: billing })
  })

  test('deleting answers 204 and loses the data and the snapshots', async () => {
    const api = await open({ profile })
    const id = await newDisk(api)
    const [snapshot = ''] = api.simulator.control.mutate({ do: 'snapshotDisk', disk: id }).ids
    const answer = await api.bare('DELETE', `/storage/disks/${id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(rows(await api.get('/storage/disks'))).toEqual([])
    expect(api.simulator.control.counters().lostDataTokens).toEqual([`disk/${id}/1`])
    const form = { billing_account_id: billing, source_image_type: 'SNAPSHOT', source_image: snapshot }
    expect((await api.form('POST', '/storage/disks', form)).status).toBe(400)
  })

  test('a deleted disk is a tombstone as deployed, unknown otherwise', async () => {
    const api = await open({ profile })
    const id = await newDisk(api)
    await api.bare('DELETE', `/storage/disks/${id}`)
    const answer = await api.get(`/storage/disks/${id}`)
    if (profile === 'extended') expect(made(answer)).toMatchObject({ status: 'Deleted' })
    else expect([answer.status, errorText(answer)]).toEqual([404, 'Disk not found'])
    expect((await api.bare('DELETE', `/storage/disks/${id}`)).status).toBe(404)
  })

  test('an attached disk and a boot disk cannot be deleted', async () => {
    const api = await open({ profile })
    await newVm(api)
    const [boot] = rows(await api.get('/storage/disks'))
    expect((await api.bare('DELETE', `/storage/disks/${idOf(boot ?? {})}`)).status).toBe(400)
  })

  test('the singular path works as deployed', async () => {
    const api = await open({ profile })
    const id = await newDisk(api)
    expect((await api.get(`/storage/disk/${id}`)).status).toBe(profile === 'extended' ? 200 : 404)
    expect((await api.bare('DELETE', `/storage/disk/${id}`)).status).toBe(profile === 'extended' ? 204 : 404)
  })

  test('a disk belongs to its location and its account', async () => {
    const api = await open({ profile })
    const id = await newDisk(api)
    expect((await api.get(`/sgp01/storage/disks/${id}`)).status).toBe(404)
    const other = api.as(api.simulator.control.createAccount().apiKey)
    expect((await other.get(`/storage/disks/${id}`)).status).toBe(404)
  })

  test('a deployment may round sizes up', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('diskStepGib', 8)
    expect(made(await api.get(`/storage/disks/${await newDisk(api)}`))).toMatchObject({ size_gb: 16 })
  })
})
