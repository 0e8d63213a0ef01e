import { describe, expect, test } from 'vitest'
import {
  billing,
  errorText,
  idOf,
  made,
  newDisk,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  stopVm,
  vmForm,
  without,
  type Json,
} from './kit.ts'

describe.each(profiles)('creating a VM, %s', (profile) => {
  test('the answer is the running VM with its boot disk', async () => {
    const api = await open({ profile })
    const form = vmForm({ description: 'front end', backup: true })
    const vm = made(await api.form('POST', '/user-resource/vm', form))
    expect(vm).toMatchObject({
      name: 'web-1',
      description: 'front end',
      status: 'running',
      backup: true,
      billing_account: billing,
      user_id: 1001,
      username: 'someone',
      memory: 2048,
      vcpu: 2,
      os_name: 'ubuntu',
      os_version: '22.04',
      designated_pool_name: 'general',
    })
    expect(vm['storage']).toEqual([
      expect.objectContaining({
        name: 'vda',
        primary: true,
        shared: false,
        size: 20,
        type: 'block',
        replica: [],
      }),
    ])
    expect(await readVm(api, idOf(vm))).toEqual(vm)
    expect(rows(await api.get('/user-resource/vm/list'))).toEqual([vm])
  })

  test('deployed records lack what the interface lists, and neither has a public address', async () => {
    const api = await open({ profile })
    const vm = await readVm(api, await newVm(api))
    for (const field of ['id', 'tags', 'public_ipv6']) expect(field in vm).toBe(profile === 'documented')
    expect(Object.keys(vm).filter((field) => /public_ipv4|network/.test(field))).toEqual([])
  })

  test('by default a nameless floating IP is reserved and assigned', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [ip] = rows(await api.get('/network/ip_addresses'))
    expect(ip).toMatchObject({ assigned_to: uuid, assigned_to_resource_type: 'virtual_machine' })
    expect(ip?.['name'] ?? '').toBe('')
    expect(ip?.['assigned_to_private_ip']).toBe((await readVm(api, uuid))['private_ipv4'])
  })

  test('reserve_public_ip false makes none', async () => {
    const api = await open({ profile })
    await newVm(api, { reserve_public_ip: false })
    expect(rows(await api.get('/network/ip_addresses'))).toEqual([])
  })

  test('the boot disk is in the disk list too', async () => {
    const api = await open({ profile })
    const vm = await readVm(api, await newVm(api))
    const [disk] = rows(await api.get('/storage/disks'))
    expect(disk).toMatchObject({ size_gb: 20, source_image_type: 'OS_BASE', source_image: 'ubuntu_22.04' })
    expect(disk?.['uuid']).toBe((vm['storage'] as Json[])[0]?.['uuid'])
    expect(disk).not.toHaveProperty('display_name')
  })

  test.each(['name', 'os_name', 'os_version', 'disks', 'vcpu', 'ram', 'billing_account_id'])(
    'without %s it is refused, and empty is no value',
    async (field) => {
      const api = await open({ profile })
      for (const form of [without(vmForm(), field), vmForm({ [field]: '' })]) {
        const answer = await api.form('POST', '/user-resource/vm', form)
        expect(answer.status).toBe(400)
        if (profile === 'extended')
          expect(answer.body).toEqual({ errors: { [field]: 'This field is required' } })
        else expect(errorText(answer)).toContain(field)
      }
      expect(rows(await api.get('/storage/disks'))).toEqual([])
      expect(rows(await api.get('/network/ip_addresses'))).toEqual([])
    },
  )

  test.each([
    ['vcpu', 'two'],
    ['ram', '1.5'],
    ['disks', '-5'],
    ['backup', 'maybe'],
    ['billing_account_id', '9999'],
    ['designated_pool_uuid', 'none'],
    ['network_uuid', 'none'],
    ['cloud_init', 'not json'],
    ['cloud_init', '{"packages":["nginx"]}'],
    ['disk_uuid', 'none'],
  ])('%s=%s is refused', async (field, value) => {
    const api = await open({ profile })
    const form = field === 'disk_uuid' ? vmForm({ disks: '', disk_uuid: value }) : vmForm({ [field]: value })
    const answer = await api.form('POST', '/user-resource/vm', form)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(field)
    expect(rows(await api.get('/user-resource/vm/list'))).toEqual([])
  })

  test.each([
    ['username', 'root'],
    ['password', 'Short1'],
    ['password', 'alllowercase1'],
    ['password', 'ALLUPPERCASE1'],
    ['password', 'NoDigitsHere'],
  ])('%s %s is refused as deployed', async (field, value) => {
    const api = await open({ profile })
    const answer = await api.form('POST', '/user-resource/vm', vmForm({ [field]: value }))
    expect(answer.status).toBe(profile === 'extended' ? 400 : 200)
    if (profile === 'extended') expect(answer.body).toHaveProperty(['errors', field])
    const uuid = await newVm(api)
    const fields = { uuid, username: 'someone', password: 'Another123', [field]: value }
    const changed = await api.form('PATCH', '/user-resource/vm/user', fields)
    expect(changed.status).toBe(profile === 'extended' && field === 'password' ? 400 : 200)
  })

  test('an unknown image is refused with the list', async () => {
    const api = await open({ profile })
    const answer = await api.form('POST', '/user-resource/vm', vmForm({ os_version: '18.04' }))
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/ubuntu_20\.04, ubuntu_22\.04, ubuntu_24\.04, debian_11/)
  })

  test('names are not unique', async () => {
    const api = await open({ profile })
    expect(await newVm(api)).not.toBe(await newVm(api))
  })

  test('cloud-init with runcmd and write_files arrives as sent', async () => {
    const api = await open({ profile })
    const config = JSON.stringify({
      runcmd: ['echo a + b'],
      write_files: [{ path: '/x', content: '50% & more' }],
    })
    await newVm(api, { cloud_init: config })
    expect(api.simulator.control.inventory().vms[0]?.['cloudInit']).toBe(config)
  })

  test('a restricted token needs no billing account', async () => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ restrictedTo: 77 }).apiKey)
    const vm = made(await own.form('POST', '/user-resource/vm', without(vmForm(), 'billing_account_id')))
    expect(vm).toMatchObject({ billing_account: 77 })
  })

  test('a pool can be chosen', async () => {
    const api = await open({ profile })
    const [, pool] = rows(await api.get('/user-resource/host_pool/list'))
    const uuid = await newVm(api, { designated_pool_uuid: String(pool?.['uuid']) })
    expect(await readVm(api, uuid)).toMatchObject({
      designated_pool_name: 'fast',
      designated_pool_uuid: pool?.['uuid'],
    })
  })

  test('an unattached disk can be the boot disk, and disks must then be empty', async () => {
    const api = await open({ profile })
    const disk = await newDisk(api, { source_image_type: 'OS_BASE', source_image: 'debian_12' })
    const refused = await api.form('POST', '/user-resource/vm', vmForm({ disk_uuid: disk }))
    expect(refused.status).toBe(400)
    const uuid = await newVm(api, { disk_uuid: disk, disks: '', os_name: 'debian', os_version: '12' })
    const vm = await readVm(api, uuid)
    expect(vm).toMatchObject({ os_name: 'debian', os_version: '12' })
    expect(vm['storage']).toEqual([expect.objectContaining({ uuid: disk, primary: true })])
    const again = await api.form('POST', '/user-resource/vm', vmForm({ disk_uuid: disk, disks: '' }))
    expect(again.status).toBe(400)
  })

  test('a VM belongs to its location', async () => {
    const api = await open({ profile })
    const vm = made(await api.form('POST', '/sgp01/user-resource/vm', vmForm()))
    expect(rows(await api.get('/sgp01/user-resource/vm/list'))).toEqual([vm])
    expect(rows(await api.get('/user-resource/vm/list'))).toEqual([])
    expect((await api.get(`/user-resource/vm?uuid=${idOf(vm)}`)).status).toBe(400)
  })

  test("another account's VM is unknown", async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const other = api.as(api.simulator.control.createAccount().apiKey)
    const answer = await other.form('DELETE', '/user-resource/vm', { uuid })
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(new RegExp(`${uuid}$`))
  })
})

describe.each(profiles)('changing a VM, %s', (profile) => {
  test('a running VM can be renamed', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const vm = made(await api.form('PATCH', '/user-resource/vm', { uuid, name: 'web 2' }))
    expect(vm).toMatchObject({ uuid, name: 'web 2', status: 'running' })
  })

  test('the description cannot be changed', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { description: 'first' })
    expect((await api.form('PATCH', '/user-resource/vm', { uuid, description: 'second' })).status).toBe(400)
    await api.form('PATCH', '/user-resource/vm', { uuid, name: 'x', description: 'second' })
    expect(await readVm(api, uuid)).toMatchObject({ description: 'first' })
  })

  test.each([
    ['vcpu', 4],
    ['ram', 4096],
  ])('%s needs the VM stopped', async (field, value) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const refused = await api.form('PATCH', '/user-resource/vm', { uuid, [field]: value })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ errors: { Error: expect.stringMatching(/stopped/) as unknown } })
    expect(api.simulator.control.counters().preconditionsViolated).toBe(1)
    await stopVm(api, uuid)
    const vm = made(await api.form('PATCH', '/user-resource/vm', { uuid, [field]: value }))
    expect(vm[field === 'ram' ? 'memory' : 'vcpu']).toBe(value)
  })

  test.each([
    ['vcpu', 2],
    ['ram', 2048],
  ])('an unchanged %s is refused as deployed', async (field, value) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await stopVm(api, uuid)
    const answer = await api.form('PATCH', '/user-resource/vm', { uuid, [field]: value })
    expect(answer.status).toBe(profile === 'extended' ? 400 : 200)
    api.simulator.control.setRule('refuseUnchanged', false)
    expect((await api.form('PATCH', '/user-resource/vm', { uuid, [field]: value })).status).toBe(200)
  })

  test('a deployment may round ram up', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('ramStepMib', 1024)
    expect(await readVm(api, await newVm(api, { ram: 1500 }))).toMatchObject({ memory: 2048 })
  })

  test('backup is a toggle', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect(made(await api.form('POST', '/user-resource/vm/backup', { uuid }))).toMatchObject({ backup: true })
    expect(made(await api.form('POST', '/user-resource/vm/backup', { uuid }))).toMatchObject({
      backup: false,
    })
  })

  test('a password changes only while the VM runs', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const fields = { uuid, username: 'someone', password: 'Another123' }
    const before = api.simulator.control.inventory().vms[0]?.['passwordSha256']
    expect(made(await api.form('PATCH', '/user-resource/vm/user', fields))).toEqual({ success: true })
    expect(api.simulator.control.inventory().vms[0]?.['passwordSha256']).not.toBe(before)
    await stopVm(api, uuid)
    const refused = await api.form('PATCH', '/user-resource/vm/user', fields)
    expect(refused.status).toBe(400)
    expect(errorText(refused)).toMatch(/running/)
  })

  test('list rows can come without description and storage', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('sparseVmRows', true)
    const uuid = await newVm(api, { description: 'x' })
    const [row] = rows(await api.get('/user-resource/vm/list'))
    expect(row).toMatchObject({ uuid, name: 'web-1' })
    expect(row).not.toHaveProperty('description')
    expect(row).not.toHaveProperty('storage')
    expect(await readVm(api, uuid)).toMatchObject({ description: 'x' })
  })
})

describe.each(profiles)('deleting a VM, %s', (profile) => {
  test('it takes its boot disk and attached data disks along; its address stays, unassigned', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const disk = await newDisk(api)
    made(await api.form('POST', '/user-resource/vm/storage/attach', { uuid, storage_uuid: disk }))
    const tokens = api.simulator.control.inventory().disks.map((row) => row['dataToken'])
    expect((await api.form('DELETE', '/user-resource/vm', { uuid })).status).toBe(200)
    expect(rows(await api.get('/user-resource/vm/list'))).toEqual([])
    expect(rows(await api.get('/storage/disks'))).toEqual([])
    const [ip] = rows(await api.get('/network/ip_addresses'))
    expect(ip).toMatchObject({ assigned_to: null })
    expect([...api.simulator.control.counters().lostDataTokens].sort()).toEqual([...tokens].sort())
  })

  test('a detached disk outlives it; an attached one does where the deployment is kind', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('dataDisksDieWithVm', false)
    const uuid = await newVm(api)
    const disk = await newDisk(api)
    await api.form('POST', '/user-resource/vm/storage/attach', { uuid, storage_uuid: disk })
    await api.form('DELETE', '/user-resource/vm', { uuid })
    expect(rows(await api.get('/storage/disks')).map((row) => row['uuid'])).toEqual([disk])
  })

  test('the exact read shows a tombstone as deployed; the list omits it', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    await api.form('DELETE', '/user-resource/vm', { uuid })
    const answer = await api.get(`/user-resource/vm?uuid=${uuid}`)
    if (profile === 'extended') expect(made(answer)).toMatchObject({ uuid, status: 'Deleted' })
    else expect(errorText(answer)).toMatch(new RegExp(`${uuid}$`))
    api.simulator.control.setRule('tombstones', profile === 'documented')
    expect((await api.get(`/user-resource/vm?uuid=${uuid}`)).status).toBe(
      profile === 'documented' ? 200 : 400,
    )
  })

  test.each(['DELETE /user-resource/vm', 'POST /user-resource/vm/start', 'POST /user-resource/vm/stop'])(
    '%s of an unknown VM: the message ends with its id',
    async (operation) => {
      const api = await open({ profile })
      const [method = '', path = ''] = operation.split(' ')
      const answer = await api.form(method, path, { uuid: 'aaaa-bbbb' })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ errors: { Error: expect.stringMatching(/aaaa-bbbb$/) as unknown } })
    },
  )
})
