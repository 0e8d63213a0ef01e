import { afterEach, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import type { Program } from '../program.ts'
import { startStory, type Story } from '../story.ts'

/** Lease, renewal limit and retry in milliseconds. */
const LEASE = '4000,3000,500'

let story: Story
let standby: Program
afterEach(() => story.end())

async function twoReplicas(purpose: string, settleSeconds = 30): Promise<void> {
  story = await startStory(purpose, { lease: LEASE, settleSeconds })
  await story.operator.logged('reconciling')
  standby = await story.start()
}

const leads = (program: Program) => program.lines.some((line) => line.includes('"reconciling"'))

test('of two replicas one acts, and a killed leader is followed within the lease', async () => {
  await twoReplicas('replicas-kill')
  await story.apply(manifest('CloudNetwork', 'first', {}))
  await story.ready('cloudnetwork', 'first')
  expect(leads(standby)).toBe(false)
  await story.operator.stop('SIGKILL')
  story.operator = standby
  await story.apply(manifest('CloudNetwork', 'second', {}))
  await standby.logged('reconciling')
  await story.ready('cloudnetwork', 'second')
  expect(story.simulator.control.calls({ mutationsOnly: true })).toHaveLength(2)
})

test('SIGTERM during a slow create hands over at once, and its answer is still recorded', async () => {
  await twoReplicas('replicas-term', 900)
  const { control } = story.simulator
  const hold = control.hold({ method: 'POST', path: '/network/network', point: 'before' })
  await story.apply(manifest('CloudNetwork', 'slow', {}))
  await control.waitHeld(hold.id, 30_000)
  const leader = story.operator
  story.operator = standby
  leader.process.kill('SIGTERM')
  await standby.logged('reconciling')
  expect(leader.process.exitCode).toBe(null)
  await story.apply(manifest('CloudNetwork', 'meanwhile', {}))
  await story.ready('cloudnetwork', 'meanwhile')
  control.release(hold.id, 'answer')
  expect(await leader.ended).toBe(0)
  const slow = await story.ready('cloudnetwork', 'slow')
  const made = control
    .inventory(story.account.apiKey)
    .networks.filter((each) => String(each['name']).startsWith('slow-'))
  expect(made.map((each) => each['uuid'])).toEqual([slow.status?.['id']])
})

test('a leader that cannot reach the API server stops acting and ends with a failure', async () => {
  await twoReplicas('replicas-lost')
  // Another one takes the lease away: the holder must notice and end.
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'cloud-operator' } }
  const stolen = {
    ...lease,
    spec: {
      holderIdentity: 'somebody-else',
      leaseDurationSeconds: 60,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  }
  await story.edit('lease', 'cloud-operator', { spec: stolen.spec })
  expect(await story.operator.ended).toBe(1)
  story.operator = standby
})
