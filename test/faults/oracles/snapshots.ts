/** Snapshots that nobody answers for. An inventory does not show them: what our calls made and did not delete is there. */
import type { History, MomentEntry } from '../history.ts'
import { factsOf, isTooLate, thingsIn } from './facts.ts'
import { candidatesIn, namedIn } from './inventory.ts'
import { keptIn } from './kept.ts'

export function unclaimedSnapshots(history: History, moment: MomentEntry): readonly string[] {
  // With the finalizer gone as well nothing tells that one was taken.
  if (history.plan.perturbations.some((each) => 'restoreEtcd' in each.do)) return []
  const { made, mutations, touched } = factsOf(history)
  const kept = keptIn(history)
  const claimed = new Set([...namedIn(moment.objects), ...candidatesIn(moment.objects)])
  const before = mutations.filter((call) => (call.doneAt ?? Infinity) <= moment.at)
  const gone = new Set(
    before.flatMap(({ effect }) => thingsIn(effect, 'deleted', 'destroyed').map(({ id }) => id)),
  )
  const machines = new Set(moment.inventory.vms.map((row) => row['uuid']))
  // By its machine alone it is found again; one that was let go of leads nowhere.
  const isThere = (machine: unknown): boolean => machines.has(machine) && !kept.has(String(machine))
  return made
    .filter(({ what, owner, call }) => what === 'replica' && owner !== undefined && before.includes(call))
    .filter(({ id, call }) => !gone.has(id) && !isTooLate(call, history) && isThere(call.body['uuid']))
    .filter(({ id }) => !claimed.has(id) && !kept.has(id) && !touched.has(id))
    .map(({ id }) => `${moment.moment}: nobody answers for snapshot ${id}`)
}
