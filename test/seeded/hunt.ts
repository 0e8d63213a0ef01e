/** Looks for one fault until something notices it. */
import type { Plan } from '../faults/plan.ts'
import { openBench } from './bench.ts'
import { casesFor } from './draw.ts'
import type { Look, SeededFault } from './fault.ts'
import type { Sound } from './sound.ts'
import { failsOnPatchedTree } from './tree.ts'

export interface Hunted {
  readonly fault: SeededFault
  /** Names of oracles, or of the test; empty: nobody noticed. */
  readonly caughtBy: readonly string[]
  readonly what?: string
  readonly plan?: Plan
  readonly cases: number
  readonly tookMs: number
  /** Cases that break something without the fault as well, and so prove nothing. */
  readonly unsound: readonly Plan[]
  /** Why the hunt itself came to nothing. */
  readonly broken?: string
}

/** Never rejects. */
export async function hunt(fault: SeededFault, sound: Sound): Promise<Hunted> {
  const startedAt = performance.now()
  const end = (found: Omit<Hunted, 'fault' | 'tookMs'>): Hunted => ({
    fault,
    tookMs: performance.now() - startedAt,
    ...found,
  })
  try {
    if ('test' in fault.shows) {
      const { test } = fault.shows
      const fails = await failsOnPatchedTree(fault, test)
      return end({ caughtBy: fails ? [test] : [], cases: 1, unsound: [] })
    }
    return end(await huntInRig(fault, fault.shows, sound))
  } catch (error) {
    const broken = error instanceof Error ? error.message : String(error)
    return end({ caughtBy: [], cases: 0, unsound: [], broken })
  }
}

async function huntInRig(
  fault: SeededFault,
  looks: readonly Look[],
  sound: Sound,
): Promise<Omit<Hunted, 'fault' | 'tookMs'>> {
  const { name, file, find, replace } = fault
  const bench = await openBench({ patch: { name, file, find, replace }, keepsHistory: false })
  const unsound: Plan[] = []
  let cases = 0
  try {
    for await (const plan of casesFor(looks, sound)) {
      cases += 1
      const { violations } = await bench.judge({ plan, reference: await sound.reference(plan) })
      const rig = violations.find(({ oracle }) => oracle === 'rig')
      if (rig !== undefined) return { caughtBy: [], cases, unsound, plan, broken: rig.what }
      const [first] = violations
      if (first === undefined) continue
      if ((await sound.verdict(plan)).length > 0) {
        unsound.push(plan)
        continue
      }
      const caughtBy = [...new Set(violations.map(({ oracle }) => oracle))]
      return { caughtBy, what: first.what, plan, cases, unsound }
    }
    return { caughtBy: [], cases, unsound }
  } finally {
    await bench.close()
  }
}
