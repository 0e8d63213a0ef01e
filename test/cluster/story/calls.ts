/** What a story sent to the cloud, exactly and in order, and what the cloud has. For stories that count. */
import type { AnyObject, Story } from '../story.ts'
import { lastCall } from './six.ts'
import type { Inventory, InventoryRow } from '../../../src/simulator/inventory.ts'

/** One changing call: method and path, and its parameters as sent. */
export type SentCall = readonly [call: string, parameters: Readonly<Record<string, unknown>>]

/** Every changing call since a number, in order. */
export function sent(story: Story, since = 0): SentCall[] {
  return story.simulator.control
    .calls({ since, mutationsOnly: true })
    .map(({ method, path, query, body }) => [`${method} ${path}`, { ...query, ...body }])
}

/** Edits the spec (a merge patch), waits until it is so, and answers with the calls that took. */
export async function edited(story: Story, kind: string, name: string, spec: unknown): Promise<SentCall[]> {
  const since = lastCall(story)
  await story.edit(kind, name, { spec })
  await story.ready(kind, name)
  return sent(story, since)
}

/** What the cloud has of the account now under this identity (bucket: name; floating IP: number). */
export function cloudRow(story: Story, family: keyof Inventory, id: unknown): InventoryRow | undefined {
  const key = { buckets: 'name', floatingIps: 'id' }[family as string] ?? 'uuid'
  return story.simulator.control
    .inventory(story.account.apiKey)
    [family].find((row) => String(row[key]) === String(id))
}

export function idOf(object: AnyObject): string {
  const id = object.status?.['id']
  if (typeof id !== 'string') throw new Error(`${object.kind} ${object.metadata.name} has no id`)
  return id
}
