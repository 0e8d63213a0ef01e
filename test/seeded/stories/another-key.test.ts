/** The account's key becomes another user's, and what said whose it was is lost: nothing counts as absent because of that. */
import { expect, test } from 'vitest'
import { network } from '../../faults/scenarios/words.ts'
import { begin } from './drive.ts'

const net = network('net')
const account = { kind: 'CloudAccount', name: 'default' }

test('under another key nothing is concluded and nothing is made', async () => {
  const story = begin()
  const { world } = story
  world.start()
  story.apply(net)
  await story.until(() => story.isGood(net))
  const before = story.changes().length
  const other = world.service.control.createAccount()
  story.person({ do: 'secret', name: 'cloud-token', data: { apikey: other.apiKey } })
  await story.until(() => !story.isGood(account), 1_500_000)
  story.person({ do: 'wipeStatus', object: account })
  await story.until(() => story.isGood(account))
  await story.wait(900_000)
  expect(story.changes().slice(before)).toEqual([])
  story.person({ do: 'secret', name: 'cloud-token', data: { apikey: world.apiKey } })
  await story.until(() => !story.isGood(account), 1_500_000)
  story.person({ do: 'wipeStatus', object: account })
  await story.until(() => story.isGood(net), 1_500_000)
})
