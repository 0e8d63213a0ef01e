/** Rows of inventories, by what they are and who they are. */
import type { Inventory, InventoryRow } from '../../../src/simulator/inventory.ts'
import { entriesOf, type History } from '../history.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'

export interface Thing {
  readonly family: keyof Inventory
  readonly id: string
  readonly row: InventoryRow
}

const ID: Readonly<Record<keyof Inventory, string>> = {
  vms: 'uuid',
  disks: 'uuid',
  buckets: 'name',
  networks: 'uuid',
  floatingIps: 'address',
  loadBalancers: 'uuid',
  tokens: 'id',
  keys: 'accessKey',
}

export function thingsOf(inventory: Inventory): readonly Thing[] {
  return (Object.keys(ID) as (keyof Inventory)[]).flatMap((family) =>
    inventory[family].map((row) => ({ family, id: String(row[ID[family]]), row })),
  )
}

/** Every word in a status that may name something in the cloud. */
export function namedIn(objects: readonly ModelObject[]): ReadonlySet<string> {
  const words = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') words.add(String(value))
    else if (Array.isArray(value)) value.forEach(collect)
    else if (isObject(value)) Object.values(value).forEach(collect)
  }
  const fields = [
    'id',
    'address',
    'reservedIP',
    'tokenID',
    'accessKeyID',
    'replicaID',
    'operation',
    'retiring',
  ]
  for (const { status = {} } of objects) for (const field of fields) collect(status[field])
  return words
}

/** Ids that people are asked about: what an unanswered create may have made. */
export function candidatesIn(objects: readonly ModelObject[]): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ status = {} }) => {
      const { operation } = status
      const candidates = isObject(operation) ? operation['candidates'] : undefined
      return Array.isArray(candidates) ? candidates.map(String) : []
    }),
  )
}

/** Words of the Events that tell people of more than one object with the same marker. */
export function toldIn(history: History): ReadonlySet<string> {
  const events = entriesOf(history, 'write').filter(
    ({ label, body }) => / events$/.test(label) && body.includes('DuplicatesFound'),
  )
  return new Set(events.flatMap(({ body }) => body.split(/[\s,;:"]+/)))
}

/** Whether somebody answers for the thing: it stands in a status, or it is part of a machine that does. */
export function isClaimed(
  { id, row, family }: Thing,
  names: ReadonlySet<string>,
  asked: ReadonlySet<string> = new Set(),
): boolean {
  if (names.has(id) || (family === 'floatingIps' && names.has(String(row['id'])))) return true
  // What came with a create that nobody can tell of yet hangs on what that create may have made.
  if (family === 'floatingIps' && asked.has(String(row['assignedTo']))) return true
  return family === 'disks' && row['primary'] === true && names.has(String(row['attachedTo']))
}
