import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { SMALL_VM } from './six.ts'

let story: Story
// A minute of settle time: what is lost would be waited for that long.
beforeAll(async () => void (story = await startStory('meanwhile', { settleSeconds: 600 })))
afterAll(() => story.end())

test('a label and a request to look, set while a machine is off for its change, cost nothing', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'busy', SMALL_VM))
  await story.ready('cloudvm', 'busy')
  const before = control.calls().length
  const hold = control.hold({ method: 'PATCH', path: '/user-resource/vm', point: 'before' })
  await story.edit('cloudvm', 'busy', { spec: { vcpus: 2 } })
  await control.waitHeld(hold.id, 30_000)
  await story.run('label', 'cloudvm', 'busy', 'team=front')
  await story.run('annotate', 'cloudvm', 'busy', 'cloud-operator.dev/reconcile-requested-at=now')
  control.release(hold.id, 'answer')
  const done = await story.until(
    'cloudvm',
    'busy',
    'Ready at its new size, with the request echoed',
    ({ status, metadata }) =>
      status?.observedGeneration === metadata.generation &&
      status['operation'] === undefined &&
      status['lastHandledReconcileAt'] === 'now' &&
      status.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true,
    30_000,
  )
  expect(done.status?.['powerState']).toBe('Running')
  const changes = control
    .calls()
    .slice(before)
    .filter((each) => each.method !== 'GET')
  expect(changes.map((each) => `${each.method} ${each.path}`)).toEqual([
    'POST /user-resource/vm/stop',
    'PATCH /user-resource/vm',
    'POST /user-resource/vm/start',
  ])
})

test.each(['true', 'yes'])('paused=%s pauses', async (value) => {
  const name = `paused-${value}`
  const metadata = { name, annotations: { 'cloud-operator.dev/paused': value } }
  const network = { apiVersion: 'cloud-operator.dev/v1alpha1', kind: 'CloudNetwork', metadata, spec: {} }
  await story.apply(JSON.stringify(network))
  await story.reason('cloudnetwork', name, 'Paused')
  await story.run('annotate', 'cloudnetwork', name, 'cloud-operator.dev/paused=false', '--overwrite')
  await story.ready('cloudnetwork', name)
})
