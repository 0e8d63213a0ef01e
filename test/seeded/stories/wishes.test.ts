/** A wish that changes in the middle of a sequence: the next call is not sent for the old one. */
import { expect, test } from 'vitest'
import { ANNOTATIONS } from '../../../src/api/group.ts'
import { network, vm } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const net = network('net')
const web = vm('web')
const STOP = 'POST /user-resource/vm/stop'
const PATCH = 'PATCH /user-resource/vm'

/** A machine that is being stopped for another size. */
async function stopping(): Promise<Story> {
  const story = begin()
  story.world.start()
  story.apply(web)
  await story.until(() => story.isGood(web))
  story.person({ do: 'edit', object: web, spec: { vcpus: 2 } })
  await story.until(() => story.changes(STOP).length === 1)
  return story
}

test('an edit that is taken back while the machine stops changes nothing but its power', async () => {
  const story = await stopping()
  story.person({ do: 'edit', object: web, spec: { vcpus: 1 } })
  await story.until(() => story.isGood(web))
  expect(story.changes(PATCH)).toEqual([])
})

test('a machine whose object is deleted while it stops is not changed any more', async () => {
  const story = await stopping()
  story.person({ do: 'delete', object: web })
  await story.until(() => story.object(web) === undefined)
  expect(story.changes(PATCH)).toEqual([])
})

test('a pause between the intent and the call keeps the call back', async () => {
  const story = begin()
  story.world.start()
  story.apply(net)
  await story.until(() => story.object(net)?.status?.['operation'] !== undefined)
  story.person({ do: 'annotate', object: net, annotations: { [ANNOTATIONS.paused]: 'true' } })
  await story.wait(60_000)
  expect(story.changes('POST /network/network').filter(({ arrivedAt }) => arrivedAt !== undefined)).toEqual(
    [],
  )
})
