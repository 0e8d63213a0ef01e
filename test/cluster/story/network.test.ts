import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { defaultNetworks, edited, idOf } from './calls.ts'
import { lookedAt } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('network')))
afterAll(() => story.end())

test('a network is made once, renamed, and deleted; the cloud is as before', async () => {
  const before = story.simulator.control.inventory()
  await story.apply(manifest('CloudNetwork', 'front', {}))
  const made = await story.ready('cloudnetwork', 'front')
  expect(made.status?.['subnet']).toMatch(/^\d+\.\d+\.\d+\.\d+\/\d+$/)
  const posts = () => story.simulator.control.calls().filter((each) => each.method === 'POST')
  expect(posts()).toHaveLength(1)
  await story.edit('cloudnetwork', 'front', { spec: { name: 'front-net' } })
  await story.ready('cloudnetwork', 'front')
  const network = story.simulator.control
    .inventory()
    .networks.find((each) => each['uuid'] === made.status?.['id'])
  expect(network?.['name']).toMatch(/^front-net-[a-z2-7]{14}$/)
  await story.run('delete', 'cloudnetwork', 'front', '--wait=false')
  await story.gone('cloudnetwork', 'front')
  expect(story.simulator.control.inventory()).toEqual(before)
  expect(posts()).toHaveLength(1)
})

test('made the default by an edit: one call, and what was the default before is none', async () => {
  const { control } = story.simulator
  const defaults = () => defaultNetworks(story).map((each) => each['uuid'])
  const before = defaults()
  await story.apply(manifest('CloudNetwork', 'main', {}))
  const id = idOf(await story.ready('cloudnetwork', 'main'))
  expect(await edited(story, 'cloudnetwork', 'main', { default: true })).toEqual([
    [`PUT /network/network/${id}/default`, {}],
  ])
  expect(defaults()).toEqual([id])
  expect((await story.ready('cloudnetwork', 'main')).status?.['isDefault']).toBe(true)
  // Not managed any more: it stays.
  expect(await edited(story, 'cloudnetwork', 'main', { default: null })).toEqual([])
  control.mutate({ do: 'setDefaultNetwork', uuid: String(before[0]) })
  const later = await lookedAt(story, 'cloudnetwork', 'main')
  expect(later.status?.['isDefault']).toBe(false)
}, 120_000)

test('killed after the service committed the create and before its answer: one network, Ready after a restart', async () => {
  const { control } = story.simulator
  const hold = control.hold({ method: 'POST', path: '/network/network', point: 'afterCommit' })
  await story.apply(manifest('CloudNetwork', 'crash', {}))
  await control.waitHeld(hold.id, 30_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
  const made = await story.ready('cloudnetwork', 'crash')
  const named = control.inventory().networks.filter((each) => String(each['name']).startsWith('crash-'))
  expect(named.map((each) => each['uuid'])).toEqual([made.status?.['id']])
})
