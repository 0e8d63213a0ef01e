/**
 * npm run test:seeded -- [--share PERCENT --seed S] [--part NAME] [--only WORDS] [--verbose]
 * Breaks one rule of the operator after the other and sees that each is noticed. Exits 1 unless all are.
 * With --share so many of a hundred are tried, drawn by the seed: another seed, others.
 */
import { parseArgs } from 'node:util'
import { FAULTS, PARTS } from './faults.ts'
import type { SeededFault } from './fault.ts'
import { hunt, type Hunted } from './hunt.ts'
import { shareOf } from './share.ts'
import { openSound } from './sound.ts'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

/** Each has an operator of its own. */
const AT_ONCE = 2

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

function chosen(): readonly SeededFault[] {
  const words = values.only?.split(',')
  const list = (values.part === undefined ? FAULTS : (PARTS[values.part] ?? [])).filter(
    ({ name }) => words === undefined || words.some((each) => name.includes(each)),
  )
  return shareOf(list, Number(values.share), Number(values.seed))
}

async function run(): Promise<boolean> {
  const startedAt = performance.now()
  const faults = chosen()
  const results: Hunted[] = []
  const sound = await openSound()
  const waiting = [...faults]
  const next = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const result = await hunt(fault, sound)
      results.push(result)
      say(`${results.length} of ${faults.length}: ${rowOf(result)}`)
      for (const line of remarksOn(result)) say(line)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  await sound.close()
  for (const line of tableOf(results)) say(line)
  const caught = results.filter(({ caughtBy }) => caughtBy.length > 0)
  const inRig = caught.filter(({ fault }) => !('test' in fault.shows))
  say(
    `${caught.length} of ${faults.length} caught, ${inRig.length} of them by the rig's oracles, in ${seconds(performance.now() - startedAt)}`,
  )
  return caught.length === faults.length && faults.length > 0
}

/** By rule, in the order of the lists. */
function tableOf(results: readonly Hunted[]): readonly string[] {
  const width = Math.max(...results.map(({ fault }) => fault.name.length)) + 2
  const order = [...results].sort((a, b) => FAULTS.indexOf(a.fault) - FAULTS.indexOf(b.fault))
  return ['', ...order.map((each) => `${each.fault.name.padEnd(width)}${byOf(each)}`), '']
}

function byOf({ caughtBy }: Hunted): string {
  return caughtBy.length === 0 ? 'NOT CAUGHT' : caughtBy.join(', ')
}

function rowOf(result: Hunted): string {
  const { fault, cases, tookMs } = result
  return `${fault.name}: ${byOf(result)} (${cases} ${cases === 1 ? 'case' : 'cases'}, ${seconds(tookMs)})`
}

function remarksOn({ broken, unsound, what, plan }: Hunted): readonly string[] {
  return [
    ...(broken === undefined ? [] : [`  could not be looked for: ${broken}`]),
    ...unsound.map(
      (each) => `  proves nothing, being broken without the fault as well: ${JSON.stringify(each)}`,
    ),
    ...(values.verbose && what !== undefined ? [`  ${what}`, `  ${JSON.stringify(plan)}`] : []),
  ]
}

process.exitCode = (await run()) ? 0 : 1
