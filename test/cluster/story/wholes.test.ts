/** Everything deleted at once, in any order or with its namespace: the cloud ends as it was, and no data is lost on the way. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Inventory } from '../../../src/simulator/inventory.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { onProfile } from './differences.ts'
import { endOrderly, lastCall, loadBalancerLetGo, SIX, sixReady, theSix } from './six.ts'

let story: Story
afterEach(() => endOrderly(story))

const idOf = (object: AnyObject) => String(object.status?.['id'])

/** The data disk is detached before its machine goes, which would take it along, and is deleted by its own object only. */
function expectDataDiskSafe(since: number, vmID: string, diskID: string): void {
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
  await loadBalancerLetGo(story)
  for (const [kind, name] of order) await story.gone(kind, name)
  expect(story.simulator.control.inventory()).toEqual(before)
  expectDataDiskSafe(since, idOf(six.cloudvm), idOf(six.clouddisk))
})

test('the namespace, with the account and its Secret in it', async () => {
  story = await startStory('namespace')
  const before = story.simulator.control.inventory()
  await story.apply(...theSix(story))
  const six = await sixReady(story)
  const since = lastCall(story)
  await story.run('delete', 'namespace', story.namespace, '--wait=false')
  await onProfile(story, 'load balancers stay', {
    extended: async () => {
      await namespaceGone()
      expect(story.simulator.control.inventory()).toEqual(before)
    },
    documented: () => heldAndLetGo(six, before),
  })
  expectDataDiskSafe(since, idOf(six.cloudvm), idOf(six.clouddisk))
})

/** The namespace is held by what this service cannot delete and by nothing else, and is let go by an edit of that. */
async function heldAndLetGo(six: Awaited<ReturnType<typeof sixReady>>, before: Inventory): Promise<void> {
  const stuck = await story.reason('cloudloadbalancer', 'entry', 'Unsupported')
  expect(conditionOf(stuck, 'Ready')?.message).toContain('set spec.lifecycle.onDelete: Retain')
  for (const [kind, name] of SIX.filter(([each]) => !['cloudloadbalancer', 'cloudnetwork'].includes(each)))
    await story.gone(kind, name)
  const held = await story.reason('cloudnetwork', 'front', 'WaitingForDependents')
  expect(conditionOf(held, 'Ready')?.message).toContain('CloudLoadBalancer entry')

  // A namespace that ends still allows edits of what is in it.
  const retain = { spec: { lifecycle: { onDelete: 'Retain' } } }
  await story.edit('cloudloadbalancer', 'entry', retain)
  await story.edit('cloudnetwork', 'front', retain)
  await namespaceGone()
  const { networks, loadBalancers, ...others } = story.simulator.control.inventory()
  const { networks: networksBefore, loadBalancers: none, ...othersBefore } = before
  expect(others).toEqual(othersBefore)
  expect(none).toEqual([])
  expect(loadBalancers.map((each) => each['uuid'])).toEqual([idOf(six.cloudloadbalancer)])
  expect(networks).toHaveLength(networksBefore.length + 1)
}

async function namespaceGone(): Promise<void> {
  await vi.waitFor(
    async () => {
      const text = await story.run('get', 'namespace', story.namespace, '-o', 'json', '--ignore-not-found')
      if (text !== '') throw new Error(`the namespace is still there: ${text}\n${await left()}`)
    },
    { timeout: 90_000, interval: 500 },
  )
}

/** What is left, for the failure's text. */
async function left(): Promise<string> {
  const objects = await story.run('get', 'cloud,secrets', '-o', 'wide', '--ignore-not-found')
  return `${objects}\n${story.operator.lines.slice(-10).join('\n')}`
}
