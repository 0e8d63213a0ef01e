/** What a person's step names, made concrete: ids in place of names, and changes in the cloud carried out. For both rigs. */
import type { Change } from '../../src/simulator/changes.ts'
import type { CloudService } from './cloud/service.ts'
import { isObject, type ModelObject } from './kube/objects.ts'
import { thingsOf } from './oracles/inventory.ts'
import type { CloudChange, IdOf, Named } from './steps.ts'

/** There is nothing to do it to. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

/** `{stranger: name}` anywhere in a spec becomes its id. */
export function withStrangers(strangers: ReadonlyMap<string, string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withStrangers(strangers, each))
  if (!isObject(value)) return value
  if (typeof value['stranger'] === 'string') return strangers.get(value['stranger'])
  const fields = Object.entries(value).map(([field, part]) => [field, withStrangers(strangers, part)])
  return Object.fromEntries(fields)
}

/** `{idOf: object}` becomes the id in that object's status. Throws Impossible while there is none. */
export function withIDs(find: (named: Named) => ModelObject, change: CloudChange): Change {
  const fields = Object.entries(change).map(([field, value]): [string, unknown] => [
    field,
    isIdOf(value) ? idOf(find, value) : value,
  ])
  return Object.fromEntries(fields) as Record<string, unknown> as Change
}

function isIdOf(value: unknown): value is IdOf {
  return isObject(value) && 'idOf' in value
}

function idOf(find: (named: Named) => ModelObject, { idOf: named, field = 'id' }: IdOf): string {
  const id = find(named).status?.[field]
  if (typeof id !== 'string') throw new Impossible(`${named.kind} ${named.name} has no ${field} yet`)
  return id
}

/** Carries out a change in the cloud; ids of what it touched. Throws Impossible where the service cannot. */
export function changeCloud(
  { service, apiKey }: { readonly service: CloudService; readonly apiKey: string },
  change: Change,
): readonly string[] {
  const there = (): readonly string[] => thingsOf(service.control.inventory()).map(({ id }) => id)
  const before = new Set(there())
  try {
    service.control.mutate(change.do === 'create' ? { ...change, apiKey } : change)
  } catch (error) {
    throw new Impossible(error instanceof Error ? error.message : String(error))
  }
  const named = Object.values(change).filter((value): value is string => typeof value === 'string')
  return [...named, ...there().filter((id) => !before.has(id))]
}
