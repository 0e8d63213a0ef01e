/** The objects as a table: kept on the screen of a terminal, elsewhere one line per change. */
import { styleText } from 'node:util'
import type { Kind } from '../../src/api/group.ts'
import { conditionOf, nameOf, type AnyObject, type ObjectOf, type Objects } from './objects.ts'
import type { Screen } from './screen.ts'

export interface Row {
  readonly kind: string
  readonly name: string
  readonly ready: string
  readonly reason: string
  readonly detail: string
}

const heading: Row = { kind: 'KIND', name: 'NAME', ready: 'READY', reason: 'REASON', detail: 'DETAIL' }

/** Shows every change until the objects are stopped. */
export function showTable(objects: Objects, screen: Screen): void {
  const told = new Map<string, string>()
  objects.subscribe(() => {
    const list = objects.list()
    screen.pin(list.length === 0 ? [] : ['', ...tableOf(list, screen.width())])
    if (!screen.terminal) for (const line of changedLines(list, told)) screen.line(line)
  })
}

export function tableOf(list: readonly AnyObject[], width: number): string[] {
  const rows = list.map(rowOf)
  const widest = (field: keyof Row) => Math.max(...[heading, ...rows].map((row) => row[field].length))
  const widths = {
    kind: widest('kind'),
    name: widest('name'),
    ready: widest('ready'),
    reason: widest('reason'),
  }
  return [heading, ...rows].map((row) => {
    const text = [
      row.kind.padEnd(widths.kind),
      row.name.padEnd(widths.name),
      row.ready.padEnd(widths.ready),
      row.reason.padEnd(widths.reason),
      row.detail,
    ].join('  ')
    return styleText(row === heading ? 'bold' : colourOf(row), cut(text, width))
  })
}

export function rowOf(object: AnyObject): Row {
  const ready = conditionOf(object, 'Ready')
  const synced = conditionOf(object, 'Synced')
  const current = ready?.observedGeneration === object.metadata.generation
  const deleting = object.metadata.deletionTimestamp !== undefined
  // A good word about an older spec says nothing about the present one.
  const reason = current || deleting ? (ready?.reason ?? '') : 'Changed'
  const troubled = ready?.status !== 'True' || synced?.status !== 'True'
  const message = ready?.status === 'True' ? synced?.message : ready?.message
  return {
    kind: object.kind,
    name: object.metadata.name,
    ready: ready?.status ?? '',
    reason: reason === '' ? '-' : reason,
    detail: reason === 'Changed' ? 'not looked at yet' : ((troubled ? message : detailOf(object)) ?? ''),
  }
}

function detailOf(object: AnyObject): string {
  return details[object.kind as Kind](object)
}

const details: Record<Kind, (object: AnyObject) => string> = {
  CloudAccount: (object) => {
    const { spec, status } = object as ObjectOf<'CloudAccount'>
    return words(status?.user?.name, 'at', spec.endpoint)
  },
  CloudVM: (object) => {
    const { spec, status } = object as ObjectOf<'CloudVM'>
    return words(
      status?.powerState,
      `${spec.vcpus ?? '?'} CPUs`,
      `${spec.memoryMiB ?? '?'} MiB`,
      status?.privateIP,
    )
  },
  CloudDisk: (object) => {
    const { status } = object as ObjectOf<'CloudDisk'>
    const { attachedTo } = status ?? {}
    return words(
      `${status?.sizeGiB ?? '?'} GiB`,
      attachedTo === undefined ? 'detached' : `on ${attachedTo.name ?? attachedTo.id}`,
    )
  },
  CloudBucket: (object) => (object as ObjectOf<'CloudBucket'>).status?.endpoint ?? '',
  CloudNetwork: (object) => (object as ObjectOf<'CloudNetwork'>).status?.subnet ?? '',
  CloudFloatingIP: (object) => {
    const { address, assignedTo } = (object as ObjectOf<'CloudFloatingIP'>).status ?? {}
    return words(address, assignedTo === undefined ? 'unassigned' : `→ ${assignedTo.name ?? assignedTo.id}`)
  },
  CloudLoadBalancer: (object) => {
    const { privateAddress, targets } = (object as ObjectOf<'CloudLoadBalancer'>).status ?? {}
    return words(privateAddress, '→', (targets ?? []).map(({ name, id }) => name ?? id).join(', '))
  },
  CloudAccessKey: (object) => words('Secret', (object as ObjectOf<'CloudAccessKey'>).spec.secretName),
  CloudAPIToken: (object) => words('Secret', (object as ObjectOf<'CloudAPIToken'>).spec.secretName),
  CloudSnapshot: (object) => {
    const { spec, status } = object as ObjectOf<'CloudSnapshot'>
    return words('of', spec.vmRef.name, `${status?.sizeGiB ?? '?'} GiB`)
  },
  CloudVMOperation: (object) => {
    const { spec, status } = object as ObjectOf<'CloudVMOperation'>
    return words('on', spec.vmRef.name, status?.finishedAt)
  },
}

function words(...each: readonly (string | undefined)[]): string {
  return each.filter((word) => word !== undefined && word !== '').join(' ')
}

/** One line for each row that is not as told before; remembers them. */
function changedLines(list: readonly AnyObject[], told: Map<string, string>): string[] {
  const present = new Map(list.map((object) => [nameOf(object), lineOf(rowOf(object))]))
  const gone = [...told.keys()].filter((name) => !present.has(name))
  const changed = [...present].filter(([name, line]) => told.get(name) !== line)
  for (const name of gone) told.delete(name)
  for (const [name, line] of changed) told.set(name, line)
  return [...changed.map(([, line]) => line), ...gone.map((name) => `  ${name.padEnd(28)} gone`)]
}

function lineOf({ kind, name, ready, reason, detail }: Row): string {
  const state = `${ready === '' ? '-' : ready} ${reason}`
  return `  ${`${kind}/${name}`.padEnd(28)} ${state.padEnd(22)} ${detail}`.trimEnd()
}

function colourOf({ ready, reason }: Row): 'green' | 'yellow' | 'reset' {
  if (ready === 'True' && reason !== 'Changed') return 'green'
  return ready === '' ? 'reset' : 'yellow'
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
