/** The service over HTTP, with the plan's troubles between it and the processes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CloudService } from '../cloud/service.ts'
import { spoiled } from '../cloud/spoiled.ts'
import type { CallEntry } from '../history.ts'
import { callLabel, servicePath } from '../label.ts'
import type { Trouble } from '../plan.ts'
import type { Troubles } from '../troubles.ts'
import type { Child } from './child.ts'
import { bodyOf, close, cut, headersOf, listen, show } from './listen.ts'
import { HANG_MS, realMs } from './pace.ts'
import { ownerOf } from './sockets.ts'

export interface CloudProxyParts {
  readonly service: CloudService
  readonly troubles: Troubles
  readonly now: () => number
  /** All processes so far, the newest last. */
  readonly children: () => readonly Child[]
  readonly leaseHolder: () => number | undefined
  readonly record: (entry: CallEntry) => void
  /** Troubles that concern more than this one call. */
  readonly meet: (trouble: Trouble, child: Child | undefined) => Promise<void>
}

export interface CloudProxy {
  readonly url: string
  close(): void
}

/** Whose each connection is, found when its first request comes. */
type Owners = WeakMap<object, Child>

export async function startCloudProxy(parts: CloudProxyParts): Promise<CloudProxy> {
  const owners: Owners = new WeakMap()
  const server: Server = createServer((request, response) => void take(parts, owners, request, response))
  // At the connection, so that one that was opened before a death is not taken for the next process's.
  server.on('connection', (socket) => {
    const owner = ownerIn(parts.children(), socket)
    if (owner !== undefined) owners.set(socket, owner)
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) }
}

function ownerIn(children: readonly Child[], { remotePort, localPort }: Socket): Child | undefined {
  const living = children.filter((each) => each.alive())
  if (children.length < 2 || remotePort === undefined || localPort === undefined) return children.at(-1)
  const pids = living.map((each) => each.pid)
  const pid = ownerOf(remotePort, localPort, pids)
  if (pid === undefined) return living.length === 1 ? living[0] : children.at(-1)
  return living.find((each) => each.pid === pid) ?? lastDead(children)
}

/** A connection that no living process holds was opened just before a death, and taken just after it. */
function lastDead(children: readonly Child[]): Child | undefined {
  return children.toSorted((a, b) => (a.diedAt() ?? 0) - (b.diedAt() ?? 0)).at(-1)
}

async function take(
  parts: CloudProxyParts,
  owners: Owners,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const child = owners.get(request.socket)
  const body = await bodyOf(request)
  if (body === undefined) return
  const { method = 'GET', url: path = '/' } = request
  const headers = headersOf(request)
  const label = callLabel(method, path)
  const troubles = parts.troubles.meet('cloud', label)
  const operationID = headers['x-operation-id']
  const leaseHolder = parts.leaseHolder()
  const entry: CallEntry = {
    is: 'call',
    process: child?.number ?? 0,
    label,
    method,
    path: servicePath(path),
    query: {},
    body: {},
    mutation: operationID !== undefined,
    sentAt: parts.now(),
    lost: [],
    violated: 0,
    ...(operationID !== undefined && { operationID }),
    ...(leaseHolder !== undefined && { leaseHolder }),
  }
  parts.record(entry)
  const ask = (): ReturnType<CloudService['carryOut']> =>
    parts.service.carryOut({ method, path, headers, body: body === '' ? undefined : body }, entry)
  await answer(parts, { entry, child, troubles, response, ask })
}

interface Arrived {
  readonly entry: CallEntry
  readonly child: Child | undefined
  readonly troubles: readonly Trouble[]
  readonly response: ServerResponse
  readonly ask: () => ReturnType<CloudService['carryOut']>
}

async function answer(
  parts: CloudProxyParts,
  { entry, child, troubles, response, ask }: Arrived,
): Promise<void> {
  const kill = troubles.find((each) => 'kill' in each)
  if (kill?.kill === 'before' || kill?.kill === 'arrived') await parts.meet(kill, child)
  if (kill?.kill === 'before') return
  for (const trouble of troubles) {
    if ('read' in trouble) parts.service.distort(scaled(trouble.read), entry)
    else if (trouble !== kill) await parts.meet(trouble, child)
  }
  const wrong = troubles.find((each) => 'answer' in each)
  if (wrong === undefined || wrong.effect === 'done') {
    const served = await ask()
    if (kill?.kill === 'committed') {
      await parts.meet(kill, child)
      return
    }
    await see(entry, response, wrong === undefined ? served : spoiled(wrong.answer, served))
    if (kill?.kill === 'answered') await parts.meet(kill, child)
    return
  }
  if (wrong.effect !== 'never') setTimeout(() => void ask(), realMs(wrong.effect.afterMs))
  if (wrong.answer === 'notSent') {
    entry.seen = 'broken'
    cut(response)
  } else await see(entry, response, spoiled(wrong.answer, undefined))
}

async function see(
  entry: CallEntry,
  response: ServerResponse,
  served: ReturnType<typeof spoiled>,
): Promise<void> {
  if (response.destroyed) return
  if (served.outcome === 'answered') entry.seen = served.status
  else entry.seen = served.outcome === 'hang' ? 'nothing' : 'broken'
  await show(response, served, HANG_MS)
}

function scaled(read: Extract<Trouble, { read: unknown }>['read']): typeof read {
  return typeof read === 'object' ? { ...read, lagMs: realMs(read.lagMs) } : read
}
