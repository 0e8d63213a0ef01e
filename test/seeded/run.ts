/**
 * npm run test:seeded -- [--only WORDS] [--verbose]
 * Breaks one rule of the operator after the other and sees that each is noticed. Exits 1 unless all are.
 */
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import type { SeededFault } from './fault.ts'
import { hunt, type Hunted } from './hunt.ts'
import { openSound } from './sound.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})

/** Each has an operator of its own. */
const AT_ONCE = 2

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

async function run(): Promise<boolean> {
  const startedAt = performance.now()
  const chosen = FAULTS.filter(
    ({ name }) => values.only === undefined || values.only.split(',').some((words) => name.includes(words)),
  )
  const width = Math.max(...chosen.map(({ name }) => name.length)) + 2
  const results: Hunted[] = []
  const sound = await openSound()
  const waiting = [...chosen]
  const next = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const result = await hunt(fault, sound)
      results.push(result)
      for (const line of linesFor(result, width)) say(line)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  await sound.close()
  const caught = results.filter(({ caughtBy }) => caughtBy.length > 0)
  const unsound = results.some((each) => each.unsound.length > 0)
  say('')
  say(
    `${caught.length} of ${chosen.length} caught, ${caught.filter(({ fault }) => isInRig(fault)).length} of them by the rig's oracles, in ${seconds(performance.now() - startedAt)}`,
  )
  return caught.length === chosen.length && chosen.length > 0 && !unsound
}

function isInRig({ shows }: SeededFault): boolean {
  return !('test' in shows)
}

function linesFor(
  { fault, caughtBy, cases, tookMs, unsound, broken, what, plan }: Hunted,
  width: number,
): readonly string[] {
  const by = caughtBy.length === 0 ? 'NOT CAUGHT' : caughtBy.join(', ')
  const row = `${fault.name.padEnd(width)}${by.padEnd(30)}${String(cases).padStart(4)} cases${seconds(tookMs).padStart(9)}`
  return [
    row,
    ...(broken === undefined ? [] : [`  could not be looked for: ${broken}`]),
    ...unsound.map((each) => `  broken without the fault as well: ${JSON.stringify(each)}`),
    ...(values.verbose && what !== undefined ? [`  ${what}`, `  ${JSON.stringify(plan)}`] : []),
  ]
}

process.exitCode = (await run()) ? 0 : 1
