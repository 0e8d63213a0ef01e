import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/loop/clock.ts'
import { billing, errorText, made, newDisk, newVm, open, readVm, rows, vmForm, handClock } from './kit.ts'

const list = '/user-resource/vm/list'
const vmPath = '/user-resource/vm'

describe('faults', () => {
  test('the 2nd create is refused before the commit, the 3rd passes', async () => {
    const api = await open()
    const answer = { status: 503, body: { message: 'later' }, headers: { 'retry-after': '7' } }
    api.simulator.control.addFault({
      method: 'POST',
      path: vmPath,
      nth: 2,
      point: 'before',
      action: { answer },
    })
    await newVm(api)
    const refused = await api.form('POST', vmPath, vmForm())
    expect([refused.status, refused.headers.get('retry-after'), errorText(refused)]).toEqual([
      503,
      '7',
      'later',
    ])
    await newVm(api)
    expect(rows(await api.get(list))).toHaveLength(2)
  })

  test('an answer after the commit hides what was done', async () => {
    const api = await open()
    const answer = { status: 502, raw: '<html>bad gateway</html>', contentType: 'text/html' }
    api.simulator.control.addFault({ method: 'POST', path: vmPath, point: 'afterCommit', action: { answer } })
    const refused = await api.form('POST', vmPath, vmForm())
    expect([refused.status, refused.text]).toEqual([502, '<html>bad gateway</html>'])
    expect(refused.headers.get('content-type')).toBe('text/html')
    expect(rows(await api.get(list))).toHaveLength(1)
  })

  test.each([
    ['before', 0],
    ['afterCommit', 1],
  ] as const)('a reset %s the commit', async (point, made) => {
    const api = await open()
    api.simulator.control.addFault({ method: 'POST', path: vmPath, point, action: { reset: true } })
    await expect(api.form('POST', vmPath, vmForm())).rejects.toThrow()
    expect(rows(await api.get(list))).toHaveLength(made)
    expect(api.simulator.control.calls({ mutationsOnly: true })[0]).toMatchObject({ status: 'reset' })
  })

  test('a hang is never answered', async () => {
    const api = await open()
    api.simulator.control.addFault({
      method: 'GET',
      path: list,
      point: 'afterCommit',
      action: { hang: true },
    })
    const client = new AbortController()
    const headers = { apikey: api.simulator.apiKey }
    const hanging = fetch(`${api.simulator.url}/v1${list}`, { headers, signal: client.signal }).catch(
      () => 'gave up',
    )
    while (api.simulator.control.calls().length === 0) await systemClock.yield()
    client.abort()
    expect(await hanging).toBe('gave up')
    expect(api.simulator.control.calls()[0]).toMatchObject({ status: 'hang' })
  })

  test('a truncated answer breaks off', async () => {
    const api = await open()
    api.simulator.control.addFault({
      method: 'GET',
      path: list,
      point: 'afterCommit',
      action: { truncate: true },
    })
    await newVm(api)
    await expect(api.get(list)).rejects.toThrow()
  })

  test('a delay before the commit delays the effect, after it only the answer', async () => {
    const { clock, advance } = handClock()
    const api = await open({ clock })
    const { control } = api.simulator
    for (const point of ['before', 'afterCommit'] as const)
      control.addFault({ method: 'POST', path: '/storage/disks', point, action: { delayMs: 5000 } })
    let answered = false
    const creating = newDisk(api).then(() => (answered = true))
    while (control.calls().length === 0) await systemClock.yield()
    expect(rows(await api.get('/storage/disks'))).toEqual([])
    advance(5000)
    expect(rows(await api.get('/storage/disks'))).toHaveLength(1)
    expect(answered).toBe(false)
    advance(5000)
    await creating
  })

  test('an effect can come after a refusal', async () => {
    const { clock, advance } = handClock()
    const api = await open({ clock })
    const { control } = api.simulator
    const action = { answer: { status: 400, body: { message: 'no' } } }
    control.addFault({
      method: 'POST',
      path: '/storage/disks',
      point: 'before',
      action,
      effectAfterMs: 30_000,
    })
    const form = { size_gb: 1, billing_account_id: billing }
    expect((await api.form('POST', '/storage/disks', form)).status).toBe(400)
    advance(29_999)
    expect(rows(await api.get('/storage/disks'))).toEqual([])
    advance(1)
    expect(rows(await api.get('/storage/disks'))).toHaveLength(1)
  })

  test('reads lag behind a change', async () => {
    const { clock, advance } = handClock()
    const api = await open({ clock })
    const { control } = api.simulator
    control.addFault({
      method: 'POST',
      path: vmPath,
      point: 'afterCommit',
      action: { lagReads: { forMs: 3000 } },
    })
    const uuid = await newVm(api)
    expect(rows(await api.get(list))).toEqual([])
    expect((await api.get(`${vmPath}?uuid=${uuid}`)).status).toBe(400)
    advance(3000)
    expect(rows(await api.get(list))).toHaveLength(1)
    await readVm(api, uuid)
  })

  test('only one kind of read lags', async () => {
    const api = await open()
    const action = { lagReads: { forMs: 60_000, of: list } }
    api.simulator.control.addFault({ method: 'POST', path: vmPath, point: 'afterCommit', action })
    const uuid = await newVm(api)
    expect(rows(await api.get(list))).toEqual([])
    await readVm(api, uuid)
    api.simulator.control.clearFaults()
    expect(rows(await api.get(list))).toHaveLength(1)
  })

  test('a list can stand still', async () => {
    const api = await open()
    const action = { lagReads: { forMs: 60_000 } }
    api.simulator.control.addFault({ method: 'GET', path: list, point: 'before', action })
    expect(rows(await api.get(list))).toEqual([])
    await newVm(api)
    expect(rows(await api.get(list))).toEqual([])
    expect(rows(await api.get('/storage/disks'))).toHaveLength(1)
  })

  test('what was made is missing from the next lists', async () => {
    const api = await open()
    const { control } = api.simulator
    await newVm(api)
    control.addFault({
      method: 'POST',
      path: vmPath,
      point: 'afterCommit',
      action: { listOmit: { forCalls: 2 } },
    })
    const uuid = await newVm(api)
    expect(rows(await api.get(list))).toHaveLength(1)
    await readVm(api, uuid)
    expect(rows(await api.get(list))).toHaveLength(1)
    expect(rows(await api.get(list))).toHaveLength(2)
  })

  test('a list omits, repeats and shuffles', async () => {
    const api = await open()
    const { control } = api.simulator
    control.mutate({ do: 'create', kind: 'vm', count: 8 })
    const fault = { method: 'GET', path: list, point: 'before' } as const
    const ids = async () => rows(await api.get(list)).map((row) => row['uuid'])
    const all = await ids()
    control.addFault({ ...fault, action: { listOmit: { forCalls: 1 } } })
    control.addFault({ ...fault, nth: 2, action: { repeat: true } })
    control.addFault({ ...fault, nth: 3, action: { shuffle: true } })
    expect(await ids()).toEqual(all.slice(0, -1))
    expect(await ids()).toEqual([...all, all[0]])
    const shuffled = await ids()
    expect(shuffled).not.toEqual(all)
    expect([...shuffled].sort()).toEqual([...all].sort())
    expect(await ids()).toEqual(all)
  })

  test('a pattern matches one segment, in every location', async () => {
    const api = await open()
    const action = { answer: { status: 429 } }
    api.simulator.control.addFault({
      method: '*',
      path: '/storage/disks/:id',
      times: 2,
      point: 'before',
      action,
    })
    expect((await api.get('/storage/disks')).status).toBe(200)
    expect((await api.get('/storage/disks/x')).status).toBe(429)
    expect((await api.bare('DELETE', '/sgp01/storage/disks/y')).status).toBe(429)
    expect((await api.get('/storage/disks/x')).status).toBe(404)
  })
})

describe('holds', () => {
  test('before the commit: nothing is done until it is released', async () => {
    const api = await open()
    const { control } = api.simulator
    const { id } = control.hold({ method: 'POST', path: '/storage/disks', nth: 2, point: 'before' })
    await newDisk(api)
    const second = newDisk(api)
    await control.waitHeld(id, 5000)
    expect(control.inventory().disks).toHaveLength(1)
    control.release(id)
    await second
    expect(control.inventory().disks).toHaveLength(2)
  })

  test('after the commit: done, unanswered, and reset on release', async () => {
    const api = await open()
    const { control } = api.simulator
    const { id } = control.hold({ method: 'POST', path: '/storage/disks', point: 'afterCommit' })
    const creating = expect(newDisk(api)).rejects.toThrow()
    await control.waitHeld(id, 5000)
    expect(control.held(id)).toBe(true)
    expect(control.inventory().disks).toHaveLength(1)
    control.release(id, 'reset')
    await creating
  })

  test.each([
    ['before', 0],
    ['afterCommit', 1],
  ] as const)('a client that dies while held %s the commit', async (point, disks) => {
    const api = await open()
    const { control } = api.simulator
    const { id } = control.hold({ method: 'POST', path: '/storage/disks', point })
    const client = new AbortController()
    const request = fetch(`${api.simulator.url}/v1/storage/disks`, {
      method: 'POST',
      headers: { apikey: api.simulator.apiKey },
      body: new URLSearchParams({ size_gb: '1', billing_account_id: String(billing) }),
      signal: client.signal,
    }).catch(() => undefined)
    await control.waitHeld(id, 5000)
    client.abort()
    await request
    while (control.calls()[0]?.status === 'hang') await systemClock.sleep(5)
    expect(control.calls()[0]).toMatchObject({ status: 'reset' })
    expect(control.inventory().disks).toHaveLength(disks)
  })

  test('one that is not reached says so', async () => {
    const api = await open()
    const { control } = api.simulator
    const { id } = control.hold({ method: 'POST', path: '/storage/disks', point: 'before' })
    expect(control.held(id)).toBe(false)
    await expect(control.waitHeld(id, 20)).rejects.toThrow(/not reached/)
  })
})

test('a change named by two calls at once is noticed', async () => {
  const api = await open()
  const { control } = api.simulator
  const uuid = await newVm(api)
  const { id } = control.hold({ method: 'PATCH', path: vmPath, point: 'before' })
  const first = api.form('PATCH', vmPath, { uuid, name: 'a' })
  await control.waitHeld(id, 5000)
  await api.get(`${vmPath}?uuid=${uuid}`)
  expect(control.counters().overlaps).toEqual([])
  made(await api.form('POST', `${vmPath}/backup`, { uuid }))
  control.release(id)
  await first
  expect(control.counters().overlaps).toEqual([`POST ${vmPath}/backup: ${uuid}`])
})
