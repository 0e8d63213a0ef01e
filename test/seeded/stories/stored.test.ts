/** The id of a new object that carries no name: stored at once and whatever it takes, so that nobody has to be asked for it. */
import { expect, test } from 'vitest'
import type { Leaders, Perturbation } from '../../faults/plan.ts'
import { begin } from './drive.ts'

const keys = { kind: 'CloudAccessKey', name: 'keys', spec: { secretName: 's3' } }
const STATUS = 'update cloudaccesskeys/status keys'

interface Case {
  readonly says: string
  readonly trouble: Perturbation
  readonly leaders?: Leaders
}

const cases: readonly Case[] = [
  {
    says: 'the write of the id is refused twice',
    trouble: {
      at: { port: 'kube', call: STATUS, nth: 2, times: 2 },
      do: { answer: { status: 500 }, effect: 'never' },
    },
  },
  {
    says: 'the process dies before it looks at what it made',
    trouble: { at: { port: 'cloud', call: 'GET /storage/user/keys', nth: 5 }, do: { kill: 'before' } },
  },
  {
    says: 'the lease goes while the create is under way',
    trouble: { at: { port: 'cloud', call: 'GET /storage/user', nth: 1 }, do: { pauseMs: 20_000 } },
    leaders: 'two',
  },
]

test.each(cases)('$says', async ({ trouble, leaders = 'one' }) => {
  const story = begin(leaders, 1, [trouble])
  story.world.start()
  if (leaders === 'two') story.world.start()
  await story.until(() => story.isGood({ kind: 'CloudAccount', name: 'default' }))
  story.apply(keys)
  await story.until(() => story.isGood(keys))
  expect(story.changes('GET /storage/user')).toHaveLength(1)
})
