/** Runs cases, a few at a time: most of each one's time is spent waiting. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellsIn, type Coverage } from '../coverage.ts'
import { described } from '../described.ts'
import { nameOf, type Case } from '../generate.ts'
import type { Plan } from '../plan.ts'
import { judgePlan, type References, type Verdict } from './judge-plan.ts'
import type { Rig } from './rig.ts'
import type { Table } from './table.ts'

export interface Run {
  readonly cases: readonly Case[]
  readonly references: References
  /** Takes in what each case came to. */
  readonly coverage: Coverage
  readonly parallel: number
  readonly say: (line: string) => void
}

const PROGRESS = 10

export interface Ran {
  readonly count: number
  /** Those in which something is broken. */
  readonly failing: readonly Verdict[]
}

/** Prints progress; what was run is added to the table. */
export async function runCases(rig: Rig, run: Run, table: Table): Promise<Ran> {
  const { cases, references, coverage, parallel, say } = run
  // In virtual time, and busy: not while real time is measured.
  for (const { plan } of cases) await references.of(plan)
  const startedAt = performance.now()
  const waiting = [...cases].reverse()
  const failing: Verdict[] = []
  let count = 0
  const keep = createKeeper(say)
  const work = async (): Promise<void> => {
    for (;;) {
      const next = waiting.pop()
      if (next === undefined) return
      const verdict = await judgePlan(rig, next.plan, references)
      table.add(next.group, verdict)
      if (verdict.history !== undefined) coverage.add(cellsIn(verdict.history))
      count += 1
      if (verdict.violations.length > 0) {
        // What happened is written down; only what was broken is still wanted.
        keep(next.group, verdict)
        failing.push(verdict)
      }
      if (verdict.met < next.plan.perturbations.length) say(`not met: ${wordsFor(next.plan)}`)
      if (count % PROGRESS === 0)
        say(`${count} of ${cases.length}, ${failing.length} failing, ${since(startedAt)}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  say(`${count} cases, ${failing.length} failing, ${since(startedAt)}`)
  return { count, failing }
}

/** Each failing plan as a file that replays alone, and beside it what happened. */
function createKeeper(say: (line: string) => void): (group: string, verdict: Verdict) => void {
  let folder: string | undefined
  return (group, { plan, violations, history }) => {
    folder ??= mkdtempSync(join(tmpdir(), 'faults-real-failing-'))
    const name = join(folder, nameOf(plan))
    const broken = violations.map(({ oracle, what }) => `${oracle}: ${what}`)
    writeFileSync(`${name}.json`, `${JSON.stringify(plan, null, 2)}\n`)
    writeFileSync(`${name}.txt`, [...(history ? described(history) : []), '', ...broken, ''].join('\n'))
    say(`${group}: ${wordsFor(plan)}`)
    for (const each of broken.slice(0, 4)) say(`  ${each.slice(0, 300)}`)
    say(`  npm run test:faults:real -- --replay ${name}.json`)
  }
}

function wordsFor({ perturbations, scenario, profile, leaders = 'one' }: Plan): string {
  return `${JSON.stringify(perturbations)} in ${scenario}, ${profile}, leaders: ${leaders}`
}

function since(ms: number): string {
  return `${((performance.now() - ms) / 1_000).toFixed(0)} s`
}
