/**
 * npm run test:faults -- [--cases N] [--seed S] [--scenario NAME] [--replay FILE] [--report FILE]
 * The whole operator in this process, on virtual time, with everything going wrong that can. Nothing here listens.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawCases } from './cases.ts'
import { nameOf } from './generate.ts'
import { createJudge } from './judge-plan.ts'
import { described } from './described.ts'
import type { Plan } from './plan.ts'
import { judgeAll } from './pool.ts'
import { createTable } from './table.ts'
import type { Verdict } from './worker.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
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
  const { scenario } = values
  const startedAt = performance.now()
  const cases = await drawCases({
    cases: Number(values.cases),
    seed: Number(values.seed),
    ...(scenario !== undefined && { scenario }),
  })
  const groups = new Map(cases.map(({ plan, group }) => [JSON.stringify(plan), group]))
  say(`${cases.length} cases, drawn in ${seconds(performance.now() - startedAt)}`)
  const table = createTable()
  const failing: Verdict[] = []
  let count = 0
  await judgeAll(
    cases.map(({ plan }) => plan),
    (verdict) => {
      count += 1
      table.add(groups.get(JSON.stringify(verdict.plan)) ?? '', verdict)
      if (verdict.violations.length > 0) failing.push(verdict)
      if (count % PROGRESS === 0) say(`${count} of ${cases.length}, ${failing.length} failing`)
    },
  )
  keep(failing)
  for (const line of table.lines()) say(line)
  say(`${count} cases, ${failing.length} failing, ${seconds(performance.now() - startedAt)}`)
  const counts = { passed: count - failing.length, failed: failing.length, skipped: 0 }
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts))
  return failing.length === 0
}

const PROGRESS = 1_000

/** Each failing plan as a file that replays alone. */
function keep(failing: readonly Verdict[]): void {
  if (failing.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  for (const { plan, violations } of failing) {
    const file = join(folder, `${nameOf(plan)}.json`)
    writeFileSync(file, `${JSON.stringify(plan, null, 2)}\n`)
    say(
      `${file}: ${violations
        .map(({ oracle, what }) => `${oracle}: ${what}`)
        .join(' · ')
        .slice(0, 400)}`,
    )
  }
  say(`replay one: npm run test:faults -- --replay ${folder}/…`)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

const good = values.replay === undefined ? await run() : await replay(values.replay)
process.exitCode = good ? 0 : 1
