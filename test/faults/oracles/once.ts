/** No change leaves twice under one operation, a one-shot is carried out once, and a create has its intent. */
import type { CallEntry, History } from '../history.ts'
import { factsOf, thingsIn } from './facts.ts'

const ONE_SHOTS: ReadonlySet<string> = new Set([
  'POST /user-resource/vm/reinstall',
  'POST /user-resource/vm/rebuild',
  'POST /user-resource/vm/rescue_start',
])

export function once(history: History): string[] {
  const { mutations, operations } = factsOf(history)
  const left = mutations.filter((call) => call.seen !== 'notSent' && call.seen !== 'stopped')
  const repeated = left.filter(
    (call, index) =>
      left.findIndex((each) => each.operationID === call.operationID && each.label === call.label) < index,
  )
  const shots = left.filter((call) => ONE_SHOTS.has(call.label) && !isPutOff(call))
  const uidOf = (operationID: string | undefined): string | undefined =>
    operations.get(operationID ?? '')?.uid
  const again = shots.filter(
    (call, index) =>
      shots.findIndex(
        (each) => each.label === call.label && uidOf(each.operationID) === uidOf(call.operationID),
      ) < index,
  )
  return [
    ...repeated.map(({ label, operationID }) => `${label} left twice as operation ${operationID ?? '?'}`),
    ...again.map(({ label }) => `${label} was sent again for the same object`),
  ]
}

export function intent(history: History): string[] {
  const { mutations, operations } = factsOf(history)
  return mutations
    .filter((call) => thingsIn(call.effect, 'created', 'deleted', 'destroyed').length > 0)
    .filter((call) => (operations.get(call.operationID ?? '')?.at ?? Infinity) > call.sentAt)
    .filter((call) => !isLeftover(call.label))
    .map(({ label }) => `${label} left without an intent in a status`)
}

/** The service was busy and did nothing, as it says, or as a look shows where that can be seen: it is asked again later. */
function isPutOff({ label, seen, effect }: CallEntry): boolean {
  const shows = label === 'POST /user-resource/vm/rescue_start'
  return effect === undefined && (seen === 429 || (seen === 409 && shows))
}

/** What remains after a deletion that is proven goes without one: nothing is left to lose. */
function isLeftover(label: string): boolean {
  return ['DELETE /network/ip_addresses/:id', 'DELETE /storage/disks/:id'].includes(label)
}
