/** Each story once without any trouble; equal seeds and a share of the troubles come with `npm test` as a step of their own. */
import { expect, test } from 'vitest'
import { storiesOf } from './cases.ts'
import { createJudge } from './judge-plan.ts'

const judge = createJudge()

/** Some seconds on a machine that has nothing else to do. */
const LIMIT_MS = 300_000

test(
  'undisturbed runs break nothing',
  async () => {
    const wrong: unknown[] = []
    for (const story of storiesOf(undefined).filter(({ leaders }) => leaders === 'one')) {
      const { violations } = await judge({ ...story, seed: 2 })
      wrong.push(...violations.map((each) => ({ scenario: story.scenario, profile: story.profile, ...each })))
    }
    expect(wrong).toEqual([])
  },
  LIMIT_MS,
)
