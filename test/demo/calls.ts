/** The calls that reach the simulated cloud, printed as they end. */
import { styleText } from 'node:util'
import type { AdminClient } from '../../src/simulator/admin-client.ts'
import type { Call } from '../../src/simulator/calls.ts'
import { nameOf, type Objects } from './objects.ts'
import type { Screen } from './screen.ts'

export interface Calls {
  /** Whether reads are printed too, or only what changes something. */
  showReads(shown: boolean): void
  /** Changes since the call of this number, in order. */
  changesSince(seq: number): readonly Call[]
  lastSeq(): number
  /** Calls back on every finished call until the returned function is called. */
  subscribe(listener: () => void): () => void
  stop(): void
}

const keptCalls = 1000

export function showCalls(admin: AdminClient, objects: Objects, screen: Screen): Calls {
  const nameFor = rememberNames(objects)
  const listeners = new Set<() => void>()
  let changes: Call[] = []
  let last = 0
  let readsShown = false
  const stop = admin.events((call) => {
    last = Math.max(last, call.seq)
    const isRead = call.method === 'GET'
    if (!isRead) changes = [...changes, call].slice(-keptCalls)
    if (!isRead) screen.line(lineOf(call, nameFor(call)))
    else if (readsShown) screen.line(styleText('dim', lineOf(call, nameFor(call))))
    for (const listener of listeners) listener()
  })
  return {
    showReads: (shown) => (readsShown = shown),
    changesSince: (seq) => changes.filter((call) => call.seq > seq),
    lastSeq: () => last,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop,
  }
}

/** `→ POST   201  230 ms  /network/network   created network 1b2c3d4e… · CloudNetwork/backend` */
function lineOf(call: Call, name: string): string {
  const told = [shortIds(call.effect ?? ''), name].filter((text) => text !== '').join(' · ')
  return [
    `    ${call.method === 'GET' ? '·' : '→'} ${call.method.padEnd(6)}`,
    String(call.status).padEnd(3),
    (typeof call.status === 'number' ? `${call.durationMs} ms` : '').padStart(7),
    ` ${shortIds(call.path).padEnd(34)}`,
    told,
  ]
    .join(' ')
    .trimEnd()
}

/** The beginning of an id is enough for people. */
function shortIds(text: string): string {
  return text.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1…')
}

/**
 * Names the objects a call is about: by the operation that the object recorded before the call, else by the cloud ids in
 * the call. Both are remembered, because the object may have let go of them when the call is told.
 */
function rememberNames(objects: Objects): (call: Call) => string {
  const byOperation = new Map<string, string>()
  const byId = new Map<string, string>()
  objects.subscribe(() => {
    for (const object of objects.list()) {
      const { id, operation } = object.status ?? {}
      const address = objects.get('CloudFloatingIP', object.metadata.name)?.status?.address
      if (operation !== undefined) byOperation.set(operation.id, nameOf(object))
      if (id !== undefined && object.kind !== 'CloudAccount') byId.set(id, nameOf(object))
      // Paths name an address, not its id.
      if (address !== undefined && object.kind === 'CloudFloatingIP') byId.set(address, nameOf(object))
    }
  })
  return ({ operationId, path, query, body }) => {
    const operated = byOperation.get(operationId ?? '')
    if (operated !== undefined) return operated
    const text = JSON.stringify([path, query, body])
    const named = [...byId].filter(([id]) => text.includes(id)).map(([, name]) => name)
    return [...new Set(named)].join(', ')
  }
}
