/** What a check found, in lines. */
import type { Checked } from './check.ts'

/** States, walks and time of each kind, then how the walks of each ended. */
export function tableOf(all: readonly Checked[]): string[] {
  const rows = [
    ['kind', 'states', 'walks', 'longest', 'seconds'],
    ...all.map((each) => [
      each.kind,
      String(each.states),
      String(each.walks),
      String(each.longest),
      (each.ms / 1000).toFixed(1),
    ]),
    [
      'together',
      String(sum(all, ({ states }) => states)),
      String(sum(all, ({ walks }) => walks)),
      '',
      (sum(all, ({ ms }) => ms) / 1000).toFixed(1),
    ],
  ]
  const ends = all.flatMap(({ kind, ends: own }) => [
    '',
    kind,
    ...[...own].map(([end, count]) => `${String(count).padStart(9)}  ${end}`),
  ])
  return [...aligned(rows), ...ends]
}

function sum(all: readonly Checked[], of: (each: Checked) => number): number {
  return all.reduce((total, each) => total + of(each), 0)
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_head, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
}

/** What is wrong, if anything: laws that were broken, and parts of the lists that nothing came near. */
export function troubleOf({ kind, faults, idle }: Checked): string[] {
  return [
    ...faults.flatMap(({ law, what, count, examples }) => [
      `${kind}: broken ${count} times: ${law}: ${what}`,
      ...examples.map((example) => `    ${example}`),
    ]),
    ...idle.map((what) => `${kind}: listed, and never met: ${what}`),
  ]
}
