/** The parts of the command: undisturbed runs, equal seeds, drawn cases. Each says how it goes on, and what it came to. */
import { storiesOf } from './cases.ts'
import type { Coverage } from './coverage.ts'
import type { Deck } from './deck.ts'
import type { Case } from './generate.ts'
import type { Plan } from './plan.ts'
import type { Pool } from './pool.ts'
import { seedFor } from './random.ts'
import type { Table } from './table.ts'
import type { Verdict } from './worker.ts'

export interface Part {
  readonly name: string
  readonly runs: number
  /** Runs in which something was broken. */
  readonly failing: readonly Verdict[]
  readonly violations: number
  /** Seeds whose two runs differ. */
  readonly differing: readonly Plan[]
  readonly tookMs: number
}

export interface Bench {
  readonly pool: Pool
  readonly coverage: Coverage
  readonly say: (line: string) => void
}

const PROGRESS = 1_000

/** Stories without any trouble, each with many seeds: whatever is found there is a false alarm. */
export function runUndisturbed(
  bench: Bench,
  { count, seed, scenario }: { readonly count: number; readonly seed: number; readonly scenario?: string },
): Promise<Part> {
  const stories = storiesOf(scenario)
  const plans = Array.from({ length: count }, (_, index) => ({
    story: stories[index % stories.length],
    index,
  }))
    .flatMap(({ story, index }) => (story === undefined ? [] : [{ ...story, index }]))
    .map(({ index, ...story }) => ({ ...story, seed: seedFor(seed, `undisturbed ${index}`) % 1_000_000 }))
  return watched(bench, 'undisturbed', plans)
}

/** Disturbed runs, each made twice, by whichever thread is free. */
export async function runTwice(bench: Bench, deck: Deck, count: number): Promise<Part> {
  const plans = deck.any(count).map(({ plan }) => plan)
  const traces = new Map<string, Set<string>>()
  const part = await watched(bench, 'seeds twice', [...plans, ...plans.toReversed()], ({ plan, trace }) => {
    const key = JSON.stringify(plan)
    traces.set(key, (traces.get(key) ?? new Set()).add(trace))
  })
  return { ...part, differing: plans.filter((plan) => traces.get(JSON.stringify(plan))?.size !== 1) }
}

/** The hand, then more for every cell of the tables that is still empty, as long as there are any. */
export async function runCases(bench: Bench, deck: Deck, table: Table): Promise<Part> {
  const parts = [await runHand(bench, 'cases', deck.hand, table)]
  for (let round = 1; deck.complete && round <= ROUNDS_MAX; round++) {
    const more = deck.more(bench.coverage.empty())
    if (more.length === 0) break
    parts.push(await runHand(bench, `cases for empty cells, round ${round}`, more, table))
  }
  return {
    name: 'cases',
    runs: sum(parts, ({ runs }) => runs),
    failing: parts.flatMap(({ failing }) => failing),
    violations: sum(parts, ({ violations }) => violations),
    differing: [],
    tookMs: sum(parts, ({ tookMs }) => tookMs),
  }
}

const ROUNDS_MAX = 10

function runHand(bench: Bench, name: string, hand: readonly Case[], table: Table): Promise<Part> {
  const groups = new Map(hand.map(({ plan, group }) => [JSON.stringify(plan), group]))
  const plans = hand.map(({ plan }) => plan)
  return watched(bench, name, plans, (verdict) => {
    table.add(groups.get(JSON.stringify(verdict.plan)) ?? '', verdict)
  })
}

/** Judges the plans, counts what they fill, and says now and then how far it is. */
async function watched(
  { pool, coverage, say }: Bench,
  name: string,
  plans: readonly Plan[],
  done: (verdict: Verdict) => void = () => undefined,
): Promise<Part> {
  const startedAt = performance.now()
  const took = (): number => performance.now() - startedAt
  const failing: Verdict[] = []
  let runs = 0
  await pool.judge(plans, (verdict) => {
    runs += 1
    coverage.add(verdict.cells)
    if (verdict.violations.length > 0) failing.push(verdict)
    done(verdict)
    if (runs % PROGRESS === 0)
      say(`${name}: ${runs} of ${plans.length}, ${failing.length} failing, ${seconds(took())}`)
  })
  say(`${name}: ${runs} runs, ${failing.length} failing, ${seconds(took())}`)
  const violations = sum(failing, (each) => each.violations.length)
  return { name, runs, failing, violations, differing: [], tookMs: took() }
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function sum<T>(list: readonly T[], of: (each: T) => number): number {
  return list.reduce((total, each) => total + of(each), 0)
}
