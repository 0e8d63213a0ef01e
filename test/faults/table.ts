/** What many cases came to: a row for each group, and what was broken how often. */
import type { Verdict } from './worker.ts'

export interface Table {
  add(group: string, verdict: Verdict): void
  lines(): readonly string[]
}

export function createTable(): Table {
  const groups = new Map<string, { cases: number; failing: number; violations: number }>()
  const oracles = new Map<string, number>()
  return {
    add: (group, { violations }) => {
      const row = groups.get(group) ?? { cases: 0, failing: 0, violations: 0 }
      groups.set(group, row)
      row.cases += 1
      row.violations += violations.length
      if (violations.length > 0) row.failing += 1
      for (const oracle of new Set(violations.map((each) => each.oracle)))
        oracles.set(oracle, (oracles.get(oracle) ?? 0) + 1)
    },
    lines: () => [
      '',
      lineOf('group', 'cases', 'failing', 'violations'),
      ...[...groups]
        .sort()
        .map(([group, { cases, failing, violations }]) => lineOf(group, cases, failing, violations)),
      ...[...oracles].sort().map(([oracle, times]) => `${oracle}: broken in ${times} cases`),
    ],
  }
}

function lineOf(name: string, ...columns: readonly (string | number)[]): string {
  return `${name.padEnd(20)}${columns.map((each) => String(each).padStart(12)).join('')}`
}
