/**
 * RULES.md from the data: each rule with the faults that break it, and where each shows.
 * node test/seeded/table.ts writes the file; seeded.test.ts fails when it is behind.
 */
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { SeededFault } from './fault.ts'
import { FAULTS } from './faults.ts'
import { HELD_ELSEWHERE, RULES } from './rules.ts'

export const RULES_FILE = new URL('./RULES.md', import.meta.url)

export function rulesTable(): string {
  const parts = Object.entries(RULES).map(([part, rules]) => {
    const rows = rules.flatMap((rule) => FAULTS.filter((each) => each.rule === rule).map(rowOf))
    return section(part, ['Rule', 'Fault', 'Noticed by'], rows)
  })
  const elsewhere = section(
    'Held without a seeded fault',
    ['Rule', 'Held by'],
    HELD_ELSEWHERE.map(({ rule, by }) => [rule, `\`${by}\``]),
  )
  return [HEAD, ...parts, elsewhere].join('\n')
}

const HEAD = `# Rules and the faults that break them

Each rule of the operator's protocol, with the faults that \`npm run test:seeded\` puts into the operator, one at a time, and what has to
notice each: the oracles of the fault rig, in the stories named, or a test. Written by \`node test/seeded/table.ts\`.
`

function rowOf(fault: SeededFault): readonly string[] {
  return [fault.rule, fault.name, noticedBy(fault)]
}

function noticedBy({ shows }: SeededFault): string {
  if ('test' in shows) return `\`${shows.test}\``
  return `the rig: ${[...new Set(shows.map(({ scenario }) => scenario))].join(', ')}`
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(RULES_FILE, rulesTable())
