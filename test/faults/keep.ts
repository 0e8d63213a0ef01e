/** Keeps what failed: each plan as a file that replays alone. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameOf } from './generate.ts'
import type { Verdict } from './worker.ts'

/** In a new folder of the system's temporary files; `say` is told of each, and how one is replayed. */
export function keep(failing: readonly Verdict[], say: (line: string) => void): void {
  if (failing.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  say('')
  for (const { plan, violations } of failing) {
    const file = join(folder, `${nameOf(plan)}.json`)
    writeFileSync(file, `${JSON.stringify(plan, null, 2)}\n`)
    const words = violations.map(({ oracle, what }) => `${oracle}: ${what}`).join(' · ')
    say(`${file}: ${words.slice(0, WORDS_MAX)}`)
  }
  say(`replay one: npm run test:faults -- --replay ${folder}/…`)
}

const WORDS_MAX = 400
