import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'
import { cloudRow, defaultNetworks, edited, idOf } from './calls.ts'
import { onProfile } from './differences.ts'
import { lookedAt, SMALL_VM } from './six.ts'

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

test('made for another location: a machine here may be in it where networks are of the whole account', async () => {
  await story.apply(
    manifest('CloudNetwork', 'far', { location: 'sgp01' }),
    manifest('CloudVM', 'near', { ...SMALL_VM, location: 'jkt01', networkRef: { name: 'far' } }),
  )
  const id = idOf(await story.ready('cloudnetwork', 'far'))
  await onProfile(story, 'networks of the account', {
    extended: async () => {
      expect(cloudRow(story, 'networks', id)).toMatchObject({ scope: 'sgp01' })
      const stalled = await story.reason('cloudvm', 'near', 'ReferenceInvalid')
      expect(conditionOf(stalled, 'Ready')?.message).toBe(
        'spec.networkRef: CloudNetwork far is in location sgp01, this object in jkt01; refer to one in the same location',
      )
    },
    documented: async () => {
      const vm = idOf(await story.ready('cloudvm', 'near'))
      expect(cloudRow(story, 'networks', id)).toMatchObject({ scope: '', vms: [vm] })
    },
  })
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
