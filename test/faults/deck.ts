/** The cases of a run of the command: first those that fill the tables, then the rest by seed. */
import { dealt, openPools, shuffled, type Wanted } from './cases.ts'
import { cellsFor, type Cell } from './coverage.ts'
import { writeOf } from './crashes.ts'
import type { Case, Reference } from './generate.ts'
import type { Plan } from './plan.ts'
import type { Pool } from './pool.ts'
import { createRandom, seedFor } from './random.ts'

export interface Deck {
  /** Cases that fill the tables, then others, so many in all. */
  readonly hand: readonly Case[]
  /** How many of the hand are there to fill the tables. */
  readonly fillers: number
  /** Whether every cell that a case can fill has cases in the hand. */
  readonly complete: boolean
  /** Rows of writes that the cases know. */
  readonly writes: readonly string[]
  /** All cases there are. */
  readonly size: number
  /** More cases that may fill these cells, none of them dealt before. */
  more(cells: readonly Cell[]): readonly Case[]
  /** Any cases, disturbed by one thing or two. */
  any(count: number): readonly Case[]
}

/** Not each case comes to pass: another seed makes other calls. */
const CASES_PER_CELL = 2

/** Runs every story once, undisturbed. */
export async function openDeck({ cases, seed, scenario }: Wanted, pool: Pool): Promise<Deck> {
  const whole = { cases: Infinity, seed, ...(scenario !== undefined && { scenario }) }
  const pools = await openPools(whole, (stories) => runAll(pool, stories))
  const all = pools.flat()
  const random = createRandom(seedFor(seed, 'deck'))
  const byCell = cellsOf(shuffled(all, random))
  const taken = new Set<Case>()
  const take = (cell: Cell, count: number): readonly Case[] => {
    const fresh = (byCell.get(cell) ?? []).filter((each) => !taken.has(each)).slice(0, count)
    for (const each of fresh) taken.add(each)
    return fresh
  }
  const fillers = [...byCell.keys()].flatMap((cell) => take(cell, CASES_PER_CELL))
  return {
    hand: dealt(pools, cases, fillers),
    fillers: Math.min(fillers.length, cases),
    complete: fillers.length <= cases,
    writes: [...writesOf(all)],
    size: all.length,
    more: (cells) => cells.flatMap((cell) => take(cell, CASES_PER_CELL)),
    any: (count) => dealt(pools, count),
  }
}

async function runAll(pool: Pool, stories: readonly Plan[]): Promise<readonly Reference[]> {
  const labels = new Map<string, Reference['labels']>()
  await pool.judge(stories, (verdict) => {
    if (verdict.labels === undefined) throw new Error(JSON.stringify(verdict))
    labels.set(JSON.stringify(verdict.plan), verdict.labels)
  })
  return stories.map((plan) => ({ plan, labels: labels.get(JSON.stringify(plan)) ?? {} }))
}

function cellsOf(cases: readonly Case[]): ReadonlyMap<Cell, readonly Case[]> {
  const byCell = new Map<Cell, Case[]>()
  for (const each of cases) {
    const [perturbation, second] = each.plan.perturbations
    if (perturbation === undefined || second !== undefined) continue
    for (const cell of cellsFor(perturbation)) {
      const list = byCell.get(cell) ?? []
      byCell.set(cell, list)
      list.push(each)
    }
  }
  return byCell
}

function writesOf(cases: readonly Case[]): ReadonlySet<string> {
  const writes = new Set<string>()
  for (const { plan } of cases) {
    for (const { at } of plan.perturbations) {
      const write = at.port === 'kube' ? writeOf(at) : undefined
      if (write !== undefined) writes.add(write)
    }
  }
  return writes
}
