import { describe, expect, test } from 'vitest'
import { createAdminClient } from '../../src/simulator/admin-client.ts'
import type { Call } from '../../src/simulator/calls.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { systemClock, type Clock } from '../../src/loop/clock.ts'
import { billing, made, newDisk, newVm, open, profiles, readVm, rows, vmForm, without } from './kit.ts'

describe('the call log', () => {
  test('says who asked what and what came of it, without secrets', async () => {
    const api = await open()
    const { apiKey, control, url } = api.simulator
    const uuid = await newVm(api, {
      cloud_init: '{"runcmd":["secret-token"]}',
      public_key: 'ssh-ed25519 AAAA',
    })
    await fetch(`${url}/v1/sgp01/user-resource/vm?uuid=x`, {
      headers: { apikey: apiKey, 'x-operation-id': 'op-1' },
    })
    const [create, read] = control.calls()
    expect(create).toMatchObject({ seq: 1, method: 'POST', path: '/user-resource/vm', status: 200 })
    expect(create?.effect).toContain(`created vm ${uuid}`)
    expect(create?.body).toMatchObject({ name: 'web-1', password: '[redacted]', cloud_init: '[redacted]' })
    expect(read).toMatchObject({
      seq: 2,
      location: 'sgp01',
      query: { uuid: 'x' },
      status: 400,
      operationId: 'op-1',
    })
    const text = JSON.stringify(control.calls())
    for (const secret of [apiKey, 'Secret123', 'secret-token', 'AAAA']) expect(text).not.toContain(secret)
  })

  test('can be read from a point on, and of changes only', async () => {
    const api = await open()
    const { control } = api.simulator
    await newVm(api)
    await api.get('/storage/user')
    await api.get('/storage/user/keys')
    await newDisk(api)
    expect(control.calls({ since: 2 }).map((call) => call.seq)).toEqual([3, 4])
    expect(control.calls({ mutationsOnly: true }).map((call) => call.seq)).toEqual([1, 2, 4])
  })

  test('counters count calls and changes by operation', async () => {
    const api = await open()
    await newDisk(api)
    await api.form('POST', '/storage/disks', {})
    const { calls, mutations } = api.simulator.control.counters()
    expect(calls['POST /storage/disks']).toBe(2)
    expect(mutations['POST /storage/disks']).toBe(1)
  })
})

describe('inventory', () => {
  test('is the same again after everything made is deleted', async () => {
    const api = await open()
    const { control } = api.simulator
    const before = control.inventory()
    const uuid = await newVm(api)
    const [ip] = rows(await api.get('/network/ip_addresses'))
    await newDisk(api)
    expect(control.inventory()).not.toEqual(before)
    for (const disk of control.inventory().disks.filter((row) => row['attachedTo'] === null))
      await api.bare('DELETE', `/storage/disks/${String(disk['uuid'])}`)
    await api.form('DELETE', '/user-resource/vm', { uuid })
    await api.bare('DELETE', `/network/ip_addresses/${String(ip?.['address'])}`)
    const plain = (inventory: object) => without(inventory, 'networks')
    expect(plain(control.inventory())).toEqual(plain(before))
  })

  test('holds one account or all, and no secrets', async () => {
    const api = await open()
    const { control, apiKey } = api.simulator
    const other = control.createAccount()
    await newVm(api)
    await api.get('/storage/user')
    expect(control.inventory(other.apiKey).vms).toEqual([])
    expect(control.inventory(apiKey).vms).toHaveLength(1)
    expect(control.inventory().tokens).toHaveLength(2)
    const text = JSON.stringify(control.inventory())
    expect(text).not.toContain(apiKey)
    expect(text).not.toContain(other.apiKey)
    const [pair] = rows(await api.get('/storage/user/keys'))
    expect(text).not.toContain(String(pair?.['secretKey']))
  })
})

describe('quotas', () => {
  test.each([
    ['vms', 1],
    ['vcpus', 3],
    ['memoryMib', 3000],
    ['disks', 1],
    ['diskGib', 30],
    ['floatingIps', 1],
  ] as const)('%s: a second VM is refused and leaves nothing', async (what, limit) => {
    const api = await open()
    const { control } = api.simulator
    control.setQuota({ [what]: limit })
    await newVm(api)
    const before = control.inventory()
    const answer = await api.form('POST', '/user-resource/vm', vmForm())
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/[Qq]uota/)
    expect(control.inventory()).toEqual(before)
  })

  test('a resize beyond the quota is refused', async () => {
    const api = await open()
    api.simulator.control.setQuota({ vcpus: 4 })
    const uuid = await newVm(api)
    await api.form('POST', '/user-resource/vm/stop', { uuid })
    expect((await api.form('PATCH', '/user-resource/vm', { uuid, vcpu: 5 })).status).toBe(400)
    expect((await api.form('PATCH', '/user-resource/vm', { uuid, vcpu: 4 })).status).toBe(200)
  })

  test('networks, buckets, load balancers and tokens have theirs', async () => {
    const api = await open()
    api.simulator.control.setQuota({ networks: 1, buckets: 0, loadBalancers: 0, tokens: 1 })
    const [network] = rows(await api.get('/network/networks'))
    const body = {
      display_name: 'a',
      billing_account_id: billing,
      network_uuid: network?.['uuid'],
      rules: [],
      targets: [],
    }
    const answers = [
      await api.bare('POST', '/network/network?name=x'),
      await api.form('PUT', '/storage/bucket', { name: 'abc', billing_account_id: billing }),
      await api.json('POST', '/network/load_balancers', body),
      await api.form('POST', '/user-resource/token', { description: 'x' }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400])
  })
})

describe('changes behind the back', () => {
  test('a VM can be given any state', async () => {
    const api = await open()
    const uuid = await newVm(api)
    api.simulator.control.mutate({
      do: 'setVm',
      uuid,
      set: { status: 'migrating', vcpu: 16, name: 'other', busy: true },
    })
    expect(await readVm(api, uuid)).toMatchObject({ status: 'migrating', vcpu: 16, name: 'other' })
    expect((await api.form('POST', '/user-resource/vm/stop', { uuid })).status).toBe(409)
  })

  test.each(profiles)('things can be renamed, moved and deleted, %s', async (profile) => {
    const api = await open({ profile })
    const { control } = api.simulator
    const [vm = ''] = control.mutate({ do: 'create', kind: 'vm' }).ids
    const [disk = ''] = control.mutate({ do: 'create', kind: 'disk', name: 'd' }).ids
    const [address = ''] = control.mutate({ do: 'create', kind: 'floatingIp', name: 'f' }).ids
    const [network = ''] = control.mutate({ do: 'create', kind: 'network', name: 'n' }).ids
    control.mutate({ do: 'attachDisk', vm, disk })
    control.mutate({ do: 'assignIp', address, to: vm })
    control.mutate({ do: 'setDefaultNetwork', uuid: network })
    control.mutate({ do: 'rename', kind: 'network', id: network, name: 'renamed' })
    expect(made(await api.get(`/network/network/${network}`))).toMatchObject({
      name: 'renamed',
      is_default: true,
    })
    expect(made(await api.get(`/network/ip_addresses/${address}`))).toMatchObject({ assigned_to: vm })
    expect((await readVm(api, vm))['storage']).toHaveLength(2)
    control.mutate({ do: 'detachDisk', disk })
    control.mutate({ do: 'unassignIp', address })
    control.mutate({ do: 'setDisk', uuid: disk, set: { sizeGib: 99 } })
    expect(made(await api.get(`/storage/disks/${disk}`))).toMatchObject({ size_gb: 99 })
    for (const [kind, id] of [
      ['vm', vm],
      ['disk', disk],
      ['floatingIp', address],
      ['network', network],
    ] as const)
      control.mutate({ do: 'delete', kind, id })
    expect(control.inventory()).toMatchObject({ vms: [], disks: [], floatingIps: [] })
    expect(() => control.mutate({ do: 'delete', kind: 'vm', id: vm })).toThrow(/no such vm/)
  })

  test('strangers of every kind, in any location and account', async () => {
    const api = await open()
    const { control } = api.simulator
    const other = control.createAccount()
    for (const kind of ['vm', 'disk', 'bucket', 'network', 'floatingIp', 'loadBalancer', 'token'] as const)
      expect(
        control.mutate({ do: 'create', kind, count: 2, location: 'tll01', apiKey: other.apiKey }).ids,
      ).toHaveLength(2)
    const inventory = control.inventory(other.apiKey)
    expect(inventory.vms.map((vm) => vm['location'])).toEqual(['tll01', 'tll01'])
    expect(inventory.buckets.map((bucket) => bucket['name'])).toEqual([
      'stranger-bucket-1',
      'stranger-bucket-2',
    ])
    expect(control.inventory(api.simulator.apiKey).vms).toEqual([])
  })
})

describe('dump, load and seed', () => {
  test('a state comes back whole', async () => {
    const api = await open()
    const { control } = api.simulator
    const uuid = await newVm(api)
    const state = control.dump()
    const inventory = control.inventory()
    await api.form('DELETE', '/user-resource/vm', { uuid })
    await newDisk(api)
    control.load(state)
    expect(control.inventory()).toEqual(inventory)
    await readVm(api, uuid)
    const other = await open({ seed: 99 })
    other.simulator.control.load(state)
    expect(await readVm(other.as(api.simulator.apiKey), uuid)).toMatchObject({ uuid })
  })

  test('the same seed and calls give the same ids and times', async () => {
    const clock: Clock = { ...systemClock, now: () => 1_700_000_000_000 }
    const run = async (seed: number) => {
      const api = await open({ seed, clock })
      await newVm(api)
      await newDisk(api)
      return JSON.stringify([await readVm(api, await newVm(api)), api.simulator.control.inventory()])
    }
    const [first, second, third] = [await run(7), await run(7), await run(8)]
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('10,000 VMs list in well under a second', async () => {
    const simulator = createSimulator()
    simulator.control.mutate({ do: 'create', kind: 'vm', count: 10_000 })
    const headers = { apikey: simulator.apiKey }
    const list = { method: 'GET', target: '/v1/user-resource/vm/list', headers }
    const before = process.cpuUsage()
    const answer = await simulator.serve(list)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
    expect(JSON.parse(answer.outcome === 'answered' ? answer.body : '')).toHaveLength(10_000)
  })
})

describe('the admin port', () => {
  test('does everything that the control does in code', async () => {
    const api = await open()
    const { control, adminUrl } = api.simulator
    const admin = createAdminClient(adminUrl)
    const account = await admin.createAccount({ billingAccounts: [5], email: 'a@example.com' })
    expect(account.billingAccount).toBe(5)
    const [vm = ''] = (await admin.mutate({ do: 'create', kind: 'vm', apiKey: account.apiKey })).ids
    expect(await admin.inventory(account.apiKey)).toEqual(control.inventory(account.apiKey))
    expect((await admin.inventory(account.apiKey)).vms[0]).toMatchObject({ uuid: vm })
    await admin.setRule('tombstones', false)
    await admin.setQuota({ apiKey: account.apiKey, disks: 0 })
    await admin.addFault({
      method: 'GET',
      path: '/user-resource/user',
      point: 'before',
      action: { answer: { status: 418 } },
    })
    expect((await api.get('/user-resource/user')).status).toBe(418)
    await admin.clearFaults()
    expect(await admin.calls({ since: 0, mutationsOnly: false })).toEqual(control.calls())
    expect(await admin.counters()).toEqual(control.counters())
    const state = await admin.dump()
    await admin.mutate({ do: 'delete', kind: 'vm', id: vm })
    await admin.load(state)
    expect(control.inventory(account.apiKey).vms).toHaveLength(1)
  })

  test('holds and releases', async () => {
    const api = await open()
    const admin = createAdminClient(api.simulator.adminUrl)
    const { id } = await admin.hold({ method: 'POST', path: '/storage/disks', point: 'before' })
    await expect(admin.waitHeld(id, 20)).rejects.toThrow(/not reached/)
    const creating = newDisk(api)
    await admin.waitHeld(id, 5000)
    expect(await admin.held(id)).toBe(true)
    await admin.release(id)
    await creating
  })

  test('streams one line per finished call', async () => {
    const api = await open()
    const admin = createAdminClient(api.simulator.adminUrl)
    const seen: Call[] = []
    const end = admin.events((call) => seen.push(call))
    while (seen.length < 2) await newDisk(api)
    end()
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/storage/disks', status: 201 })
  })

  test('says what is wrong', async () => {
    const api = await open()
    const admin = createAdminClient(api.simulator.adminUrl)
    await expect(admin.held('hold-9')).rejects.toThrow(/no such hold/)
    await expect(admin.mutate({ do: 'delete', kind: 'disk', id: 'x' })).rejects.toThrow(/no such disk: x/)
    const unknown = await fetch(`${api.simulator.adminUrl}/nothing`)
    expect(unknown.status).toBe(404)
  })
})

test('a busy port is an error', async () => {
  const api = await open()
  const port = Number(new URL(api.simulator.url).port)
  await expect(open({ port })).rejects.toThrow(/EADDRINUSE/)
})
