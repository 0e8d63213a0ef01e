/** What a story sent to the cloud, exactly and in order, and what the cloud has. For stories that count. */
import { expect } from 'vitest'
import { conditionOf, type AnyObject, type Story } from '../story.ts'
import { onProfile } from './differences.ts'
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

/**
 * Waits until an edit is told to be one that this service has no way for: the object stays usable, and nothing was sent
 * since that call number.
 */
export async function toldUnsupported(
  story: Story,
  kind: string,
  name: string,
  since: number,
): Promise<AnyObject> {
  const told = await story.until(kind, name, 'told that it is unsupported', (each) => {
    const pending = conditionOf(each, 'UpdatePending')
    return pending?.reason === 'Unsupported' && pending.observedGeneration === each.metadata.generation
  })
  expect(conditionOf(told, 'Ready')).toMatchObject({ status: 'True', reason: 'Available' })
  expect(conditionOf(told, 'Synced')).toMatchObject({ status: 'False', reason: 'Unsupported' })
  expect(sent(story, since)).toEqual([])
  return told
}

/** The account's default networks where its objects are made. */
export function defaultNetworks(story: Story): InventoryRow[] {
  const scope = onProfile(story, 'networks of the account', { extended: () => 'jkt01', documented: () => '' })
  return story.simulator.control
    .inventory(story.account.apiKey)
    .networks.filter((each) => each['scope'] === scope && each['isDefault'] === true)
}

export function idOf(object: AnyObject): string {
  const id = object.status?.['id']
  if (typeof id !== 'string') throw new Error(`${object.kind} ${object.metadata.name} has no id`)
  return id
}
