/**
 * Two tables of what really happened in a run of many cases: changes in the cloud by outcome, and writes by the point
 * at which the process died. An empty cell is something that was not tried.
 */
import { CRASH_POINTS, crashesIn, crashOf } from './crashes.ts'
import { ENDPOINTS } from './endpoints.ts'
import type { History } from './history.ts'
import { OUTCOMES, outcomeOf, outcomesIn, SENSELESS } from './outcomes.ts'
import type { Perturbation } from './plan.ts'

/** One cell: `outcome|DELETE /storage/bucket|reset later`, `crash|update cloudvms/status|before`. */
export type Cell = string

const cell = (table: 'outcome' | 'crash', row: string, column: string): Cell => `${table}|${row}|${column}`

/** The cells that a perturbation is to fill, if it comes to pass. */
export function cellsFor(perturbation: Perturbation): readonly Cell[] {
  const { at, do: trouble } = perturbation
  const crash = crashOf(perturbation)
  if (crash !== undefined) return [cell('crash', ...crash)]
  if (at.port !== 'cloud' || !('answer' in trouble) || !ENDPOINTS.includes(at.call)) return []
  const outcome = outcomeOf(trouble, at.call)
  return outcome === undefined ? [] : [cell('outcome', at.call, outcome)]
}

/** The cells that a run filled, each once. */
export function cellsIn(history: History): readonly Cell[] {
  return [
    ...new Set([
      ...outcomesIn(history).map((each) => cell('outcome', ...each)),
      ...crashesIn(history).map((each) => cell('crash', ...each)),
    ]),
  ]
}

export interface Coverage {
  /** Takes in what one run filled. */
  add(cells: readonly Cell[]): void
  /** Cells that no run has filled, senseless ones aside. */
  empty(): readonly Cell[]
  /** Changes in the cloud that are no row. */
  unlisted(): readonly string[]
  /** The first table, and the second. `whole`: with rows of which nothing was met. */
  outcomeLines(whole: boolean): readonly string[]
  crashLines(whole: boolean): readonly string[]
}

/** `writes`: rows of the second table besides the changes in the cloud. */
export function createCoverage(writes: readonly string[]): Coverage {
  const counts = new Map<Cell, number>()
  const strange = new Set<string>()
  const kube = [...new Set(writes)].filter((each) => !ENDPOINTS.includes(each)).sort()
  const rows = [...ENDPOINTS, ...kube]
  const senseless = new Set(SENSELESS.map(({ endpoint, outcome }) => cell('outcome', endpoint, outcome)))
  const all = [
    ...ENDPOINTS.flatMap((row) => OUTCOMES.map((column) => cell('outcome', row, column))),
    ...rows.flatMap((row) => CRASH_POINTS.map((column) => cell('crash', row, column))),
  ]
  const shown = (each: Cell): string => (senseless.has(each) ? '-' : String(counts.get(each) ?? 0))
  const shows = (table: 'outcome' | 'crash', columns: readonly string[], whole: boolean) => (name: string) =>
    whole || columns.some((column) => counts.has(cell(table, name, column)))
  const row = (table: 'outcome' | 'crash', columns: readonly string[]) => (name: string) =>
    lineOf(
      name,
      columns.map((column) => shown(cell(table, name, column))),
    )
  return {
    add: (cells) => {
      for (const each of cells) {
        counts.set(each, (counts.get(each) ?? 0) + 1)
        const [table, name = ''] = each.split('|')
        if (table === 'outcome' && !ENDPOINTS.includes(name)) strange.add(name)
      }
    },
    empty: () => all.filter((each) => !counts.has(each) && !senseless.has(each)),
    unlisted: () => [...strange],
    outcomeLines: (whole) => [
      '',
      'Changes in the cloud by what they came to and whether the change happened, in runs:',
      // A class of two words stands as one: `not sent`.
      lineOf(
        '',
        OUTCOMES.map((each) => each.split(' ').slice(0, -1).join(' ')),
      ),
      lineOf(
        '',
        OUTCOMES.map((each) => each.split(' ').at(-1) ?? ''),
      ),
      ...ENDPOINTS.filter(shows('outcome', OUTCOMES, whole)).map(row('outcome', OUTCOMES)),
      ...SENSELESS.map(({ endpoint, outcome, because }) => `- ${endpoint}, ${outcome}: ${because}`),
    ],
    crashLines: (whole) => [
      '',
      'Writes by the point at which the process died, in runs:',
      lineOf('', CRASH_POINTS),
      ...rows.filter(shows('crash', CRASH_POINTS, whole)).map(row('crash', CRASH_POINTS)),
    ],
  }
}

function lineOf(name: string, columns: readonly string[]): string {
  return `${name.padEnd(57)}${columns.map((each) => each.padStart(10)).join('')}`
}
