/** Every scenario by its name. One file per family of stories; add a list here, and nowhere else. */
import type { Scenario } from '../steps.ts'
import { asideScenarios } from './aside.ts'
import { attachedScenarios } from './attached.ts'
import { networkScenarios } from './network.ts'
import { togetherScenarios } from './together.ts'
import { vmScenarios } from './vm.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...networkScenarios,
  ...vmScenarios,
  ...attachedScenarios,
  ...togetherScenarios,
]

/** Throws when there is none. */
export function scenarioOf(name: string): Scenario {
  const found = [...SCENARIOS, ...asideScenarios].find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no scenario ${name}`)
  return found
}
