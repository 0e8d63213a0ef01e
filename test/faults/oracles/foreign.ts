/** What was there before us stays as it was, and no change of ours ever names it, but for what is adopted. */
import { isDeepStrictEqual } from 'node:util'
import type { InventoryRow } from '../../../src/simulator/inventory.ts'
import { entriesOf, momentOf, type CallEntry, type History } from '../history.ts'
import { isObject } from '../kube/objects.ts'
import { factsOf, namedBy } from './facts.ts'
import { thingsOf, type Thing } from './inventory.ts'

export function foreign(history: History): string[] {
  const begin = momentOf(history, 'begin')
  if (begin === undefined) return []
  const { touched, mutations } = factsOf(history)
  const ours = adopted(history)
  const bystanders = thingsOf(begin.inventory).filter(
    ({ id, row }) => !touched.has(id) && !ours.has(id) && !ours.has(String(row['attachedTo'])),
  )
  const ids = new Set(bystanders.map(({ id }) => id))
  const named = mutations.flatMap((call) =>
    namedBy(call)
      .filter((id) => ids.has(id) && call.arrivedAt !== undefined)
      .map((id) => `${call.label} named ${id}, which is not ours`),
  )
  const changed = entriesOf(history, 'moment').flatMap(({ moment, inventory }) => {
    const rows = new Map(thingsOf(inventory).map(({ id, row }) => [id, row]))
    return bystanders
      .filter((each) => !same(each, rows.get(each.id)))
      .map(({ id }) => `${moment}: ${id} is not as it was`)
  })
  return [...named, ...changed, ...touchedMade(history)]
}

/** What people made in the middle of it is as foreign as what was there before. */
function touchedMade(history: History): readonly string[] {
  const { mutations } = factsOf(history)
  const ours = adopted(history)
  return entriesOf(history, 'person').flatMap(({ made = [], at }) =>
    made
      .filter((id) => !ours.has(id))
      .flatMap((id) =>
        mutations
          .filter(
            (call) => call.arrivedAt !== undefined && touches(call, id) && mightKnow(history, call, id, at),
          )
          .map(({ label, effect }) => `${label} touched what a person made: ${effect ?? ''}`),
      ),
  )
}

/** The service takes no precondition with a call: between the last look and the call nothing can be known. */
const LOOK_MS = 10_000

/** Whether a call could know what was made at `at` under the id: it left later, and so did its look after the intent. */
function mightKnow(history: History, call: CallEntry, id: string, at: number): boolean {
  if (call.sentAt <= at) return false
  const { calls, operations } = factsOf(history)
  const intent = operations.get(call.operationID ?? '')
  if (intent === undefined) return true
  const look = calls.findLast(
    (each) =>
      !each.mutation &&
      each.process === call.process &&
      each.sentAt >= Math.max(intent.at, call.sentAt - LOOK_MS) &&
      each.sentAt < call.sentAt &&
      namedBy(each).includes(id),
  )
  return look === undefined || look.sentAt > at
}

/** What the service itself takes off something that goes stays as it is. */
function touches(call: CallEntry, id: string): boolean {
  const parts = call.effect?.split('; ') ?? []
  return parts.some(
    (part) => part.split(' ').includes(id) && (namedBy(call).includes(id) || !part.startsWith('unassigned')),
  )
}

/** Ids in the specs of our objects; a bucket is named by its name. */
function adopted(history: History): ReadonlySet<string> {
  const { writes } = factsOf(history)
  return new Set(
    writes.flatMap(({ after }) => {
      const adopt = after?.spec?.['adopt']
      return isObject(adopt) ? [String(adopt['id'])] : []
    }),
  )
}

/** Members of a shared network come and go with what is made in it. */
const SHARED = ['vms', 'updatedAt', 'isDefault']

function same({ row, family }: Thing, now: InventoryRow | undefined): boolean {
  if (now === undefined) return false
  const own = (each: InventoryRow): unknown =>
    family === 'networks'
      ? Object.fromEntries(Object.entries(each).filter(([field]) => !SHARED.includes(field)))
      : each
  return isDeepStrictEqual(own(row), own(now))
}
