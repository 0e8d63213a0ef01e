/** Counts of a vitest run, and of a run of fault cases, from their JSON reports. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

/**
 * A test file that could not be loaded counts as one failed, and so does a run whose exit code says more than its
 * counts (an unhandled rejection, a lost report).
 */
export async function countTests(path: string, exitCode: number): Promise<Counts> {
  const counts = await readCounts(path)
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

async function readCounts(path: string): Promise<Counts> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { passed: 0, failed: 0, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report.parse(
    JSON.parse(text),
  )
  const unloaded = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length,
    skipped: numPendingTests + numTodoTests,
  }
}

const caseReport = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() })

/** The same of a run of fault cases, which writes its counts as they are. One that ran no case at all has failed. */
export async function countCases(path: string, exitCode: number): Promise<Counts> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const counts =
    text === undefined ? { passed: 0, failed: 0, skipped: 0 } : caseReport.parse(JSON.parse(text))
  if ((exitCode !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0) counts.failed = 1
  return counts
}
