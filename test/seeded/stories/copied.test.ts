/**
 * An object copied with its status, as a backup tool does it, of an earlier version that does not say whose it is: the copy
 * neither changes nor deletes what the original has.
 */
import { expect, test } from 'vitest'
import { ANNOTATIONS, API_VERSION, FINALIZER } from '../../../src/api/group.ts'
import { resourceOf } from '../../faults/kube/resources.ts'
import { network } from '../../faults/scenarios/words.ts'
import type { Manifest, Named } from '../../faults/steps.ts'
import { NAMESPACE } from '../../faults/world.ts'
import { begin, type Story } from './drive.ts'

const net = network('net')

/** What the original has on record, written over the record of another object. */
function copyStatus(story: Story, from: Named, to: Named): void {
  const { model } = story.world
  const { uid = '', resourceVersion = '' } = story.object(to)?.metadata ?? {}
  model.putStatus(resourceOf(to.kind), NAMESPACE, to.name, {
    metadata: { name: to.name, uid, resourceVersion },
    status: { ...story.object(from)?.status, uid: undefined },
  })
}

/** The same spec and status under another name, before any process sees it. */
function copy(story: Story, original: Manifest, spec: object = {}): Manifest {
  const made = { kind: original.kind, name: 'copy', spec: { ...original.spec, ...spec } }
  story.world.model.create(resourceOf(made.kind), NAMESPACE, {
    apiVersion: API_VERSION,
    kind: made.kind,
    metadata: { name: made.name, finalizers: [FINALIZER] },
    spec: made.spec,
  })
  copyStatus(story, original, made)
  return made
}

async function started(object: Manifest): Promise<Story> {
  const story = begin()
  story.world.start()
  story.apply(object)
  await story.until(() => story.isGood(object))
  return story
}

test('a copy with another wish changes nothing', async () => {
  const story = await started(net)
  const before = story.changes().length
  copy(story, net, { name: 'other' })
  await story.wait(300_000)
  expect(story.changes().slice(before)).toEqual([])
  expect(story.isGood(net)).toBe(true)
})

test('a copy that is deleted goes alone', async () => {
  const story = await started(net)
  const made = copy(story, net)
  await story.wait(5_000)
  story.person({ do: 'delete', object: made })
  await story.until(() => story.object(made) === undefined)
  await story.wait(120_000)
  expect(story.changes('DELETE /network/network/:id')).toEqual([])
  expect(story.isGood(net)).toBe(true)
})

test('of two that have the same on record the marker tells whose it is, not the age', async () => {
  const story = begin()
  story.world.start()
  const elder = { ...network('elder'), annotations: { [ANNOTATIONS.paused]: 'true' } }
  story.apply(elder)
  await story.wait(10_000)
  story.apply(net)
  await story.until(() => story.isGood(net))
  copyStatus(story, net, elder)
  await story.wait(300_000)
  expect(story.isGood(net)).toBe(true)
})
