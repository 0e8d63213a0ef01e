/**
 * npm run test:faults -- [--seed S] [--undisturbed N] [--seeds N] [--cases N] [--scenario NAME] [--replay FILE] [--report FILE]
 * The whole operator in this process, on virtual time, with everything going wrong that can. Nothing here listens.
 * 0 leaves a part out. The tables have to be full where the cases are enough to fill them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCoverage } from './coverage.ts'
import { openDeck } from './deck.ts'
import { described } from './described.ts'
import { createJudge } from './judge-plan.ts'
import { keep } from './keep.ts'
import { runCases, runTwice, runUndisturbed, seconds, type Bench, type Part } from './parts.ts'
import type { Plan } from './plan.ts'
import { openPool } from './pool.ts'
import { createTable } from './table.ts'

const { values } = parseArgs({
  options: {
    undisturbed: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '200' },
    cases: { type: 'string', default: '20000' },
    // Different runs are to see different cases.
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    scenario: { type: 'string' },
    replay: { type: 'string' },
    report: { type: 'string' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function replay(file: string): Promise<boolean> {
  const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan
  const { violations, history } = await createJudge()(plan)
  for (const line of described(history)) say(line)
  say('')
  for (const { oracle, what } of violations) say(`${oracle}: ${what}`)
  say(violations.length === 0 ? 'nothing is broken' : `${violations.length} violations`)
  return violations.length === 0
}

async function run(): Promise<boolean> {
  const startedAt = performance.now()
  const seed = Number(values.seed)
  const only = values.scenario === undefined ? {} : { scenario: values.scenario }
  say(`seed ${seed}; the same again: npm run test:faults -- --seed ${seed}`)
  const pool = openPool()
  const deck = await openDeck({ cases: Number(values.cases), seed, ...only }, pool)
  say(
    `${deck.size} cases there are, ${deck.hand.length} drawn, ${deck.fillers} of them to fill the tables, ${seconds(performance.now() - startedAt)}`,
  )
  const table = createTable()
  const coverage = createCoverage(deck.writes)
  const bench: Bench = { pool, coverage, say }
  const parts = [
    await runUndisturbed(bench, { count: Number(values.undisturbed), seed, ...only }),
    await runTwice(bench, deck, Number(values.seeds)),
    await runCases(bench, deck, table),
  ]
  pool.close()
  const demanded = deck.complete && values.scenario === undefined
  const lines = [...table.lines(), ...coverage.outcomeLines(demanded), ...coverage.crashLines(demanded)]
  for (const line of lines) say(line)
  keep(
    parts.flatMap(({ failing }) => failing),
    say,
  )
  const empty = demanded ? coverage.empty() : []
  say(demanded ? '' : '\nThe tables were not to be full: a story alone, or too few cases.')
  for (const cell of empty) say(`EMPTY CELL ${cell}`)
  const unlisted = coverage.unlisted()
  for (const endpoint of unlisted) say(`NOT IN endpoints.ts: ${endpoint}`)
  conclude(parts, empty.length + unlisted.length, performance.now() - startedAt)
  return parts.every(isGood) && empty.length + unlisted.length === 0
}

function isGood({ failing, differing }: Part): boolean {
  return failing.length === 0 && differing.length === 0
}

/** The last table. */
function conclude(parts: readonly Part[], empty: number, tookMs: number): void {
  say(lineOf('part', 'runs', 'failing', 'violations', 'traces differ', 'time'))
  for (const { name, runs, failing, violations, differing, tookMs: ms } of parts)
    say(lineOf(name, runs, failing.length, violations, differing.length, seconds(ms)))
  for (const plan of parts.flatMap(({ differing }) => differing)) say(`TWO TRACES ${JSON.stringify(plan)}`)
  say(`empty cells and changes without a row: ${empty}; all in ${seconds(tookMs)}`)
  const runs = parts.reduce((sum, part) => sum + part.runs, 0)
  const failed = parts.reduce((sum, part) => sum + part.failing.length + part.differing.length, 0) + empty
  if (values.report !== undefined)
    writeFileSync(values.report, JSON.stringify({ passed: Math.max(0, runs - failed), failed, skipped: 0 }))
}

function lineOf(name: string, ...columns: readonly (string | number)[]): string {
  return `${name.padEnd(16)}${columns.map((each) => String(each).padStart(15)).join('')}`
}

const good = values.replay === undefined ? await run() : await replay(values.replay)
process.exitCode = good ? 0 : 1
