import { describe, expect, test } from 'vitest'
import {
  made,
  newVm,
  open,
  profiles,
  readVm,
  rows,
  stopVm,
  vmForm,
  idOf,
  errorText,
  type Json,
  handClock,
} from './kit.ts'

describe.each(profiles)('power, %s', (profile) => {
  test('stop answers with the stopped VM, start starts it', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect(made(await api.form('POST', '/user-resource/vm/stop', { uuid }))).toMatchObject({
      status: 'stopped',
    })
    const start = await api.form('POST', '/user-resource/vm/start', { uuid })
    expect([start.status, start.text === '']).toEqual([200, profile === 'documented'])
    expect(await readVm(api, uuid)).toMatchObject({ status: 'running' })
  })

  test('start of a running and stop of a stopped VM change nothing', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const running = await readVm(api, uuid)
    expect((await api.form('POST', '/user-resource/vm/start', { uuid })).status).toBe(200)
    expect(await readVm(api, uuid)).toEqual(running)
    await stopVm(api, uuid)
    const stopped = await readVm(api, uuid)
    await stopVm(api, uuid)
    expect(await readVm(api, uuid)).toEqual(stopped)
    api.simulator.control.setRule('powerNoop', 'refuse')
    expect((await api.form('POST', '/user-resource/vm/stop', { uuid })).status).toBe(400)
  })

  test('a guest can ignore a graceful stop, but not a forced one', async () => {
    const api = await open({ profile })
    const [deaf, other] = [await newVm(api), await newVm(api)]
    api.simulator.control.setRule('acpiIgnored', [deaf])
    await stopVm(api, deaf)
    await stopVm(api, other)
    expect(await readVm(api, deaf)).toMatchObject({ status: 'running' })
    expect(await readVm(api, other)).toMatchObject({ status: 'stopped' })
    made(await api.form('POST', '/user-resource/vm/stop', { uuid: deaf, force: true }))
    expect(await readVm(api, deaf)).toMatchObject({ status: 'stopped' })
  })

  test('rescue mode lasts for one launch', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const rescue = () => api.simulator.control.inventory().vms[0]?.['rescue']
    expect((await api.form('POST', '/user-resource/vm/rescue_start', { uuid })).status).toBe(400)
    await stopVm(api, uuid)
    expect((await api.form('POST', '/user-resource/vm/rescue_start', { uuid })).status).toBe(200)
    expect(rescue()).toBe(true)
    expect(await readVm(api, uuid)).toMatchObject({ status: 'running' })
    await stopVm(api, uuid)
    await api.form('POST', '/user-resource/vm/start', { uuid })
    expect(rescue()).toBe(false)
  })

  test('a VM that is being created is there, locked, and answers when it runs', async () => {
    const { clock, advance } = handClock()
    const api = await open({ profile, timing: 'real', clock })
    const creating = api.form('POST', '/user-resource/vm', vmForm())
    let [row]: Json[] = []
    while (row === undefined) [row] = rows(await api.get('/user-resource/vm/list'))
    expect(row).toMatchObject({ status: 'creating' })
    const uuid = idOf(row)
    const locked = await api.form('PATCH', '/user-resource/vm', { uuid, name: 'x' })
    expect(locked.status).toBe(409)
    expect(errorText(locked)).toMatch(/locked/)
    advance(33_000)
    expect(made(await creating)).toMatchObject({ uuid, status: 'running' })
    expect((await api.form('PATCH', '/user-resource/vm', { uuid, name: 'x' })).status).toBe(200)
  })

  test('a VM that is stopping is locked', async () => {
    const { clock, advance } = handClock()
    const api = await open({ profile, timing: 'real', clock })
    const [uuid = ''] = api.simulator.control.mutate({ do: 'create', kind: 'vm' }).ids
    const stopping = api.form('POST', '/user-resource/vm/stop', { uuid })
    while ((await readVm(api, uuid))['status'] !== 'stopping');
    expect((await api.form('POST', '/user-resource/vm/start', { uuid })).status).toBe(409)
    expect((await api.form('DELETE', '/user-resource/vm', { uuid })).status).toBe(409)
    advance(22_000)
    expect(made(await stopping)).toMatchObject({ status: 'stopped' })
  })

  test('an operation goes on when its client goes away', async () => {
    const { clock, advance } = handClock()
    const api = await open({ profile, timing: 'real', clock })
    const client = new AbortController()
    const url = `${api.simulator.url}/v1/user-resource/vm`
    const body = new URLSearchParams(
      Object.entries(vmForm()).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const headers = { apikey: api.simulator.apiKey }
    const creating = fetch(url, { method: 'POST', body, headers, signal: client.signal }).catch(() => 'gone')
    while (rows(await api.get('/user-resource/vm/list')).length === 0);
    client.abort()
    expect(await creating).toBe('gone')
    const status = async () => rows(await api.get('/user-resource/vm/list'))[0]?.['status']
    expect(await status()).toBe('creating')
    advance(33_000)
    expect(await status()).toBe('running')
  })
})

describe.each(profiles)('replacing what is on a VM, %s', (profile) => {
  const lost = (api: Awaited<ReturnType<typeof open>>) => api.simulator.control.counters().lostDataTokens

  test('reinstall keeps the image by default, and loses the data', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [disk] = api.simulator.control.inventory().disks
    const vm = made(await api.form('POST', '/user-resource/vm/reinstall', { uuid }))
    expect(vm).toMatchObject({ os_name: 'ubuntu', os_version: '22.04', status: 'running' })
    expect(lost(api)).toEqual([disk?.['dataToken']])
  })

  test.each([
    [{ os_name: 'debian', os_version: '12' }, 'debian', '12'],
    [{ os_version: '24.04' }, 'ubuntu', '24.04'],
    [{ base_os_image: 'rocky_9' }, 'rocky', '9'],
  ])('reinstall with %j', async (fields, os, version) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const vm = made(await api.form('POST', '/user-resource/vm/reinstall', { uuid, ...fields }))
    expect(vm).toMatchObject({ os_name: os, os_version: version })
    expect(rows(await api.get('/storage/disks'))[0]).toMatchObject({ source_image: `${os}_${version}` })
  })

  test('reinstall with an unknown image changes nothing', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const answer = await api.form('POST', '/user-resource/vm/reinstall', { uuid, base_os_image: 'beos_5' })
    expect(answer.status).toBe(400)
    expect(lost(api)).toEqual([])
  })

  test('rebuild restores a replica of this VM only', async () => {
    const api = await open({ profile })
    const [uuid, other] = [await newVm(api), await newVm(api)]
    const item = made(await api.form('POST', '/user-resource/vm/replica', { uuid }))
    const replica = idOf((item['replica'] as Json[])[0] ?? {})
    const wrong = await api.form('POST', '/user-resource/vm/rebuild', { uuid: other, replica_uuid: replica })
    expect(wrong.status).toBe(400)
    const vm = made(await api.form('POST', '/user-resource/vm/rebuild', { uuid, replica_uuid: replica }))
    expect(vm).toMatchObject({ uuid, status: 'running' })
    expect(lost(api)).toHaveLength(1)
  })

  test('a clone copies all but the name: description, address and boot disk too', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { description: 'the original' })
    const clone = made(await api.form('POST', '/user-resource/vm/clone', { uuid, name: 'web-2' }))
    expect(clone).toMatchObject({
      name: 'web-2',
      description: 'the original',
      memory: 2048,
      status: 'running',
    })
    expect(idOf(clone)).not.toBe(uuid)
    expect(rows(await api.get('/storage/disks'))).toHaveLength(2)
    const targets = rows(await api.get('/network/ip_addresses')).map((ip) => ip['assigned_to'])
    expect(targets).toEqual([uuid, idOf(clone)])
  })
})
