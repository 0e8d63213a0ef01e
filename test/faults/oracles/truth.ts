/** A status never says Ready of what the cloud does not have, or has otherwise than the spec says. */
import type { Inventory, InventoryRow } from '../../../src/simulator/inventory.ts'
import { momentOf, type History } from '../history.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'
import { conditionOf, wordFor } from './facts.ts'

interface Looked {
  readonly object: ModelObject
  readonly row: InventoryRow
  /** The cloud id of an object of ours by kind and name. */
  readonly idOf: (kind: string, reference: unknown) => string | undefined
}

interface Kind {
  readonly family: keyof Inventory
  readonly by: string
  /** Fields of the spec that the cloud has otherwise. */
  readonly differs: (looked: Looked) => readonly string[]
}

const is = (field: string, wanted: unknown, there: unknown): readonly string[] =>
  wanted === undefined || wanted === there ? [] : [field]

const KINDS: Readonly<Record<string, Kind>> = {
  CloudNetwork: { family: 'networks', by: 'uuid', differs: () => [] },
  CloudBucket: { family: 'buckets', by: 'name', differs: () => [] },
  CloudVM: {
    family: 'vms',
    by: 'uuid',
    differs: ({ object: { spec = {} }, row }) => [
      ...is('vcpus', spec['vcpus'], row['vcpu']),
      ...is('memoryMiB', spec['memoryMiB'], row['memoryMib']),
      ...is('powerState', spec['powerState'], row['status'] === 'running' ? 'Running' : 'Stopped'),
      ...is('backups', spec['backups'], row['backup'] === true ? 'Enabled' : 'Disabled'),
      ...is('name', spec['name'], row['name']),
    ],
  },
  CloudDisk: {
    family: 'disks',
    by: 'uuid',
    differs: ({ object: { spec = {} }, row, idOf }) => [
      ...is('sizeGiB', spec['sizeGiB'], row['sizeGib']),
      ...(isObject(spec['vmRef']) ? is('vmRef', idOf('CloudVM', spec['vmRef']), row['attachedTo']) : []),
    ],
  },
  CloudFloatingIP: {
    family: 'floatingIps',
    by: 'id',
    differs: ({ object: { spec = {} }, row, idOf }) => {
      const target =
        spec['vmRef'] === undefined
          ? idOf('CloudLoadBalancer', spec['loadBalancerRef'])
          : idOf('CloudVM', spec['vmRef'])
      return is('target', target ?? null, row['assignedTo'])
    },
  },
  CloudLoadBalancer: {
    family: 'loadBalancers',
    by: 'uuid',
    differs: ({ object: { spec = {} }, row, idOf }) => {
      const wanted = list(spec['targets']).map((each) => idOf('CloudVM', each))
      // One that came twice, the second time after the settle time, is the same target.
      const there = [
        ...new Set(list(row['targets']).map((each) => (isObject(each) ? each['vm'] : undefined))),
      ]
      const rules = (value: unknown): string =>
        list(value)
          .map((each) =>
            isObject(each) ? `${String(each['sourcePort'])}:${String(each['targetPort'])}` : '',
          )
          .sort()
          .join()
      return [
        ...(isObject(spec['adopt']) ? [] : is('targets', wanted.sort().join(), there.sort().join())),
        ...(spec['rules'] === undefined ? [] : is('rules', rules(spec['rules']), rules(row['rules']))),
      ]
    },
  },
}

export function truth(history: History): string[] {
  const moments = [momentOf(history, 'settled'), momentOf(history, 'quiet')]
  return moments.flatMap((moment) => {
    if (moment === undefined) return []
    const { objects, inventory } = moment
    const idOf = (kind: string, reference: unknown): string | undefined => {
      const name = isObject(reference) ? reference['name'] : undefined
      const found = objects.find((each) => each.kind === kind && each.metadata.name === name)
      const leaving = found?.metadata.deletionTimestamp !== undefined
      return leaving ? undefined : (found?.status?.['id'] as string | undefined)
    }
    return objects
      .filter((object) => ['Ready', 'Synced'].every((type) => conditionOf(object, type)?.status === 'True'))
      .flatMap((object) => liesOf(object, inventory, idOf).map((lie) => `${moment.moment}: ${lie}`))
  })
}

function liesOf(object: ModelObject, inventory: Inventory, idOf: Looked['idOf']): readonly string[] {
  const kind = KINDS[object.kind]
  if (kind === undefined) return []
  const id = object.status?.['id']
  const row = inventory[kind.family].find((each) => String(each[kind.by]) === id)
  const name = wordFor({ kind: object.kind, name: object.metadata.name })
  if (row === undefined) return [`${name} is Ready and ${String(id)} is not there`]
  const observes =
    isObject(object.spec?.['lifecycle']) && object.spec['lifecycle']['management'] === 'ObserveOnly'
  if (observes) return []
  return kind.differs({ object, row, idOf }).map((field) => `${name} is in sync and ${field} differs`)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? [...(value as unknown[])] : []
}
