/** A machine that was stopped for something else and is let go meanwhile, or the operation on it: it is not left off. */
import { expect, test } from 'vitest'
import type { Perturbation } from '../../faults/plan.ts'
import { ref, vm } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const web = vm('web', { lifecycle: { onDelete: 'Retain' } })
const restart = { kind: 'CloudVMOperation', name: 'task', spec: { vmRef: ref(web), restart: {} } }
const STOP = 'POST /user-resource/vm/stop'

async function running(perturbations: readonly Perturbation[] = []): Promise<Story> {
  const story = begin('one', 1, perturbations)
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

/** The stop is not answered, and lands half a minute later; meanwhile the operation loses its status. */
const LATE: readonly Perturbation[] = [
  { at: { port: 'cloud', call: STOP, nth: 1 }, do: { answer: 'reset', effect: { afterMs: 30_000 } } },
  { at: { port: 'cloud', call: STOP, nth: 1 }, do: { person: { do: 'wipeStatus', object: restart } } },
]

test.each([['stays'], ['is deleted as well']])(
  'an operation older than the settle time, whose lost status knew of an unanswered stop: its object %s',
  async (what) => {
    const story = await running(LATE)
    const paused = (value: string | null): void =>
      story.person({ do: 'annotate', object: web, annotations: { 'cloud-operator.dev/paused': value } })
    paused('true')
    story.apply(restart)
    await story.wait(90_000)
    paused(null)
    await story.until(() => story.changes(STOP).length === 1)
    if (what !== 'stays') story.person({ do: 'delete', object: restart })
    await story.until(() => machines(story)[0] === 'stopped', 60_000)
    await story.until(() => machines(story)[0] === 'running', 60_000)
    expect(story.changes(STOP)).toHaveLength(1)
  },
)
