/** A small share of the fault cases, in time for every change: undisturbed runs, equal seeds, and some of every group. */
import { expect, test } from 'vitest'
import { drawCases, storiesOf } from './cases.ts'
import { createJudge } from './judge-plan.ts'
import { runPlan } from './run-plan.ts'

const judge = createJudge()

/** Some seconds on a machine that has nothing else to do. */
const LIMIT_MS = 300_000

test(
  'the same seed gives the same run, another seed another one',
  async () => {
    const [story] = storiesOf('network')
    if (story === undefined) throw new Error('no such story')
    const traces = new Set<string>()
    for (let seed = 1; seed <= 20; seed++) {
      const { trace } = await runPlan({ ...story, seed })
      expect((await runPlan({ ...story, seed })).trace).toBe(trace)
      traces.add(trace)
    }
    expect(traces.size).toBe(20)
  },
  LIMIT_MS,
)

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

test(
  'a share of the cases breaks nothing',
  async () => {
    const wrong: unknown[] = []
    for (const { plan } of await drawCases({ cases: 40, seed: 2 })) {
      const { violations } = await judge(plan)
      if (violations.length > 0) wrong.push({ plan, violations })
    }
    expect(wrong).toEqual([])
  },
  LIMIT_MS,
)
