/** What a run of real cases came to: a row for each group. */
import type { Verdict } from './judge-plan.ts'

export interface Table {
  add(group: string, verdict: Verdict): void
  lines(): readonly string[]
}

interface Row {
  cases: number
  failing: number
  violations: number
  unmet: number
  ms: number
}

export function createTable(): Table {
  const rows = new Map<string, Row>()
  const addTo = (group: string, { plan, violations, met, ms }: Verdict): void => {
    const row = rows.get(group) ?? { cases: 0, failing: 0, violations: 0, unmet: 0, ms: 0 }
    rows.set(group, row)
    row.cases += 1
    row.failing += violations.length > 0 ? 1 : 0
    row.violations += violations.length
    row.unmet += met < plan.perturbations.length ? 1 : 0
    row.ms += ms
  }
  const lineFor = (group: string, { cases, failing, violations, unmet, ms }: Row): string =>
    lineOf([group, cases, failing, violations, unmet, (ms / cases / 1_000).toFixed(1)])
  return {
    add: (group, verdict) => {
      addTo(group, verdict)
      addTo(ALL, verdict)
    },
    lines: () => [
      '',
      lineOf(['group', 'cases', 'failing', 'violations', 'not met', 's each']),
      ...[...rows].sort(([a], [b]) => order(a, b)).map(([group, row]) => lineFor(group, row)),
      '',
      'not met: the process made fewer such calls than the run that was counted; the case stands for an undisturbed one',
    ],
  }
}

const ALL = 'all'

function order(a: string, b: string): number {
  if (a === ALL || b === ALL) return a === b ? 0 : a === ALL ? 1 : -1
  return a < b ? -1 : 1
}

function lineOf([group = '', ...columns]: readonly (string | number)[]): string {
  return `${String(group).padEnd(16)}${columns.map((each) => String(each).padStart(11)).join('')}`
}
