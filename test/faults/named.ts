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

/** `{stranger: name}` and `{idOf: object}` anywhere in a spec become ids. Throws Impossible while there is none. */
export function withIDsIn(
  strangers: ReadonlyMap<string, string>,
  find: (named: Named) => ModelObject,
  value: unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => withIDsIn(strangers, find, each))
  if (!isObject(value)) return value
  if (typeof value['stranger'] === 'string') return strangers.get(value['stranger'])
  if (isIdOf(value)) return idOf(find, value)
  const fields = Object.entries(value).map(([field, part]) => [field, withIDsIn(strangers, find, part)])
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
  const id = field.split('.').reduce<unknown>(within, find(named).status)
  if (typeof id !== 'string') throw new Impossible(`${named.kind} ${named.name} has no ${field} yet`)
  return id
}

/** Ids in the cloud that a person touched, and made. */
export interface Touched {
  readonly ids: readonly string[]
  readonly made: readonly string[]
}

interface InCloud {
  readonly service: CloudService
  readonly apiKey: string
}

/** A person deletes it, and a stranger gets its name or its address. Throws Impossible where that cannot be. */
export function takeInCloud(world: InCloud, object: ModelObject): Touched {
  const { status = {}, kind } = object
  const family = kind === 'CloudBucket' ? 'bucket' : 'floatingIp'
  const id = status[kind === 'CloudBucket' ? 'id' : 'address']
  if (typeof id !== 'string') throw new Impossible(`${kind} has nothing in the cloud`)
  const { control } = world.service
  control.setRule('reuseAddresses', true)
  const deleted = changeCloud(world, { do: 'delete', kind: family, id })
  const made = changeCloud(world, {
    do: 'create',
    kind: family,
    name: family === 'bucket' ? id : 'of-a-stranger',
  })
  control.setRule('reuseAddresses', false)
  return { ids: [...deleted.ids, ...made.ids], made: made.made }
}

/** Carries out a change in the cloud; ids of what it touched. Throws Impossible where the service cannot. */
export function changeCloud({ service, apiKey }: InCloud, change: Change): Touched {
  const there = (): readonly string[] => thingsOf(service.control.inventory()).map(({ id }) => id)
  const before = new Set(there())
  try {
    service.control.mutate(change.do === 'create' ? { ...change, apiKey } : change)
  } catch (error) {
    throw new Impossible(error instanceof Error ? error.message : String(error))
  }
  const named = Object.values(change).filter((value): value is string => typeof value === 'string')
  const after = there()
  const made = after.filter((id) => !before.has(id))
  // A machine takes its boot disk along.
  const gone = [...before].filter((id) => !after.includes(id))
  return { ids: [...named, ...made, ...gone], made }
}

function within(value: unknown, part: string): unknown {
  return isObject(value) || Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)[part]
    : undefined
}
