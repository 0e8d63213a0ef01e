/** Deleted behind our back: made again where nothing of value is lost, else said once and held for a person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../../../src/simulator/strangers.ts'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { onProfile } from './differences.ts'
import { changes, endOrderly, lastCall, madeSince, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('vanished')))
afterAll(() => endOrderly(story))

const idOf = (object: AnyObject) => String(object.status?.['id'])
const vanishes = (kind: Kind, id: string) => story.simulator.control.mutate({ do: 'delete', kind, id })

const KEPT = [
  ['CloudVM', 'vm', '/user-resource/vm/list', SMALL_VM],
  ['CloudDisk', 'disk', '/storage/disks', { sizeGiB: 10 }],
  ['CloudBucket', 'bucket', '/storage/bucket/list', { bucketName: 'vanishing' }],
  ['CloudFloatingIP', 'floatingIp', '/network/ip_addresses', {}],
] as const

test.each(KEPT)(
  '%s: not made again; said once, and held until it is deleted',
  async (kind, family, list, spec) => {
    const { control } = story.simulator
    await story.apply(manifest(kind, 'lost', spec))
    const object = await story.ready(kind, 'lost')
    const since = lastCall(story)
    vanishes(family, kind === 'CloudFloatingIP' ? String(object.status?.['address']) : idOf(object))
    const held = await story.reason(kind, 'lost', 'ExternallyDeleted')
    expect(conditionOf(held, 'Ready')).toMatchObject({ status: 'False' })
    const message = conditionOf(held, 'Ready')?.message
    expect(message).toMatch(/was deleted in the cloud; what it held is gone.*to have a new one made/)
    expect(message).toContain(`cloud-operator.dev/recreate=${idOf(object)}`)
    expect(conditionOf(held, 'Stalled')?.status).toBe('True')
    expect(held.status?.['id']).toBe(idOf(object))

    // Looked at again and again, and nothing new is to be said.
    const looks = () => control.calls({ since }).filter(({ path }) => path.endsWith(list)).length
    const before = looks()
    await expect.poll(() => looks() - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
    expect((await story.get(kind, 'lost'))?.metadata.resourceVersion).toBe(held.metadata.resourceVersion)
    await story.run('delete', kind, 'lost', '--wait=false')
    await story.gone(kind, 'lost')
    expect(changes(story, since)).toEqual([])
  },
)

/** A load balancer that only a person can delete is: in the console, behind our back again, and this time it was asked for. */
const onceDeleted = (id: string) =>
  onProfile(story, 'load balancers stay', {
    extended: () => Promise.resolve(),
    documented: async () => {
      await story.reason('cloudloadbalancer', 'again', 'Unsupported')
      vanishes('loadBalancer', id)
    },
  })

const REMADE = [
  ['CloudNetwork', 'network', {}],
  ['CloudLoadBalancer', 'loadBalancer', { rules: [{ sourcePort: 80, targetPort: 8080 }] }],
] as const

test.each(REMADE)('%s: made again, once', async (kind, family, spec) => {
  await story.apply(manifest(kind, 'again', spec))
  const id = idOf(await story.ready(kind, 'again'))
  const since = lastCall(story)
  vanishes(family, id)
  const again = await story.until(kind, 'again', 'Ready under another id', (each) => {
    return (
      conditionOf(each, 'Ready')?.status === 'True' && idOf(each) !== id && each.status?.['id'] !== undefined
    )
  })
  expect(Object.values(madeSince(story, since))).toEqual([1])
  expect(changes(story, since)).toHaveLength(1)
  expect(idOf(again)).not.toBe(id)
  await story.run('delete', kind, 'again', '--wait=false')
  if (kind === 'CloudLoadBalancer') await onceDeleted(idOf(again))
  await story.gone(kind, 'again')
})

test('one that only observes is not made again', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const [id = ''] = control.mutate({ do: 'create', kind: 'network', name: 'theirs', apiKey }).ids
  await story.apply(
    manifest('CloudNetwork', 'seen', { adopt: { id }, lifecycle: { management: 'ObserveOnly' } }),
  )
  await story.ready('cloudnetwork', 'seen')
  const since = lastCall(story)
  vanishes('network', id)
  await story.reason('cloudnetwork', 'seen', 'ExternallyDeleted')
  await story.run('delete', 'cloudnetwork', 'seen', '--wait=false')
  await story.gone('cloudnetwork', 'seen')
  expect(changes(story, since)).toEqual([])
})
