/** Everything that a simulator can be told and asked beside its service: in code, and over the admin port. */
import { describe, expect, test } from 'vitest'
import type { FaultAnswer } from '../../src/simulator/faults.ts'
import { bodyShapes } from '../../src/simulator/http/shapes.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { billing, idOf, made, newDisk, newVm, open, readVm, rows, vmForm, type Api } from './kit.ts'
import { ways } from './ways.ts'

const disks = '/storage/disks'
const diskForm = { size_gb: 10, billing_account_id: billing }
const creating = { method: 'POST', path: disks } as const
const listing = { method: 'GET', path: disks, point: 'before' } as const

async function listed(api: Api): Promise<string[]> {
  return rows(await api.get(disks)).map((row) => idOf(row))
}

describe.each(ways)('faults, told %s', (_way, told) => {
  test.each(
    bodyShapes.flatMap((shape) => [['before', shape, 0] as const, ['afterCommit', shape, 1] as const]),
  )('a refusal %s the commit, of the shape %s', async (point, shape, left) => {
    const api = await open()
    const answer = { status: 409, shape, text: 'Taken' }
    await told(api).addFault({ ...creating, point, action: { answer } })
    const refused = await api.form('POST', disks, diskForm)
    expect(refused.status).toBe(409)
    expect(refused.text.includes('Taken')).toBe(shape !== 'empty')
    expect(refused.body).toEqual(expectedBody[shape])
    expect(await listed(api)).toHaveLength(left)
  })

  test('429 with Retry-After, for the 2nd and 3rd call', async () => {
    const api = await open()
    const answer: FaultAnswer = { status: 429, shape: 'message', headers: { 'retry-after': '3' } }
    await told(api).addFault({ ...creating, nth: 2, times: 2, point: 'before', action: { answer } })
    const answers = []
    for (let n = 1; n <= 4; n += 1) answers.push(await api.form('POST', disks, diskForm))
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [201, null],
      [429, '3'],
      [429, '3'],
      [201, null],
    ])
  })

  test.each([
    ['reset', 'before', 0],
    ['reset', 'afterCommit', 1],
    ['truncate', 'afterCommit', 1],
  ] as const)('%s %s the commit', async (kind, point, left) => {
    const api = await open()
    const action = kind === 'reset' ? ({ reset: true } as const) : ({ truncate: true } as const)
    await told(api).addFault({ ...creating, point, action })
    await expect(api.form('POST', disks, diskForm)).rejects.toThrow()
    expect(await listed(api)).toHaveLength(left)
  })

  test.each([
    ['before', 0],
    ['afterCommit', 1],
  ] as const)('a hang %s the commit', async (point, left) => {
    const api = await open()
    await told(api).addFault({ ...creating, point, action: { hang: true } })
    const signal = AbortSignal.timeout(300)
    const body = new URLSearchParams({ size_gb: '10', billing_account_id: String(billing) })
    const headers = { apikey: api.simulator.apiKey }
    const hanging = fetch(`${api.simulator.url}/v1${disks}`, { method: 'POST', headers, body, signal })
    await expect(hanging).rejects.toThrow()
    expect(await listed(api)).toHaveLength(left)
  })

  test('an effect that comes late, after the answer', async () => {
    const clock = createManualClock()
    const api = await open({ clock })
    const action = { answer: { status: 504, shape: 'html' } } as const
    await told(api).addFault({ ...creating, point: 'before', action, effectAfterMs: 5000 })
    expect((await api.form('POST', disks, diskForm)).status).toBe(504)
    expect(await listed(api)).toEqual([])
    await clock.advance(5000)
    expect(await listed(api)).toHaveLength(1)
  })

  test('lists that lag, omit, repeat and shuffle, until all faults are taken away', async () => {
    const api = await open()
    const control = told(api)
    await control.mutate({ do: 'create', kind: 'disk', count: 9 })
    const all = await listed(api)
    await control.addFault({ ...listing, action: { listOmit: { forCalls: 1 } } })
    await control.addFault({ ...listing, nth: 2, action: { repeat: true } })
    await control.addFault({ ...listing, nth: 3, action: { shuffle: true } })
    expect(await listed(api)).toEqual(all.slice(0, -1))
    expect(await listed(api)).toEqual([...all, all[0]])
    const shuffled = await listed(api)
    expect(shuffled).not.toEqual(all)
    expect([...shuffled].sort()).toEqual([...all].sort())
    await control.addFault({ ...creating, point: 'afterCommit', action: { lagReads: { forMs: 3_600_000 } } })
    const late = await newDisk(api)
    expect(await listed(api)).toEqual(all)
    await control.clearFaults()
    expect(await listed(api)).toEqual([...all, late])
  })
})

const expectedBody = {
  Error: { errors: { Error: 'Taken' } },
  field: { errors: { uuid: 'Taken' } },
  fieldObject: { errors: { uuid: { msg: 'Taken' } } },
  message: { message: 'Taken' },
  spring: expect.objectContaining({ status: 409, message: 'Taken', path: '/' }) as unknown,
  html: undefined,
  empty: undefined,
}

describe.each(ways)('rules, told %s', (_way, told) => {
  test('tombstones, on and off', async () => {
    const api = await open()
    const uuid = await newDisk(api)
    await api.bare('DELETE', `${disks}/${uuid}`)
    expect(made(await api.get(`${disks}/${uuid}`))).toMatchObject({ status: 'Deleted' })
    await told(api).setRule('tombstones', false)
    expect((await api.get(`${disks}/${uuid}`)).status).toBe(404)
    await told(api).setRule('tombstones', true)
    expect((await api.get(`${disks}/${uuid}`)).status).toBe(200)
  })

  test('a quota', async () => {
    const api = await open()
    await told(api).setQuota({ disks: 1 })
    await newDisk(api)
    expect((await api.form('POST', disks, diskForm)).status).toBe(400)
  })

  test('ACPI that is ignored, until the power is cut', async () => {
    const api = await open()
    const uuid = await newVm(api)
    await told(api).setRule('acpiIgnored', [uuid])
    made(await api.form('POST', '/user-resource/vm/stop', { uuid }))
    expect(await readVm(api, uuid)).toMatchObject({ status: 'running' })
    made(await api.form('POST', '/user-resource/vm/stop', { uuid, force: true }))
    expect(await readVm(api, uuid)).toMatchObject({ status: 'stopped' })
  })

  test('rounding of sizes', async () => {
    const api = await open()
    await told(api).setRule('diskStepGib', 8)
    await told(api).setRule('ramStepMib', 1024)
    expect(made(await api.get(`${disks}/${await newDisk(api)}`))).toMatchObject({ size_gb: 16 })
    expect(await readVm(api, await newVm(api, { ram: 1500 }))).toMatchObject({ memory: 2048 })
  })

  test('addresses that are handed out again', async () => {
    const api = await open()
    await told(api).setRule('reuseAddresses', true)
    const reserve = async () =>
      made(await api.json('POST', '/network/ip_addresses', { billing_account_id: billing }))
    const first = await reserve()
    await api.bare('DELETE', `/network/ip_addresses/${idOf(first, 'address')}`)
    const second = await reserve()
    expect(second['address']).toBe(first['address'])
    expect(second['uuid']).not.toBe(first['uuid'])
  })

  test('an account without a default network', async () => {
    const api = await open()
    const account = await told(api).createAccount({
      defaultNetwork: false,
      billingAccounts: [5],
      apiKey: 'own',
    })
    expect(account).toMatchObject({ apiKey: 'own', billingAccount: 5 })
    const own = api.as('own')
    expect(rows(await own.get('/network/networks'))).toEqual([])
    const network = made(await own.bare('POST', '/network/network?name=first'))
    expect(network).toMatchObject({ name: 'first', is_default: true })
  })
})

describe.each(ways)('what is seen, %s', (_way, told) => {
  test('the call log holds operation ids and effects', async () => {
    const api = await open()
    const headers = { apikey: api.simulator.apiKey, 'x-operation-id': 'op-7' }
    const body = new URLSearchParams({ size_gb: '10', billing_account_id: String(billing) })
    await fetch(`${api.simulator.url}/v1${disks}`, { method: 'POST', headers, body })
    const [uuid] = await listed(api)
    const [call, ...others] = await told(api).calls({ mutationsOnly: true })
    expect(others).toEqual([])
    expect(call).toMatchObject({ operationId: 'op-7', status: 201, effect: `created disk ${uuid ?? ''}` })
  })

  test('data tokens of disks, VMs and buckets say what was lost', async () => {
    const api = await open()
    const control = told(api)
    const vm = await newVm(api)
    const data = await newDisk(api)
    made(await api.form('POST', '/user-resource/vm/storage/attach', { uuid: vm, storage_uuid: data }))
    const bucket = (await control.mutate({ do: 'create', kind: 'bucket', name: 'logs' })).ids[0] ?? ''
    await control.mutate({ do: 'setBucket', bucket, set: { objects: 3 } })
    const before = await control.inventory()
    const tokens = before.vms[0]?.['dataTokens'] as string[]
    expect(new Set(before.disks.map((disk) => disk['dataToken']))).toEqual(new Set(tokens))
    expect(tokens).toHaveLength(2)
    expect((await control.counters()).lostDataTokens).toEqual([])
    made(await api.form('POST', '/user-resource/vm/reinstall', { uuid: vm }))
    expect((await control.counters()).lostDataTokens).toEqual([tokens[0]])
    expect((await control.inventory()).vms[0]?.['dataTokens']).toEqual([
      expect.not.stringMatching(tokens[0] ?? ''),
      tokens[1],
    ])
    made(await api.form('DELETE', '/user-resource/vm', { uuid: vm }))
    await control.mutate({ do: 'delete', kind: 'bucket', id: bucket })
    const { lostDataTokens } = await control.counters()
    expect(lostDataTokens).toContain(tokens[1])
    expect(lostDataTokens).toContain(before.buckets[0]?.['dataToken'])
  })

  test('counters of violated preconditions and of changes per operation', async () => {
    const api = await open()
    const uuid = await newVm(api)
    await api.form('PATCH', '/user-resource/vm', { uuid, ram: 4096 })
    const counters = await told(api).counters()
    expect(counters.preconditionsViolated).toBe(1)
    expect(counters.mutations).toEqual({ 'POST /user-resource/vm': 1 })
    expect(counters.calls).toEqual({ 'POST /user-resource/vm': 1, 'PATCH /user-resource/vm': 1 })
  })

  test('a state that is loaded goes on as the one that was dumped', async () => {
    const clock = createManualClock()
    const [one, other] = [
      await open({ clock, seed: 3 }),
      await open({ clock, seed: 4, profile: 'documented' }),
    ]
    await newVm(one)
    await told(one).setRule('newKeyPlace', 'first')
    const key = one.simulator.apiKey
    const later = async (api: Api) => {
      const own = api.as(key)
      const answers = [
        await own.form('POST', '/user-resource/vm', vmForm({ name: 'web-2' })),
        await own.get('/user-resource/vm/list'),
        await own.get('/storage/user'),
        await own.bare('POST', '/storage/user/keys'),
        await own.get('/nothing'),
      ]
      return answers.map(({ status, text, headers }) => [status, text, headers.get('x-correlation-id')])
    }
    await told(other).load(await told(one).dump())
    expect(await later(other)).toEqual(await later(one))
    expect(await told(other).dump()).toBe(await told(one).dump())
  })
})
