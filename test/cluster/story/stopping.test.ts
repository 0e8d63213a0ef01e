/** How an operator ends that was told to: in which order, with which exit code, and what it leaves to the next one. */
import { afterEach, expect, test, vi } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { sent } from './calls.ts'

/** Lease, renewal limit and retry in milliseconds. */
const LEASE = '4000,3000,500'
const CREATE = { method: 'POST', path: '/network/network' } as const

let story: Story
afterEach(() => story.end())

/** An operator that leads and has a create in flight, held at this point. */
async function begun(
  purpose: string,
  point: 'before' | 'afterCommit',
  flags: readonly string[] = [],
): Promise<{ hold: string }> {
  story = await startStory(purpose, { lease: LEASE, settleSeconds: 30, withoutOperator: true })
  story.operator = await story.start(flags)
  await story.operator.logged('reconciling')
  const { id } = story.simulator.control.hold({ ...CREATE, point })
  await story.apply(manifest('CloudNetwork', 'slow', {}))
  await story.simulator.control.waitHeld(id, 60_000)
  return { hold: id }
}

const readiness = async () => (await fetch(`http://127.0.0.1:${story.operator.healthPort}/readyz`)).text()
const holder = () => story.run('get', 'lease', 'cloud-operator', '-o', 'jsonpath={.spec.holderIdentity}')

test('told to stop: not ready, the lease free at once, nothing begun, what is in flight recorded, exit 0', async () => {
  const { hold } = await begun('stopping', 'before')
  expect(await holder()).not.toBe('')
  expect(await readiness()).toMatch(/\nok\n$/)
  story.operator.process.kill('SIGTERM')
  await vi.waitFor(async () => expect(await holder()).toBe(''), { timeout: 10_000, interval: 100 })
  expect(await readiness()).toContain('failed stopping: the process was told to stop')
  // There is nobody else to begin it.
  await story.apply(manifest('CloudNetwork', 'late', {}))
  expect(story.operator.process.exitCode).toBeNull()
  story.simulator.control.release(hold, 'answer')
  expect(await story.operator.ended).toBe(0)
  expect(sent(story).filter(([call]) => call === 'POST /network/network')).toHaveLength(1)
  const slow = await story.get('cloudnetwork', 'slow')
  const [made] = story.simulator.control
    .inventory(story.account.apiKey)
    .networks.filter((each) => String(each['name']).startsWith('slow-'))
  expect(slow?.status?.['id']).toBe(made?.['uuid'])
  expect((await story.get('cloudnetwork', 'late'))?.status).toEqual({ observedGeneration: -1 })

  story.operator = await story.start()
  await story.ready('cloudnetwork', 'slow')
  await story.ready('cloudnetwork', 'late')
  expect(sent(story).filter(([call]) => call === 'POST /network/network')).toHaveLength(2)
})

test('what is in flight for longer than the drain time is left open: exit 0, and the next one only reads until it is settled', async () => {
  const { hold } = await begun('draining', 'afterCommit', ['--drain-seconds=1'])
  expect(await story.operator.stop('SIGTERM')).toBe(0)
  const open = await story.get('cloudnetwork', 'slow')
  expect(open?.status?.['operation']).toMatchObject({ verb: 'create' })
  story.simulator.control.release(hold, 'answer')
  story.operator = await story.start()
  await story.ready('cloudnetwork', 'slow')
  expect(sent(story).filter(([call]) => call === 'POST /network/network')).toHaveLength(1)
})
