/** Who waits for whom at a machine. */
import { expect, test } from 'vitest'
import { ref, vm } from '../../faults/scenarios/words.ts'
import { begin } from './drive.ts'

const web = vm('web')
const snapshot = (name: string) => ({ kind: 'CloudSnapshot', name, spec: { vmRef: ref(web) } })

test('a deletion that was answered holds nobody, however long it takes to be proven', async () => {
  const story = begin()
  story.world.start()
  const both = [snapshot('first'), snapshot('second')]
  story.apply(web, ...both)
  await story.until(() => both.every((each) => story.isGood(each)))
  for (const object of both) story.person({ do: 'delete', object })
  const sent = () => story.changes('DELETE /user-resource/vm/replica')
  await story.until(() => sent().length === 2)
  // Neither is proven gone by then.
  expect(both.map((each) => story.object(each)?.metadata.name)).toEqual(['first', 'second'])
})
