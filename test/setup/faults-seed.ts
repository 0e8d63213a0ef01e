/**
 * Which fault cases a run of all tests takes: FAULTS_SEED says so; without it the commit does, so that each change meets other
 * cases, and whoever repeats a run meets the same.
 */
import { execFileSync } from 'node:child_process'

const DIGITS = 7

/** A whole number below 2^28. */
export function faultsSeed(root: string, given: string | undefined): number {
  if (given !== undefined && given !== '') return Number(given)
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number.parseInt(commit.slice(0, DIGITS), 16)
  } catch {
    // Not a checkout: any seed will do, and it is printed.
    return Date.now() % 16 ** DIGITS
  }
}
