/** What the operator asks before it deletes, and before it believes that something is gone. */
import { expect, test } from 'vitest'
import { network } from '../../faults/scenarios/words.ts'
import { begin } from './drive.ts'

const net = network('net')

/** A network that is there, in a cluster at rest. */
async function settled() {
  const story = begin()
  story.world.start()
  story.apply(net)
  await story.until(() => story.isGood(net))
  const id = String(story.object(net)?.status?.['id'])
  return { story, control: story.world.service.control, id }
}

test('whether an object is really being deleted is asked of the API server, not of the watch', async () => {
  const { story } = await settled()
  const asked = (): number => story.world.troubles.counts().get('kube get cloudnetworks net') ?? 0
  const before = asked()
  story.person({ do: 'delete', object: net })
  await story.until(() => story.changes('DELETE /network/network/:id').length > 0)
  expect(asked()).toBeGreaterThan(before)
})

test('what a list still shows is not gone, whatever the exact read says', async () => {
  const { story, control, id } = await settled()
  control.addFault({
    ...{ method: 'GET', path: '/network/network/:id', point: 'before' },
    times: 4,
    action: { answer: { status: 400, shape: 'message', text: 'network uuid is invalid' } },
  })
  story.person({ do: 'delete', object: net })
  await story.until(() => story.object(net) === undefined)
  expect(control.inventory().networks.map(({ uuid }) => uuid)).not.toContain(id)
})

test('what neither read shows for a moment is not made again', async () => {
  const { story, control, id } = await settled()
  control.addFault({
    ...{ method: 'GET', path: '/network/network/:id', point: 'before', times: 2 },
    action: { answer: { status: 400, shape: 'message', text: 'network uuid is invalid' } },
  })
  control.addFault({
    ...{ method: 'GET', path: '/network/networks', point: 'before', times: 6 },
    action: { answer: { status: 200, body: [] } },
  })
  story.person({ do: 'edit', object: net, spec: { name: 'renamed' } })
  await story.until(() => story.isGood(net))
  expect(story.object(net)?.status?.['id']).toBe(id)
  expect(story.changes('POST /network/network')).toHaveLength(1)
})
