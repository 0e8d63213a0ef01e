/** Changes behind our back: put right, only shown, or held because data is gone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { changes, endOrderly, lastCall, lookedAt, sixReady, theSix } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('drift')))
afterAll(() => endOrderly(story))

const idOf = (object: AnyObject) => String(object.status?.['id'])
const rowOf = (family: 'vms' | 'networks' | 'floatingIps' | 'disks', field: string, value: unknown) =>
  story.simulator.control.inventory()[family].find((each) => each[field] === value)

test('what was changed is put right: names, an assignment, an attachment', async () => {
  const { control } = story.simulator
  await story.apply(...theSix(story))
  const six = await sixReady(story)
  const network = idOf(six.cloudnetwork)
  const vm = idOf(six.cloudvm)
  const disk = idOf(six.clouddisk)
  const address = String(six.cloudfloatingip.status?.['address'])
  const name = rowOf('networks', 'uuid', network)?.['name']
  const since = lastCall(story)
  control.mutate({ do: 'rename', kind: 'network', id: network, name: 'by-hand' })
  control.mutate({ do: 'rename', kind: 'vm', id: vm, name: 'by-hand' })
  control.mutate({ do: 'unassignIp', address })
  control.mutate({ do: 'detachDisk', disk })

  const patience = { timeout: 30_000, interval: 100 }
  await expect.poll(() => rowOf('networks', 'uuid', network)?.['name'], patience).toBe(name)
  await expect.poll(() => rowOf('vms', 'uuid', vm)?.['name'], patience).toBe('web')
  await expect.poll(() => rowOf('floatingIps', 'address', address)?.['assignedTo'], patience).toBe(vm)
  await expect.poll(() => rowOf('disks', 'uuid', disk)?.['attachedTo'], patience).toBe(vm)
  await sixReady(story)
  // Each by one call, and nothing else.
  expect(
    changes(story, since)
      .map((each) => each.replace(/^.*\d\d\d: /, ''))
      .sort(),
  ).toEqual(
    [
      `assigned floating ip ${address}`,
      `attached disk ${disk}`,
      `changed vm ${vm}`,
      `renamed network ${network}`,
    ].sort(),
  )
})

test('drift Report shows the difference and leaves it; the next generation applies', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'watched', { lifecycle: { drift: 'Report' } }))
  const id = idOf(await story.ready('cloudnetwork', 'watched'))
  control.mutate({ do: 'rename', kind: 'network', id, name: 'by-hand' })
  const since = lastCall(story)
  const drifted = await story.until('cloudnetwork', 'watched', 'Drifted', (each) => {
    return conditionOf(each, 'Drifted')?.status === 'True'
  })
  expect(conditionOf(drifted, 'Drifted')?.reason).toBe('DriftDetected')
  expect(conditionOf(drifted, 'Drifted')?.message).toMatch(
    /spec\.lifecycle\.drift is Report.*rename the network to watched-/,
  )
  expect(conditionOf(drifted, 'Ready')?.status).toBe('True')
  expect(conditionOf(drifted, 'Synced')?.status).toBe('False')
  await lookedAt(story, 'cloudnetwork', 'watched')
  expect(changes(story, since)).toEqual([])

  await story.edit('cloudnetwork', 'watched', { spec: { name: 'asked-for' } })
  const ready = await story.ready('cloudnetwork', 'watched')
  expect(conditionOf(ready, 'Drifted')).toBeUndefined()
  expect(rowOf('networks', 'uuid', id)?.['name']).toMatch(/^asked-for-/)
})

test('drift that goes away by itself is forgotten', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'fickle', { lifecycle: { drift: 'Report' } }))
  const id = idOf(await story.ready('cloudnetwork', 'fickle'))
  const name = String(rowOf('networks', 'uuid', id)?.['name'])
  control.mutate({ do: 'rename', kind: 'network', id, name: 'by-hand' })
  await story.until('cloudnetwork', 'fickle', 'Drifted', (each) => conditionOf(each, 'Drifted') !== undefined)
  control.mutate({ do: 'rename', kind: 'network', id, name })
  await story.until('cloudnetwork', 'fickle', 'no longer Drifted', (each) => {
    return conditionOf(each, 'Drifted') === undefined && conditionOf(each, 'Synced')?.status === 'True'
  })
})

test('ObserveOnly writes nothing, ever: not to adopt, not on an edit, not on drift, not on deletion', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const [id = ''] = control.mutate({ do: 'create', kind: 'vm', name: 'theirs', apiKey }).ids
  const before = rowOf('vms', 'uuid', id)
  const since = lastCall(story)
  const spec = { adopt: { id }, vcpus: 1, lifecycle: { management: 'ObserveOnly' } }
  await story.apply(manifest('CloudVM', 'observed', spec))
  const observed = await story.ready('cloudvm', 'observed')
  expect(conditionOf(observed, 'Ready')?.reason).toBe('Observed')
  expect(observed.status?.['powerState']).toBe('Running')

  await story.edit('cloudvm', 'observed', { spec: { vcpus: 2, name: 'mine', powerState: 'Stopped' } })
  const differs = await story.until('cloudvm', 'observed', 'Drifted at its generation', (each) => {
    return conditionOf(each, 'Drifted')?.observedGeneration === each.metadata.generation
  })
  expect(conditionOf(differs, 'Drifted')?.message).toMatch(
    /ObserveOnly.*it would take: rename .*shut .*change the size/,
  )
  expect(conditionOf(differs, 'Ready')?.status).toBe('True')
  await lookedAt(story, 'cloudvm', 'observed')
  await story.run('delete', 'cloudvm', 'observed', '--wait=false')
  await story.gone('cloudvm', 'observed')
  expect(changes(story, since)).toEqual([])
  expect(rowOf('vms', 'uuid', id)).toEqual(before)
})

test('ObserveOnly without anything to observe says what it needs', async () => {
  const since = lastCall(story)
  await story.apply(manifest('CloudNetwork', 'nothing', { lifecycle: { management: 'ObserveOnly' } }))
  const stalled = await story.reason('cloudnetwork', 'nothing', 'InvalidSpec')
  expect(conditionOf(stalled, 'Ready')?.message).toContain('ObserveOnly needs spec.adopt.id')
  expect(changes(story, since)).toEqual([])
})

test('an object that observed and now manages brings about what it says', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const [id = ''] = control.mutate({ do: 'create', kind: 'network', name: 'theirs', apiKey }).ids
  const spec = { adopt: { id }, name: 'ours', lifecycle: { management: 'ObserveOnly' } }
  await story.apply(manifest('CloudNetwork', 'handed-over', spec))
  await story.until(
    'cloudnetwork',
    'handed-over',
    'Drifted',
    (each) => conditionOf(each, 'Drifted') !== undefined,
  )
  expect(rowOf('networks', 'uuid', id)?.['name']).toBe('theirs')
  await story.edit('cloudnetwork', 'handed-over', { spec: { lifecycle: { management: 'Full' } } })
  await story.ready('cloudnetwork', 'handed-over')
  expect(rowOf('networks', 'uuid', id)?.['name']).toMatch(/^ours-/)
})

test('what the service accepts and never does is sent twice, told, and tried again when somebody asks', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudFloatingIP', 'stuck', {}))
  const ready = await story.ready('cloudfloatingip', 'stuck')
  const unassigned = { id: Number(idOf(ready)), address: ready.status?.['address'] }
  const fault = {
    method: 'POST',
    path: '/network/ip_addresses/:address/assign',
    times: 100,
    point: 'before',
    action: { answer: { status: 200, body: unassigned } },
  } as const
  const since = lastCall(story)
  control.addFault(fault)
  await story.edit('cloudfloatingip', 'stuck', { spec: { vmRef: { name: 'web' } } })
  const told = await story.until('cloudfloatingip', 'stuck', 'Drifted', (each) => {
    return conditionOf(each, 'Drifted')?.reason === 'DriftDetected'
  })
  expect(conditionOf(told, 'Drifted')?.message).toContain('accepted twice to')
  const tries = () =>
    story.simulator.control.calls().filter((each) => each.seq > since && /\/assign$/.test(each.path)).length
  expect(tries()).toBe(2)
  await story.edit('cloudnetwork', 'fickle', { spec: { name: 'meanwhile' } })
  await story.ready('cloudnetwork', 'fickle')
  expect(tries()).toBe(2)
  control.clearFaults()
  await story.run('annotate', 'cloudfloatingip', 'stuck', 'cloud-operator.dev/reconcile-requested-at=now')
  await story.ready('cloudfloatingip', 'stuck')
  expect(tries()).toBe(3)
})
