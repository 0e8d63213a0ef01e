/** Everything deleted at once, in any order or with its namespace: the cloud ends as it was, and no data is lost on the way. */
import { afterEach, expect, test, vi } from 'vitest'
import { startStory, type Story } from '../story.ts'
import { expectOrderly, lastCall, SIX, sixReady, theSix } from './six.ts'

let story: Story
afterEach(() => story.end())

/** The data disk is detached before its machine goes, which would take it along, and is deleted by its own object only. */
function expectDataDiskSafe(since: number, vmID: unknown, diskID: unknown): void {
  const calls = story.simulator.control.calls({ since, mutationsOnly: true })
  const at = (text: string) => calls.findIndex(({ effect = '' }) => effect.includes(text))
  const destructions = calls.filter(({ effect = '' }) => effect.includes(`destroyed disk ${diskID}`))
  expect(destructions.map(({ path }) => path)).toEqual([`/storage/disks/${diskID}`])
  const detached = at(`detached disk ${diskID}`)
  expect(detached).toBeGreaterThanOrEqual(0)
  expect(detached).toBeLessThan(at(`deleted vm ${vmID}`))
}

const ORDERS = {
  'what is used first': SIX.toReversed(),
  'users first': SIX,
}

test.each(Object.entries(ORDERS))('%s', async (_name, order) => {
  story = await startStory('order')
  const before = story.simulator.control.inventory()
  await story.apply(...theSix(story))
  const six = await sixReady(story)
  const since = lastCall(story)
  for (const [kind, name] of order) await story.run('delete', kind, name, '--wait=false')
  for (const [kind, name] of order) await story.gone(kind, name)
  expect(story.simulator.control.inventory()).toEqual(before)
  expectDataDiskSafe(since, six.cloudvm.status?.['id'], six.clouddisk.status?.['id'])
  expectOrderly(story)
})

test('the namespace, with the account and its Secret in it', async () => {
  story = await startStory('namespace')
  const before = story.simulator.control.inventory()
  await story.apply(...theSix(story))
  const six = await sixReady(story)
  const since = lastCall(story)
  await story.run('delete', 'namespace', story.namespace, '--wait=false')
  await vi.waitFor(
    async () => {
      const text = await story.run('get', 'namespace', story.namespace, '-o', 'json', '--ignore-not-found')
      if (text !== '') throw new Error(`the namespace is still there: ${text}\n${await left()}`)
    },
    { timeout: 90_000, interval: 500 },
  )
  expect(story.simulator.control.inventory()).toEqual(before)
  expectDataDiskSafe(since, six.cloudvm.status?.['id'], six.clouddisk.status?.['id'])
  expectOrderly(story)
})

/** What is left, for the failure's text. */
async function left(): Promise<string> {
  const objects = await story.run('get', 'cloud,secrets', '-o', 'wide', '--ignore-not-found')
  return `${objects}\n${story.operator.lines.slice(-10).join('\n')}`
}
