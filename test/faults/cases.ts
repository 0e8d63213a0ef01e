/** The cases there are: singles and pairs of every story, drawn by seed so that every group is met. */
import { pairsOf, singlesOf, type Case, type Reference } from './generate.ts'
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
export async function drawCases(wanted: Wanted): Promise<readonly Case[]> {
  return dealt(await openPools(wanted, runAll), wanted.cases)
}

async function runAll(stories: readonly Plan[]): Promise<readonly Reference[]> {
  const references: Reference[] = []
  for (const story of stories) references.push(await runPlan(story))
  return references
}

/**
 * The cases of each group of each story, in drawn order: from as many stories as `cases` need, and of no group of one
 * story more than its share of them. `undisturbed` runs stories, and answers in their order.
 */
export async function openPools(
  { cases, seed, scenario }: Wanted,
  undisturbed: (stories: readonly Plan[]) => Promise<readonly Reference[]>,
): Promise<readonly (readonly Case[])[]> {
  const random = createRandom(seedFor(seed, 'cases'))
  const stories = shuffled(storiesOf(scenario), random).slice(0, Math.ceil(cases / CASES_PER_STORY))
  const pools: (readonly Case[])[] = []
  for (const reference of await undisturbed(stories.map(referenceFor))) {
    const singles = singlesOf(reference)
    const pairs = pairsOf(singles, Math.ceil(singles.length / SINGLES_PER_PAIR), random)
    pools.push(...byGroup([...singles, ...pairs]).map((pool) => shuffled(pool, random)))
  }
  return shuffled(pools, random)
}

/** A story takes an undisturbed run first. */
const CASES_PER_STORY = 10
/** No group of one story takes more than this share of what falls to a story. */
const MOST_OF_A_POOL = 0.5

function byGroup(cases: readonly Case[]): readonly Case[][] {
  return [...Map.groupBy(cases, ({ group }) => group).values()]
}

/** One of each pool in turn, until enough are dealt; what is in the hand already is not dealt again. */
export function dealt(
  pools: readonly (readonly Case[])[],
  count: number,
  inHand: readonly Case[] = [],
): readonly Case[] {
  const hand = new Set(inHand)
  const stories = new Set(pools.map(([first]) => first && JSON.stringify(referenceFor(first.plan)))).size
  const most = Math.ceil((MOST_OF_A_POOL * count) / Math.max(1, stories))
  for (let round = 0; hand.size < count && round < most; round++) {
    const before = hand.size
    for (const pool of pools) {
      const next = pool[round]
      if (next !== undefined && hand.size < count) hand.add(next)
    }
    if (hand.size === before && pools.every((pool) => pool.length <= round)) break
  }
  return [...hand].slice(0, count)
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list]
  for (let last = left.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const [a, b] = [left[last], left[other]]
    if (a !== undefined && b !== undefined) [left[last], left[other]] = [b, a]
  }
  return left
}
