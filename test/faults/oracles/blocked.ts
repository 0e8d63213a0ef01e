/** Whether an object that came to rest stands where it may: in a state of the closed list, or of its scenario's own. */
import type { ModelObject } from '../kube/objects.ts'
import type { History } from '../history.ts'
import { scenarioOf } from '../scenarios/all.ts'
import { ENDS } from './ends.ts'
import { conditionOf } from './facts.ts'
import { situationOf } from './situation.ts'

/** Whether the object stands in a listed state. */
export function isListed(object: ModelObject, history: History): boolean {
  const situation = situationOf(object, history)
  const ends = scenarioOf(history.plan.scenario).ends ?? []
  const reasons = ['Ready', 'Synced', 'Stalled', 'Reconciling', 'UpdatePending', 'Drifted'].map(
    (type) => conditionOf(object, type)?.reason,
  )
  const isEnd = ends.some(
    (end) => reasons.includes(end.reason) && (end.kind === undefined || end.kind === object.kind),
  )
  if (isEnd) return true
  return ENDS.some(
    ({ reason, kinds, when }) =>
      reasons.includes(reason) && (kinds === undefined || kinds.includes(object.kind)) && when(situation),
  )
}
