/** An object that adopted something, may delete it, and lost its status: a person is asked, and the answer is followed. */
import { expect, test } from 'vitest'
import { conditionOf } from '../../faults/oracles/facts.ts'
import { begin, type Story } from './drive.ts'

const DELETE = 'DELETE /user-resource/vm'
const old = { kind: 'CloudVM', name: 'old' }

async function asked(): Promise<{ readonly story: Story; readonly id: string; readonly message: string }> {
  const story = begin()
  const { control } = story.world.service
  const [id = ''] = control.mutate({
    do: 'create',
    kind: 'vm',
    apiKey: story.world.apiKey,
    name: 'by-hand',
  }).ids
  story.world.start()
  story.apply({ ...old, spec: { adopt: { id }, lifecycle: { onDelete: 'Delete' } } })
  await story.until(() => story.isGood(old))
  story.person({ do: 'wipeStatus', object: old })
  story.person({ do: 'delete', object: old })
  const reason = (): string | undefined => {
    const object = story.object(old)
    return object && conditionOf(object, 'Stalled')?.reason
  }
  await story.until(() => reason() === 'AdoptionConflict')
  const object = story.object(old)
  return { story, id, message: (object && conditionOf(object, 'Stalled')?.message) ?? '' }
}

test.each([
  ['its id', true],
  ['none', false],
])('answered with %s', async (answer, deleted) => {
  const { story, id, message } = await asked()
  const subject = /resolve=(\S+@[0-9a-f]{8})=/.exec(message)?.[1] ?? ''
  await story.wait(200_000)
  expect(story.changes(DELETE)).toEqual([])
  const resolve = `${subject}=${deleted ? id : answer}`
  story.person({
    do: 'annotate',
    object: old,
    annotations: { 'cloud-operator.dev/resolve': resolve },
  })
  await story.until(() => story.object(old) === undefined)
  expect(story.changes(DELETE)).toHaveLength(deleted ? 1 : 0)
})
