/** A machine and an operation on it: whoever has begun there is left to it. */
import { expect, test } from 'vitest'
import { ref, vm } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const web = vm('web')
const restart = { kind: 'CloudVMOperation', name: 'task', spec: { vmRef: ref(web), restart: {} } }
const STOP = 'POST /user-resource/vm/stop'

/** A running machine whose guest does not heed a graceful stop. */
async function deaf(): Promise<Story> {
  const story = begin()
  story.world.start()
  story.apply(web)
  await story.until(() => story.isGood(web))
  story.world.service.control.setRule('acpiIgnored', true)
  return story
}

test('while an operation waits for its stop the machine is not changed', async () => {
  const story = await deaf()
  story.apply(restart)
  await story.until(() => story.changes(STOP).length === 1)
  story.person({ do: 'edit', object: web, spec: { vcpus: 2, name: 'renamed' } })
  const before = story.changes().length
  await story.wait(30_000)
  expect(story.changes().slice(before)).toEqual([])
})

test('while a machine waits for its stop no operation begins', async () => {
  const story = await deaf()
  story.person({ do: 'edit', object: web, spec: { vcpus: 2 } })
  await story.until(() => story.changes(STOP).length === 1)
  story.apply(restart)
  await story.wait(30_000)
  expect(story.changes(STOP)).toHaveLength(1)
})
