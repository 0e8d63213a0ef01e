/** A share of the fault cases with real processes; FAULTS_SEED chooses which, without it the time does. */
import { expect, inject, test } from 'vitest'
import { createReferences } from '../faults/real/judge-plan.ts'
import { openRig } from '../faults/real/rig.ts'
import { runCases } from '../faults/real/run-cases.ts'
import { choose, spaceOf } from '../faults/real/space.ts'
import { installOperator } from './install.ts'

const CASES = 60
/** Each takes an undisturbed run in virtual time. */
const STORIES = 15
const PARALLEL = 6
/** No case is begun after it; a slow machine runs fewer. */
const LIMIT_MS = 240_000
const FEWEST = 12

const say = (line: string): void => void process.stderr.write(`${line}\n`)

test(
  'a share of the fault cases breaks nothing',
  async () => {
    const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000_000)
    const references = createReferences()
    const space = await spaceOf(references, { seed, stories: STORIES })
    const cases = choose(space, CASES, seed)
    say(`FAULTS_SEED=${seed}: ${cases.length} of ${space.cases.length} cases of ${space.stories} stories`)
    const plane = inject('controlPlane')
    await installOperator(plane)
    const rig = await openRig(plane, inject('bundle'))
    try {
      const { failing, count } = await runCases(rig, {
        cases,
        references,
        parallel: PARALLEL,
        limitMs: LIMIT_MS,
        say,
      })
      expect(failing.map(({ plan, violations }) => ({ plan, violations }))).toEqual([])
      expect(count).toBeGreaterThanOrEqual(FEWEST)
    } finally {
      await rig.close()
    }
  },
  2.5 * LIMIT_MS,
)
