/** What the operator knows of an object by itself, whatever the status says. */
import { expect, test } from 'vitest'
import { SETTLE_MS } from '../../faults/durations.ts'
import type { Perturbation } from '../../faults/plan.ts'
import { network } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const net = network('net')
const POST = 'POST /network/network'

function made(perturbation: Perturbation): Story {
  const story = begin('one', 1, [perturbation])
  story.world.start()
  story.apply(net)
  return story
}

test('nothing was sent for an object whose first status could not be written: it is made at once', async () => {
  const story = made({
    at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 1 },
    do: { answer: { status: 409 }, effect: 'never' },
  })
  await story.until(() => story.isGood(net), SETTLE_MS / 2)
  expect(story.changes(POST)).toHaveLength(1)
})

test('an id is stored although the status was emptied while its create was under way', async () => {
  const story = made({
    at: { port: 'cloud', call: POST, nth: 1 },
    do: { person: { do: 'wipeStatus', object: net } },
  })
  await story.until(() => story.isGood(net), SETTLE_MS / 2)
  const writes = story.world.entries.flatMap((each) =>
    each.is === 'write' && each.kind === 'CloudNetwork' && each.process > 0 ? [each.after?.status] : [],
  )
  expect(writes.find((status) => status?.['id'] !== undefined)?.['operation']).toMatchObject({
    verb: 'create',
  })
  expect(story.changes(POST)).toHaveLength(1)
})
