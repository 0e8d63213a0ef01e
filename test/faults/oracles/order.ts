/** Rules of the service are kept, one change at a time is under way on anything, and only the leader begins one. */
import type { CallEntry, History } from '../history.ts'
import { factsOf, isTooLate, namedBy } from './facts.ts'

export function preconditions(history: History): string[] {
  return factsOf(history)
    .mutations.filter((call) => call.violated > 0 && !isLeftOver(call, history))
    .map((call) => `${call.label} broke a precondition (${call.status ?? 'no answer'})`)
}

/** What comes late meets another state than the one it was sent into; refused, it did no harm. */
const LATE_MS = 5_000

function isLeftOver(call: CallEntry, history: History): boolean {
  const { arrivedAt = 0, sentAt, effect } = call
  return isTooLate(call, history) || (effect === undefined && arrivedAt - sentAt > LATE_MS)
}

/** Repeating these is harmless, so no intent keeps another process from beginning one. */
const SETS: ReadonlySet<string> = new Set([
  'PATCH /user-resource/vm',
  'PATCH /user-resource/vm/user',
  'PATCH /user-resource/vm/storage',
  'POST /user-resource/vm/start',
  'PATCH /storage/disks/:id',
  'PATCH /storage/bucket',
  'PATCH /network/network/:id',
  'PUT /network/network/:id/default',
  'PATCH /network/ip_addresses/:id',
  'PATCH /network/load_balancers/:id',
  'PUT /network/load_balancers/:id/billing_account',
  'PATCH /user-resource/token',
])

export function overlaps(history: History): string[] {
  const calls = factsOf(history).mutations.filter(
    (call) => call.arrivedAt !== undefined && !isTooLate(call, history),
  )
  return calls.flatMap((second, index) =>
    calls
      .slice(0, index)
      .filter((first) => overlap(first, second) && namedBy(first).some((id) => namedBy(second).includes(id)))
      .filter(
        (first) => first.process === second.process || !(SETS.has(first.label) || SETS.has(second.label)),
      )
      .map((first) => `${second.label} met ${first.label}, still under way`),
  )
}

function overlap(a: CallEntry, b: CallEntry): boolean {
  const [aFrom, aTo] = [a.arrivedAt ?? 0, endOf(a)]
  const [bFrom, bTo] = [b.arrivedAt ?? 0, endOf(b)]
  return aFrom < bTo && bFrom < aTo
}

/** A clone shows while it is being made. With its answer lost nothing else tells that it is, nor when it is done. */
function endOf({ label, arrivedAt = 0, doneAt = 0, seen }: CallEntry): number {
  return label === 'POST /user-resource/vm/clone' && typeof seen !== 'number' ? arrivedAt : doneAt
}

export function leader(history: History): string[] {
  return factsOf(history)
    .mutations.filter((call) => call.seen !== 'stopped' && call.seen !== 'notSent')
    .filter((call) => call.leaseHolder !== undefined && call.leaseHolder !== call.process)
    .map(
      (call) => `${call.label} left process ${call.process} while ${call.leaseHolder ?? '?'} held the lease`,
    )
}
