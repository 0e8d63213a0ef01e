import { expect, test } from 'vitest'
import { createUnanswered } from '../../../src/reconcile/unanswered.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const web = { uid: 'web', generation: 1 }

/** A rename of machine vm-1 by CloudVM web, sent just now and not answered. */
function renameSent() {
  const clock = createManualClock()
  const unanswered = createUnanswered(clock)
  unanswered.note(['vm/vm-1', 'web'], web, 'rename', 1_000)
  return { clock, unanswered }
}

test('what was sent and not answered holds what it names for its time', async () => {
  const { clock, unanswered } = renameSent()
  expect(unanswered.leftMs(['vm/vm-1'])).toBe(1_000)
  expect(unanswered.leftMs(['vm/vm-2', 'data'])).toBeUndefined()
  await clock.advance(999)
  expect(unanswered.leftMs(['web'])).toBe(1)
  await clock.advance(1)
  expect(unanswered.leftMs(['vm/vm-1'])).toBeUndefined()
})

test('once it shows nothing is held any more', () => {
  const { unanswered } = renameSent()
  unanswered.seen(web, ['rename', 'stop'])
  expect(unanswered.leftMs(['vm/vm-1'])).toBe(1_000)
  unanswered.seen(web, ['stop'])
  expect(unanswered.leftMs(['vm/vm-1'])).toBeUndefined()
})

test('that another object, or an edited wish, plans no such step tells nothing', () => {
  const { unanswered } = renameSent()
  unanswered.seen({ uid: 'data', generation: 1 }, [])
  unanswered.seen({ uid: 'web', generation: 2 }, [])
  expect(unanswered.leftMs(['vm/vm-1'])).toBe(1_000)
})

test('of several the longest counts', async () => {
  const { clock, unanswered } = renameSent()
  unanswered.note(['vm/vm-1'], web, 'start', 5_000)
  expect(unanswered.leftMs(['vm/vm-1'])).toBe(5_000)
  unanswered.seen(web, ['start'])
  await clock.advance(4_000)
  expect(unanswered.leftMs(['vm/vm-1'])).toBe(1_000)
})
