/** What a wish refers to goes between the wish and its intent. */
import { expect, test } from 'vitest'
import { conditionOf } from '../../faults/oracles/facts.ts'
import { disk, ref, vm } from '../../faults/scenarios/words.ts'
import type { PersonStep } from '../../faults/steps.ts'
import { begin } from './drive.ts'

const root = disk('root', { source: { image: { os: 'ubuntu', version: '24.04' } }, sizeGiB: 20 })
const web = { ...vm('web'), spec: { source: { diskRef: ref(root) }, vcpus: 1, memoryMiB: 1_024 } }
const POST = 'POST /user-resource/vm'

test('a machine is not made from a disk whose object went meanwhile', async () => {
  const steps: readonly PersonStep[] = [
    { do: 'stripFinalizer', object: root },
    { do: 'delete', object: root },
  ]
  const story = begin(
    'one',
    1,
    steps.map((person) => ({ at: { port: 'kube', call: 'patch cloudvms web', nth: 1 }, do: { person } })),
  )
  story.world.start()
  story.apply(root)
  await story.until(() => story.isGood(root))
  story.apply(web)
  await story.until(() => {
    const machine = story.object(web)
    return machine !== undefined && conditionOf(machine, 'Ready')?.reason === 'WaitingForDependency'
  })
  expect(story.changes(POST)).toEqual([])
})
