import { expect, test } from 'vitest'
import { systemClock, type Clock } from '../../src/loop/clock.ts'
import type { ServedAnswer } from '../../src/simulator/http/serve.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { Timing } from '../../src/simulator/timing.ts'
import { made, open, profiles, vmForm, type Form } from './kit.ts'

/** A clock that only moves when told to; every wait counts, however short. */
function manualClock() {
  let nowMs = 1_700_000_000_000
  let timers: { at: number; call: () => void }[] = []
  const after: Clock['after'] = (ms, call) => {
    const timer = { at: nowMs + ms, call }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const sleep: Clock['sleep'] = (ms) => new Promise((resolve) => after(ms, resolve))
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs, after, sleep }
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms
    const due = timers.filter((timer) => timer.at <= nowMs)
    timers = timers.filter((timer) => timer.at > nowMs)
    for (const timer of due) timer.call()
    await turns()
  }
  return { clock, advance, waitsMs: () => timers.map((timer) => timer.at - nowMs) }
}

/** Lets everything run that waits for no clock. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await systemClock.yield()
}

function rig(timing: Timing, seed = 1) {
  const time = manualClock()
  const simulator = createSimulator({ timing, seed, clock: time.clock })
  return { ...time, simulator, send: sender(simulator), vm: stranger(simulator) }
}

function stranger(simulator: Simulator): string {
  return simulator.control.mutate({ do: 'create', kind: 'vm' }).ids[0] ?? ''
}

/** Sends a request without waiting; `answer()` is undefined until there is one. */
function sender(simulator: Simulator) {
  return async (method: string, path: string, form?: Form) => {
    let answer: ServedAnswer | undefined
    void simulator
      .serve({
        method,
        target: `/v1${path}`,
        headers: { apikey: simulator.apiKey, 'content-type': 'application/x-www-form-urlencoded' },
        ...(form !== undefined && { body: formBody(form) }),
      })
      .then((served) => {
        if (served.outcome === 'answered') answer = served
      })
    await turns()
    return () => answer
  }
}

function formBody(form: Form): string {
  return Object.entries(form)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

const field = (answer: ServedAnswer | undefined, name: string): unknown =>
  (JSON.parse(answer?.body ?? '{}') as Record<string, unknown>)[name]

test.each([
  ['real', 33_000],
  [{ scale: 0.1 }, 3_300],
  [{ scale: 2 }, 66_000],
] as const)('timing %o: a VM is created in %i ms, and answers that it runs', async (timing, ms) => {
  const { send, advance } = rig(timing)
  const created = await send('POST', '/user-resource/vm', vmForm())
  await advance(ms - 1)
  expect(created()).toBeUndefined()
  await advance(1)
  expect([created()?.status, field(created(), 'status')]).toEqual([200, 'running'])
})

test('a VM is stopped in 22 s and started in 4 s', async () => {
  const { send, advance, vm } = rig('real')
  for (const [operation, ms, status] of [
    ['stop', 22_000, 'stopped'],
    ['start', 4_000, 'running'],
    ['stop', 22_000, 'stopped'],
    ['rescue_start', 4_000, 'running'],
  ] as const) {
    const answer = await send('POST', `/user-resource/vm/${operation}`, { uuid: vm })
    await advance(ms - 1)
    expect(answer(), operation).toBeUndefined()
    await advance(1)
    expect([operation, field(answer(), 'status')]).toEqual([operation, status])
  }
})

test('what makes a system anew takes as long as a create', async () => {
  const { send, advance, vm, simulator } = rig('real')
  const [replica = ''] = simulator.control.mutate({ do: 'addReplica', vm, type: 'snapshot' }).ids
  for (const [operation, fields] of [
    ['reinstall', {}],
    ['rebuild', { replica_uuid: replica }],
    ['clone', { name: 'twin' }],
  ] as const) {
    const answer = await send('POST', `/user-resource/vm/${operation}`, { uuid: vm, ...fields })
    await advance(32_999)
    expect(answer(), operation).toBeUndefined()
    await advance(1)
    expect([operation, field(answer(), 'status')]).toEqual([operation, 'running'])
  }
})

test('all else takes 150 to 400 ms', async () => {
  const { send, advance, waitsMs, vm } = rig('real')
  const others: [method: string, path: string, form?: Form][] = [
    ['GET', '/user-resource/user'],
    ['GET', '/user-resource/token/list'],
    ['GET', '/config/locations'],
    ['GET', '/user-resource/vm/list'],
    ['GET', `/user-resource/vm?uuid=${vm}`],
    ['GET', '/user-resource/host_pool/list'],
    ['PATCH', '/user-resource/vm', { uuid: vm, name: 'x' }],
    ['POST', '/user-resource/vm/backup', { uuid: vm }],
    ['POST', '/user-resource/vm/replica', { uuid: vm }],
    ['POST', '/user-resource/vm/storage', { uuid: vm, size_gb: 5 }],
    ['POST', '/storage/disks', { size_gb: 5, billing_account_id: 2001 }],
    ['PUT', '/storage/bucket', { name: 'abc', billing_account_id: 2001 }],
    ['GET', '/storage/user'],
    ['GET', '/network/networks'],
    ['POST', '/network/network?name=x'],
    ['GET', '/network/ip_addresses'],
    ['GET', '/network/load_balancers'],
    ['DELETE', '/user-resource/vm', { uuid: vm }],
    ['GET', '/storage/disks/unknown'],
  ]
  const seenMs: number[] = []
  for (const [method, path, form] of others) {
    const answer = await send(method, path, form)
    const [waitMs = 0, ...more] = waitsMs()
    expect([path, more]).toEqual([path, []])
    seenMs.push(waitMs)
    await advance(waitMs - 1)
    expect(answer(), path).toBeUndefined()
    await advance(1)
    expect(answer(), path).toBeDefined()
  }
  expect(Math.min(...seenMs)).toBeGreaterThanOrEqual(150)
  expect(Math.max(...seenMs)).toBeLessThanOrEqual(400)
  expect(new Set(seenMs).size).toBeGreaterThan(others.length / 2)
})

test('the same seed waits as long; another does not', async () => {
  const waits = async (seed: number): Promise<number[]> => {
    const { send, waitsMs } = rig('real', seed)
    for (let call = 0; call < 10; call += 1) await send('GET', '/user-resource/user')
    return waitsMs()
  }
  expect(await waits(3)).toEqual(await waits(3))
  expect(await waits(3)).not.toEqual(await waits(4))
})

test('instant: nothing waits', async () => {
  const { send, waitsMs, vm } = rig('instant')
  expect((await send('POST', '/user-resource/vm', vmForm()))()?.status).toBe(200)
  expect((await send('POST', '/user-resource/vm/stop', { uuid: vm }))()?.status).toBe(200)
  expect(waitsMs()).toEqual([])
})

test.each(profiles)('200 creates at once end together after 33 s, over real HTTP, %s', async (profile) => {
  const { clock, advance } = manualClock()
  const api = await open({ profile, timing: 'real', clock })
  const { control } = api.simulator
  let ended = 0
  const creating = Array.from({ length: 200 }, async (_none, index) => {
    const answer = await api.form('POST', '/user-resource/vm', vmForm({ name: `vm-${index}` }))
    ended += 1
    return answer
  })
  while (control.inventory().vms.length < 200) await systemClock.yield()
  expect(new Set(control.inventory().vms.map((vm) => vm['status']))).toEqual(new Set(['creating']))
  await advance(32_999)
  expect(ended).toBe(0)
  await advance(1)
  const vms = (await Promise.all(creating)).map(made)
  expect(vms.map((vm) => [vm['name'], vm['status']])).toEqual(
    vms.map((_vm, index) => [`vm-${index}`, 'running']),
  )
  expect(new Set(vms.map((vm) => vm['uuid'])).size).toBe(200)
  expect(new Set(vms.map((vm) => vm['updated_at'])).size).toBe(1)
})

test('other calls are answered while a create is under way', async () => {
  const { send, advance } = rig('real')
  const created = await send('POST', '/user-resource/vm', vmForm())
  const listed = await send('GET', '/user-resource/vm/list')
  await advance(400)
  expect(created()).toBeUndefined()
  expect(listed()?.body).toContain('"status":"creating"')
})
