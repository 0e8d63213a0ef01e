/** Every case that the rig can run, and which of them a run takes: as the seed says, rare ones as well as common ones. */
import { storiesOf } from '../cases.ts'
import { crashOf } from '../crashes.ts'
import { SETTLE_MS } from '../durations.ts'
import { singlesOf, type Case } from '../generate.ts'
import type { Perturbation, Plan } from '../plan.ts'
import { createRandom, seedFor, type Random } from '../random.ts'
import type { References } from './judge-plan.ts'

export interface Space {
  readonly cases: readonly Case[]
  readonly stories: number
}

/** Of every story, or of so many drawn ones: each takes an undisturbed run in virtual time. */
export async function spaceOf(
  references: References,
  wanted: { readonly scenario?: string; readonly stories?: number; readonly seed: number },
): Promise<Space> {
  const random = createRandom(seedFor(wanted.seed, 'stories'))
  const stories = shuffled(storiesOf(wanted.scenario), random).slice(0, wanted.stories)
  const cases: Case[] = []
  for (const story of stories) cases.push(...singlesOf(await references.of(story)).filter(canBeReal))
  return { cases, stories: stories.length }
}

/**
 * Left out: what real processes share with everything else (the clock, a suspended machine), what takes a restored etcd,
 * connections to the service that are refused (a request is counted when it has come), and effects that come later than
 * the service promises.
 */
function canBeReal({ plan }: Case): boolean {
  return plan.perturbations.every(({ at, do: trouble }) => {
    if ('restoreEtcd' in trouble || 'clockStepMs' in trouble) return false
    if ('pauseMs' in trouble) return trouble.suspended !== true
    if (!('answer' in trouble)) return true
    if (typeof trouble.effect === 'object' && trouble.effect.afterMs > SETTLE_MS) return false
    return trouble.answer !== 'notSent' || at.port === 'kube'
  })
}

/** Shares of the groups; one that has too few cases leaves its rest to the others. */
const SHARES: Readonly<Record<string, number>> = {
  kill: 10,
  leaders: 14,
  'cloud answer': 12,
  'kube answer': 10,
  'late effect': 5,
  watch: 4,
  people: 4,
  pause: 2,
  read: 2,
  'read answer': 1,
  'kube read': 1,
}

/** A run of the whole command meets every point at which the process can die; a small one some of them. */
const MOST_DEATHS = 0.75

/** So many of them, or all there are: deaths at every point of every write first. */
export function choose(space: Space, count: number, seed: number): readonly Case[] {
  const random = createRandom(seedFor(seed, 'real cases'))
  const deaths = shuffled([...deathsIn(space.cases, random).values()], random).slice(0, MOST_DEATHS * count)
  const dying = deaths.flatMap(([first]) => first ?? [])
  const others = space.cases.filter((each) => !dying.includes(each))
  return shuffled([...dying, ...byShares(others, count - dying.length, random)], random)
}

/** By write and point, those that real processes are the likeliest to come to first. */
function deathsIn(cases: readonly Case[], random: Random): ReadonlyMap<string, readonly Case[]> {
  const ranked = cases
    .map((each) => ({ each, rank: rankOf(each.plan) + random.next() * RANKS_MIXED }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each)
  const byPoint = new Map<string, Case[]>()
  for (const each of ranked) {
    const [crash, ...others] = each.plan.perturbations.map(crashOf)
    if (crash === undefined || others.length > 0) continue
    const point = crash.join(' ')
    byPoint.set(point, [...(byPoint.get(point) ?? []), each])
  }
  return byPoint
}

function byShares(cases: readonly Case[], count: number, random: Random): readonly Case[] {
  const groups = [...Map.groupBy(cases, ({ group }) => group)]
  const hands = groups.map(([group, cases]) => ({ share: SHARES[group] ?? 1, cases: spread(cases, random) }))
  const total = hands.reduce((sum, { share }) => sum + share, 0)
  const first = hands.flatMap(({ share, cases }) => cases.slice(0, Math.floor((count * share) / total)))
  const taken = new Set(first)
  const rest = shuffled(
    hands.flatMap(({ cases }) => cases.slice(0, count)).filter((each) => !taken.has(each)),
    random,
  )
  return [...first, ...rest.slice(0, count - first.length)]
}

/** In such an order that every kind of call meets every trouble once before any does twice. */
function spread(cases: readonly Case[], random: Random): readonly Case[] {
  const drawn = cases.map((each) => ({ each, rank: rankOf(each.plan) + random.next() * RANKS_MIXED }))
  const ranked = drawn.sort((a, b) => a.rank - b.rank).map(({ each }) => each)
  const strata = [...Map.groupBy(ranked, ({ plan }) => stratumOf(plan)).values()]
  const order = shuffled(strata, random)
  const most = Math.max(0, ...order.map(({ length }) => length))
  return Array.from({ length: most }, (_, round) => order.flatMap((stratum) => stratum[round] ?? [])).flat()
}

/** Real processes make fewer of the later calls of a kind (they look less often meanwhile): these come last. */
function rankOf({ perturbations }: Plan): number {
  return Math.max(0, ...perturbations.map(({ at }) => at.nth))
}

const RANKS_MIXED = 4

function stratumOf({ perturbations }: Plan): string {
  return perturbations.map(({ at, do: trouble }) => `${kindOfCall(at)} ${JSON.stringify(trouble)}`).join()
}

/** Without the name of the object. */
function kindOfCall({ call }: Perturbation['at']): string {
  return call.split(' ').slice(0, 2).join(' ')
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
