/** A run of the command: the chosen cases, others in place of deaths that were not met, and the tables. */
import { createCoverage, type Cell } from '../coverage.ts'
import type { References } from './judge-plan.ts'
import type { Rig } from './rig.ts'
import { runCases } from './run-cases.ts'
import type { Chosen } from './space.ts'
import { createTable } from './table.ts'

export interface Wanted {
  readonly chosen: Chosen
  readonly references: References
  /** Rows of the table of deaths. */
  readonly writes: readonly string[]
  readonly parallel: number
  readonly say: (line: string) => void
}

export interface Came {
  readonly count: number
  readonly failing: number
  /** Points at which no process died, where all were wanted. */
  readonly empty: readonly Cell[]
}

/** Real processes make other calls than the run that was counted: so often another case is tried. */
const ROUNDS = 3

export async function runWhole(
  rig: Rig,
  { chosen, references, writes, parallel, say }: Wanted,
): Promise<Came> {
  const table = createTable()
  const coverage = createCoverage(writes)
  const run = { references, coverage, parallel, say }
  const deathless = (): readonly Cell[] =>
    chosen.complete ? coverage.empty().filter((cell) => cell.startsWith('crash|')) : []
  let { count, failing } = await runCases(rig, { ...run, cases: chosen.cases }, table)
  for (let round = 0; round < ROUNDS && deathless().length > 0; round++) {
    const cases = deathless().flatMap((cell) => chosen.instead(cell)[round] ?? [])
    say(`${deathless().length} points at which no process died yet: ${cases.length} cases more`)
    const more = await runCases(rig, { ...run, cases }, table)
    count += more.count
    failing = [...failing, ...more.failing]
  }
  for (const line of [...table.lines(), ...coverage.crashLines(chosen.complete)]) say(line)
  const empty = deathless()
  for (const cell of empty) say(`EMPTY CELL ${cell}`)
  return { count, failing: failing.length, empty }
}
