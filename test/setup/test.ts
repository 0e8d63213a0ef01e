/**
 * What `npm test` runs: each check, then every test. A failed check does not stop the others. The last line is the
 * plain count of everything, and the exit code is 0 only when nothing failed and some test ran. Each case of a share of the
 * faults in process, and of those with real processes, counts as a test.
 * `npm test -- PATTERN …` runs only the tests whose path holds a pattern, without the checks.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countCases, countTests } from './count.ts'
import type { Counts } from './count.ts'
import { faultsSeed } from './faults-seed.ts'
import { requireNode24 } from './node24.ts'
import { runCommand } from './run.ts'

requireNode24()
const root = fileURLToPath(new URL('../..', import.meta.url))

/** In order; a command is a file in node_modules/.bin or on PATH, run from the root of the checkout. */
const checks: readonly { name: string; command: readonly [string, ...string[]] }[] = [
  { name: 'format', command: ['prettier', '--check', '.'] },
  { name: 'lint', command: ['eslint', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'generated CRDs are fresh', command: ['node', 'src/api/crd-main.ts', '--check'] },
  { name: 'bundle', command: ['node', 'test/setup/bundle.ts'] },
  { name: 'binaries of the test API server', command: ['node', 'test/controlplane/binaries.ts'] },
]

const patterns = process.argv.slice(2)
const seed = String(faultsSeed(root, process.env['FAULTS_SEED']))

/** Shares of what `npm run test:faults` and `npm run test:faults:real` run. */
const faults: readonly (readonly [name: string, command: readonly [string, ...string[]]])[] = [
  [
    'faults in process',
    ['node', 'test/faults/run.ts', '--undisturbed', '200', '--seeds', '20', '--cases', '5000'],
  ],
  // By themselves, after everything else: what they do takes real time.
  ['faults with real processes', ['node', 'test/faults/real/main.ts', '--stories', '25', '--cases', '60']],
]

const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []

if (patterns.length === 0) {
  for (const { name, command } of checks) {
    const passed = (await timed(name, command)) === 0
    counts[passed ? 'passed' : 'failed']++
    if (!passed) failures.push(name)
  }
}
const tests = await withReport(runTests)
count(tests)
if (patterns.length === 0) {
  process.stdout.write(`\nFault cases by FAULTS_SEED=${seed}\n`)
  for (const [name, command] of faults) {
    const cases = await withReport(async (report) => {
      const code = await timed(name, [...command, '--seed', seed, '--report', report])
      return countCases(report, code)
    })
    count(cases)
    if (cases.failed > 0) failures.push(name)
  }
}

if (failures.length > 0) process.stdout.write(`\nFailed checks: ${failures.join(', ')}\n`)
if (tests.passed + tests.failed === 0) process.stdout.write('\nNo test ran.\n')
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
process.exitCode = counts.failed > 0 || tests.passed === 0 ? 1 : 0

function count({ passed, failed, skipped }: Counts): void {
  counts.passed += passed
  counts.failed += failed
  counts.skipped += skipped
}

async function withReport(run: (report: string) => Promise<Counts>): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'test-report-'))
  try {
    return await run(join(folder, 'report.json'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runTests(report: string): Promise<Counts> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return countTests(report, await timed('tests', ['vitest', 'run', ...reporters, ...patterns]))
}

async function timed(name: string, command: readonly [string, ...string[]]): Promise<number> {
  process.stdout.write(`\n── ${name}: ${command.join(' ')}\n`)
  const started = performance.now()
  const code = await runCommand(root, command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`── ${name}: ${code === 0 ? 'passed' : `FAILED with ${code}`}, ${seconds} s\n`)
  return code
}
