/** What a run of many cases came to: a row for each group, and what was broken how often. */
import type { Verdict } from './worker.ts'

export interface Table {
  add(group: string, verdict: Verdict): void
  lines(): readonly string[]
}

export function createTable(): Table {
  const groups = new Map<string, { cases: number; failing: number }>()
  const oracles = new Map<string, number>()
  return {
    add: (group, { violations }) => {
      const row = groups.get(group) ?? { cases: 0, failing: 0 }
      groups.set(group, row)
      row.cases += 1
      if (violations.length > 0) row.failing += 1
      for (const oracle of new Set(violations.map((each) => each.oracle)))
        oracles.set(oracle, (oracles.get(oracle) ?? 0) + 1)
    },
    lines: () => [
      '',
      `${'group'.padEnd(16)}${'cases'.padStart(8)}${'failing'.padStart(9)}`,
      ...[...groups]
        .sort()
        .map(
          ([group, { cases, failing }]) =>
            `${group.padEnd(16)}${String(cases).padStart(8)}${String(failing).padStart(9)}`,
        ),
      '',
      ...[...oracles]
        .sort()
        .map(([oracle, times]) => `${oracle.padEnd(16)}${String(times).padStart(8)} cases`),
    ],
  }
}
