/** The cases of a run of the command: singles of every story, then pairs, drawn by seed so that every group is met. */
import { pairsOf, singlesOf, type Case } from './generate.ts'
import { referenceFor } from './judge-plan.ts'
import type { Leaders, Plan } from './plan.ts'
import { createRandom, seedFor, type Random } from './random.ts'
import { runPlan } from './run-plan.ts'
import { SCENARIOS } from './scenarios/all.ts'
import type { Scenario } from './steps.ts'

export interface Wanted {
  readonly cases: number
  readonly seed: number
  /** Only this one. */
  readonly scenario?: string
}

/** One pair for so many singles. */
const SINGLES_PER_PAIR = 5

/** Every story: scenario, profile and leaders. */
export function storiesOf(only: string | undefined): readonly Plan[] {
  return SCENARIOS.filter(({ name }) => only === undefined || name === only).flatMap(plansFor)
}

function plansFor({ name, profiles = ['extended', 'documented'] }: Scenario): readonly Plan[] {
  return profiles.flatMap((profile) =>
    (['one', 'two'] as const satisfies readonly Leaders[]).map((leaders) => ({
      scenario: name,
      seed: 1,
      profile,
      leaders,
      perturbations: [],
    })),
  )
}

/** As many as wanted, or all there are; few cases come from a few stories. */
export async function drawCases({ cases, seed, scenario }: Wanted): Promise<readonly Case[]> {
  const random = createRandom(seedFor(seed, 'cases'))
  const stories = shuffled(storiesOf(scenario), random).slice(0, Math.ceil(cases / CASES_PER_STORY))
  const pools: Case[][] = []
  for (const story of stories) {
    const singles = singlesOf(await runPlan(referenceFor(story)))
    const pairs = pairsOf(singles, Math.ceil(singles.length / SINGLES_PER_PAIR), random)
    const most = Math.ceil((MOST_OF_A_POOL * cases) / stories.length)
    pools.push(...byGroup([...singles, ...pairs]).map((pool) => shuffled(pool, random).slice(0, most)))
  }
  return dealt(shuffled(pools, random), cases)
}

/** A story takes an undisturbed run first. */
const CASES_PER_STORY = 10
/** No group of one story takes more than this share of what falls to a story. */
const MOST_OF_A_POOL = 0.5

function byGroup(cases: readonly Case[]): readonly Case[][] {
  return [...Map.groupBy(cases, ({ group }) => group).values()]
}

/** One of each pool in turn, until enough are dealt. */
function dealt(pools: readonly Case[][], count: number): readonly Case[] {
  const hand: Case[] = []
  for (let round = 0; hand.length < count; round++) {
    const dealtNow = pools.flatMap((pool) => pool[round] ?? [])
    if (dealtNow.length === 0) break
    hand.push(...dealtNow)
  }
  return hand.slice(0, count)
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list]
  for (let last = left.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [a, b] = [left[last], left[other]]
    if (a !== undefined && b !== undefined) [left[last], left[other]] = [b, a]
  }
  return left
}
