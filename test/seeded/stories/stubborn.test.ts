/** A service that accepts a change and never shows it: writing stops after the second time. */
import { expect, test } from 'vitest'
import { vm } from '../../faults/scenarios/words.ts'
import { begin } from './drive.ts'

const web = vm('web')
const PATCH = 'PATCH /user-resource/vm'

test('a size that the service rounds is not asked for without end', async () => {
  const story = begin()
  const { world } = story
  world.start()
  story.apply(web)
  await story.until(() => story.isGood(web))
  world.service.control.setRule('ramStepMib', 1_000)
  world.service.control.setRule('refuseUnchanged', false)
  story.person({ do: 'edit', object: web, spec: { memoryMiB: 2_048 } })
  await story.until(() => story.changes(PATCH).length > 0)
  await story.wait(900_000)
  expect(story.changes(PATCH)).toHaveLength(2)
})
