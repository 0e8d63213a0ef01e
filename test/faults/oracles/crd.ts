/** Whoever deletes a CRD deletes its objects past every check: what they stood for stays in the cloud. */
import type { History } from '../history.ts'
import { factsOf, thingsIn, wordFor } from './facts.ts'
import { crdsDeleted } from './kept.ts'

export function crd(history: History): string[] {
  const facts = factsOf(history)
  const { mutations, operations } = facts
  const crds = crdsDeleted(history)
  return mutations.flatMap(({ label, effect, sentAt, operationID }) => {
    const owner = operations.get(operationID ?? '')
    const at = owner && crds.get(owner.kind)
    if (owner === undefined || at === undefined || sentAt <= at) return []
    if (thingsIn(effect, 'deleted', 'destroyed').length === 0) return []
    const before = facts.objectAt(owner.uid, at - 0.001)
    // Who was being deleted before had looked before; what was not there yet came with the next one of its CRD.
    const apart = before === undefined || before.metadata.deletionTimestamp !== undefined
    return apart ? [] : [`${label} for ${wordFor(owner)}, which went with its CRD`]
  })
}
