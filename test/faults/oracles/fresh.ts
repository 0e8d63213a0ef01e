/** Nothing is deleted but after a look at exactly it, by the same process, after its last change. */
import { entriesOf, type CallEntry, type History } from '../history.ts'
import { factsOf, namedBy } from './facts.ts'

/** Families without an exact read: their list stands for it. */
const LISTS: Readonly<Record<string, string>> = {
  'DELETE /user-resource/token': 'GET /user-resource/token/list',
  'DELETE /storage/user/keys': 'GET /storage/user/keys',
  'DELETE /user-resource/vm/replica': 'GET /user-resource/vm/replica',
  'DELETE /network/load_balancers/:id': 'GET /network/load_balancers',
}

export function fresh(history: History): string[] {
  const { mutations } = factsOf(history)
  return mutations
    .filter((call) => call.method === 'DELETE' && call.arrivedAt !== undefined)
    .filter((call) => !wasLookedAt(history, call))
    .map((call) => `${call.label} ${namedBy(call).join(' ')} without a look after its last change`)
}

function wasLookedAt(history: History, call: CallEntry): boolean {
  const { calls, mutations } = factsOf(history)
  const own = namedBy(call)
  const changes = mutations.filter(
    (each) => each !== call && each.sentAt < call.sentAt && namedBy(each).some((id) => own.includes(id)),
  )
  // Whether a disk hangs on a machine shows in the machine's record alone.
  const last = changes.findLast((each) => each.label.includes('/vm/storage/'))
  const ids = [...own, ...(last === undefined ? [] : namedBy(last))]
  const since = Math.max(startOf(history, call.process), ...changes.map((each) => each.sentAt))
  return calls.some(
    (each) =>
      !each.mutation &&
      each.process === call.process &&
      each.sentAt >= since &&
      each.sentAt < call.sentAt &&
      typeof each.seen === 'number' &&
      (namedBy(each).some((id) => ids.includes(id)) || each.label === LISTS[call.label]),
  )
}

function startOf(history: History, process: number): number {
  const started = entriesOf(history, 'process').find(
    (each) => each.process === process && each.what === 'started',
  )
  return started?.at ?? 0
}
