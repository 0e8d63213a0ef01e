/**
 * `npm run test:fuzz`: every seed, as a table; exit code 1 when anything is wrong. `-- --seed N` runs one seed,
 * `--calls N` so many calls of each, and `--trace` prints every call.
 */
import { parseArgs } from 'node:util'
import { operations } from './operations.ts'
import { nameOf } from './operation.ts'
import { runSeed, type Run } from './run.ts'

const seeds = 50
const callsPerSeed = 2000
/** Every so many seeds are run again: the transcript must be the same. */
const againEvery = 7

const { values } = parseArgs({
  options: { seed: { type: 'string' }, calls: { type: 'string' }, trace: { type: 'boolean' } },
})
const chosen =
  values.seed === undefined ? Array.from({ length: seeds }, (_, index) => index + 1) : [Number(values.seed)]
const calls = Number(values.calls ?? callsPerSeed)
const started = performance.now()
const runs: Run[] = []
const violations: string[] = []
const columns = ['2xx', '4xx', '5xx', 'reset', 'hang', 'truncated', 'underway']

print(['seed', 'setting', 'calls', ...columns, 'wrong', 'seconds'])
for (const seed of chosen) {
  const begun = performance.now()
  const run = await runSeed({
    seed,
    calls,
    ...(values.trace === true && { trace: (line) => console.log(line) }),
  })
  if (seed % againEvery === 0 && (await runSeed({ seed, calls })).transcript !== run.transcript)
    run.violations.push(`seed ${seed}: a second run has another transcript`)
  runs.push(run)
  violations.push(...run.violations)
  printRun(String(seed), run.setting, [run], performance.now() - begun)
}
printRun(`${chosen.length} seeds`, 'all', runs, performance.now() - started)
const never = operations.map(nameOf).filter((name) => runs.every((run) => (run.accepted[name] ?? 0) === 0))
if (values.seed === undefined && never.length > 0) violations.push(`never carried out: ${never.join(', ')}`)
for (const violation of violations.slice(0, 20)) console.error(`\n${violation}`)
const failed = runs.filter((run) => run.violations.length > 0)
for (const { seed } of failed)
  console.error(`\nto replay: npm run test:fuzz -- --seed ${seed} --calls ${calls} --trace`)
console.log(`\n${violations.length} violations`)
process.exitCode = violations.length > 0 ? 1 : 0

function printRun(name: string, setting: string, of: readonly Run[], ms: number): void {
  const sum = (read: (run: Run) => number): string => String(of.reduce((total, run) => total + read(run), 0))
  print([
    name,
    setting,
    sum((run) => run.calls),
    ...columns.map((column) => sum((run) => run.outcomes[column] ?? 0)),
    sum((run) => run.violations.length),
    (ms / 1000).toFixed(1),
  ])
}

function print(cells: readonly string[]): void {
  const widths = [8, 24, 7]
  console.log(
    cells.map((cell, index) => (index === 1 ? cell.padEnd(24) : cell.padStart(widths[index] ?? 9))).join(' '),
  )
}
