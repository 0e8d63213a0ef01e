/** Every scenario by its name. One file per family of stories; add a list here, and nowhere else. */
import type { Scenario } from '../steps.ts'
import { answeredScenarios } from './answered.ts'
import { attachedScenarios } from './attached.ts'
import { copiedScenarios } from './copied.ts'
import { endpointScenarios } from './endpoints.ts'
import { heldScenarios } from './held.ts'
import { nameScenarios } from './names.ts'
import { networkScenarios } from './network.ts'
import { operationScenarios } from './operations.ts'
import { secretScenarios } from './secrets.ts'
import { seededScenarios } from './seeded.ts'
import { togetherScenarios } from './together.ts'
import { bootDiskScenarios } from './bootdisks.ts'
import { vmScenarios } from './vm.ts'
import { wipedScenarios } from './wiped.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...networkScenarios,
  ...vmScenarios,
  ...attachedScenarios,
  ...togetherScenarios,
  ...nameScenarios,
  ...copiedScenarios,
  ...wipedScenarios,
  ...secretScenarios,
  ...operationScenarios,
  ...heldScenarios,
  ...answeredScenarios,
  ...endpointScenarios,
  ...bootDiskScenarios,
]

/** Throws when there is none. */
export function scenarioOf(name: string): Scenario {
  const found = [...SCENARIOS, ...seededScenarios].find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no scenario ${name}`)
  return found
}
