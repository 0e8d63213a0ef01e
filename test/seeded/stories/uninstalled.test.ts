/** A definition that is being deleted takes its objects along, and nothing in the cloud. */
import { expect, test } from 'vitest'
import { resourceOf } from '../../faults/kube/resources.ts'
import { network } from '../../faults/scenarios/words.ts'
import { begin } from './drive.ts'

const net = network('net')

test('objects that go with their definition are let go, and the cloud keeps everything', async () => {
  const story = begin()
  story.world.start()
  story.apply(net)
  await story.until(() => story.isGood(net))
  const definitions = resourceOf('CustomResourceDefinition')
  const name = 'cloudnetworks.cloud-operator.dev'
  // As the API server does: the definition first, with a finalizer, then every object of it.
  story.world.model.patch(definitions, '', name, { metadata: { finalizers: ['cleanup'] } })
  story.world.model.delete(definitions, '', name)
  story.person({ do: 'delete', object: net })
  await story.until(() => story.object(net) === undefined)
  await story.wait(60_000)
  expect(story.changes('DELETE /network/network/:id')).toEqual([])
})
