/** Every case that the rig can run, and which of them a run takes: as the seed says, rare ones as well as common ones. */
import { storiesOf } from '../cases.ts'
import { cellsFor, type Cell } from '../coverage.ts'
import { crashOf, writeOf } from '../crashes.ts'
import { SETTLE_MS } from '../durations.ts'
import { singlesOf, type Case } from '../generate.ts'
import type { Perturbation, Plan } from '../plan.ts'
import { createRandom, seedFor, type Random } from '../random.ts'
import { scenarioOf } from '../scenarios/all.ts'
import type { References } from './judge-plan.ts'

export interface Space {
  readonly cases: readonly Case[]
  readonly stories: number
  /** Writes to the API server and changes in the cloud that the stories make. */
  readonly writes: readonly string[]
}

/** Of every story, or of so many drawn ones: each takes an undisturbed run in virtual time. */
export async function spaceOf(
  references: References,
  wanted: { readonly scenario?: string; readonly stories?: number; readonly seed: number },
): Promise<Space> {
  const random = createRandom(seedFor(wanted.seed, 'stories'))
  const stories = shuffled(storiesOf(wanted.scenario).filter(canBeStaged), random).slice(0, wanted.stories)
  const cases: Case[] = []
  for (const story of stories) cases.push(...singlesOf(await references.of(story)).filter(canBeReal))
  const writes = cases.flatMap(({ plan }) => plan.perturbations.map(({ at }) => writeOf(at)))
  return { cases, stories: stories.length, writes: [...new Set(writes)].filter((each) => each !== undefined) }
}

/** What takes two requests of a person, between which a living operator has its say, and what takes the CRDs of all cases. */
const NOT_ALONE: ReadonlySet<string> = new Set(['rebuild', 'stripFinalizer', 'deleteCRD'])

function canBeStaged({ scenario }: Plan): boolean {
  return scenarioOf(scenario).timeline.every((step) => !NOT_ALONE.has(step.do))
}

/**
 * Left out: what real processes share with everything else (the clock, a suspended machine), what takes a restored etcd,
 * connections to the service that are refused (a request is counted when it has come), and effects that come later than
 * the service promises.
 */
function canBeReal({ plan }: Case): boolean {
  return plan.perturbations.every(({ at, do: trouble }) => {
    if ('restoreEtcd' in trouble || 'clockStepMs' in trouble) return false
    if ('person' in trouble) return !NOT_ALONE.has(trouble.person.do)
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

export interface Chosen {
  readonly cases: readonly Case[]
  /** Whether every point at which the process can die is among them. */
  readonly complete: boolean
  /** Others that come to this point, in the order in which they are to be tried. */
  instead(cell: Cell): readonly Case[]
}

/** So many of them, or all there are: deaths at every point of every write first. */
export function choose(space: Space, count: number, seed: number): Chosen {
  const random = createRandom(seedFor(seed, 'real cases'))
  const deaths = deathsIn(space.cases, random)
  const most = Math.floor(MOST_DEATHS * count)
  const dying = shuffled([...deaths.values()], random).flatMap(([first]) => first ?? [])
  const taken = new Set(dying.slice(0, most))
  const others = space.cases.filter((each) => !taken.has(each))
  return {
    cases: shuffled([...taken, ...byShares(others, count - taken.size, random)], random),
    complete: deaths.size <= most,
    instead: (cell) => deaths.get(cell)?.slice(1) ?? [],
  }
}

/** By the cell of write and point; first those that real processes are the likeliest to come to. */
function deathsIn(cases: readonly Case[], random: Random): ReadonlyMap<Cell, readonly Case[]> {
  const ranked = cases
    .map((each) => ({ each, rank: rankOf(each.plan) + random.next() * RANKS_MIXED }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each)
  const byPoint = new Map<Cell, Case[]>()
  for (const each of ranked) {
    const [first, ...others] = each.plan.perturbations
    if (first === undefined || others.length > 0 || crashOf(first) === undefined) continue
    for (const cell of cellsFor(first)) {
      const list = byPoint.get(cell) ?? []
      byPoint.set(cell, list)
      list.push(each)
    }
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
