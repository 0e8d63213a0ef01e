/** A machine that was stopped for something else and is let go meanwhile, or the operation on it: it is not left off. */
import { expect, test } from 'vitest'
import { ref, vm } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const web = vm('web', { lifecycle: { onDelete: 'Retain' } })
const restart = { kind: 'CloudVMOperation', name: 'task', spec: { vmRef: ref(web), restart: {} } }
const STOP = 'POST /user-resource/vm/stop'

async function running(): Promise<Story> {
  const story = begin()
  story.world.start()
  story.apply(web)
  await story.until(() => story.isGood(web))
  return story
}

const machines = ({ world }: Story): readonly unknown[] =>
  world.service.control
    .inventory()
    .vms.filter(({ name }) => !String(name).startsWith('bystander'))
    .map(({ status }) => status)

test('a machine that is kept, in the middle of a change of size, is started before its object goes', async () => {
  const story = await running()
  story.person({ do: 'edit', object: web, spec: { vcpus: 2 } })
  await story.until(() => story.changes(STOP).length === 1)
  story.person({ do: 'delete', object: web })
  await story.until(() => story.object(web) === undefined)
  expect(machines(story)).toEqual(['running'])
})

test('so is one whose operation goes with its definition', async () => {
  const story = await running()
  story.apply(restart)
  await story.until(() => story.changes(STOP).length === 1)
  story.person({ do: 'deleteCRD', kind: 'CloudVMOperation' })
  await story.until(() => story.object(restart) === undefined)
  await story.wait(5_000)
  expect(machines(story)).toEqual(['running'])
})
