/** One process's way to the API server, with the plan's troubles on it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { WriteEntry } from '../history.ts'
import type { ModelObject } from '../kube/objects.ts'
import { isObject } from '../kube/objects.ts'
import { targetOf, type Target } from '../kube/resources.ts'
import { kubeLabel } from '../label.ts'
import type { AnswerTrouble, Trouble } from '../plan.ts'
import type { Troubles } from '../troubles.ts'
import type { Api, ApiReply } from './api.ts'
import type { Child } from './child.ts'
import { bodyOf, close, cut, hang, headersOf, listen, show } from './listen.ts'
import { HANG_MS, OUTAGE_MS, realMs } from './pace.ts'
import type { Shadow } from './shadow.ts'
import { relay, type Streams } from './streams.ts'

export interface KubeProxyParts {
  readonly api: Api
  readonly troubles: Troubles
  readonly shadow: Shadow
  readonly streams: Streams
  readonly now: () => number
  readonly number: number
  readonly child: () => Child | undefined
  readonly record: (entry: WriteEntry) => void
  /** Troubles that concern more than this one call. */
  readonly meet: (trouble: Trouble, child: Child | undefined) => Promise<void>
}

export interface KubeProxy {
  readonly url: string
  close(): void
}

export async function startKubeProxy(parts: KubeProxyParts): Promise<KubeProxy> {
  let awayUntil = 0
  const server: Server = createServer((request, response) => {
    void take(parts, request, response, () => {
      awayUntil = performance.now() + OUTAGE_MS
      server.closeAllConnections()
    })
  })
  server.on('connection', (socket) => {
    if (performance.now() < awayUntil) socket.resetAndDestroy()
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) }
}

interface Asked {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly target: Target | undefined
  readonly verb: string
  readonly label: string
}

async function take(
  parts: KubeProxyParts,
  request: IncomingMessage,
  response: ServerResponse,
  outage: () => void,
): Promise<void> {
  const body = await bodyOf(request)
  if (body === undefined) return
  const asked = askedIn(request, body)
  const troubles = parts.troubles.meet('kube', asked.label)
  try {
    if (asked.verb === 'watch') {
      for (const trouble of troubles) await parts.meet(trouble, parts.child())
      const { url: path, headers, target } = asked
      await relay(parts.api, { path, headers, kind: target?.resource.kind ?? '' }, response, parts.streams)
    } else await answer(parts, asked, troubles, response, outage)
  } catch {
    // The server did not answer, or the process is gone.
    cut(response)
  }
}

function askedIn(request: IncomingMessage, body: string): Asked {
  const { method = 'GET', url = '/' } = request
  const { pathname, searchParams } = new URL(url, 'http://server')
  const target = targetOf(pathname)
  const watches = ['1', 'true'].includes(searchParams.get('watch') ?? '')
  const verb = watches ? 'watch' : verbFor(method, target)
  const sub = target?.sub === undefined ? '' : `/${target.sub}`
  const label =
    target === undefined
      ? `${verb} ${pathname}`
      : kubeLabel(verb, `${target.resource.plural}${sub}`, target.name)
  const headers = Object.fromEntries(
    Object.entries(headersOf(request)).filter(([name]) => name !== 'host' && name !== 'connection'),
  )
  return { method, url, headers, body, target, verb, label }
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

function verbFor(method: string, target: Target | undefined): string {
  return VERBS[method] ?? (target?.name === undefined ? 'list' : 'get')
}

async function answer(
  parts: KubeProxyParts,
  asked: Asked,
  troubles: readonly Trouble[],
  response: ServerResponse,
  outage: () => void,
): Promise<void> {
  const child = parts.child()
  const kill = troubles.find((each) => 'kill' in each)
  if (kill?.kill === 'before' || kill?.kill === 'arrived') await parts.meet(kill, child)
  if (kill?.kill === 'before') return
  for (const trouble of troubles) if (trouble !== kill) await parts.meet(trouble, child)
  const wrong = troubles.find((each) => 'answer' in each)
  if (wrong === undefined || wrong.effect === 'done') {
    const reply = await carryOut(parts, asked)
    if (kill?.kill === 'committed') await parts.meet(kill, child)
    else if (wrong === undefined) await pass(response, reply)
    else await spoil(response, wrong.answer, outage)
    if (kill?.kill === 'answered') await parts.meet(kill, child)
    return
  }
  if (wrong.effect !== 'never')
    setTimeout(() => void carryOut(parts, asked).catch(() => undefined), realMs(wrong.effect.afterMs))
  await spoil(response, wrong.answer, outage)
}

function pass(response: ServerResponse, { status, headers, text }: ApiReply): Promise<void> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    ['content-type', 'retry-after', 'warning'].includes(name) && typeof value === 'string'
      ? [[name, value]]
      : [],
  )
  const length = String(Buffer.byteLength(text))
  const shown = Object.fromEntries([...kept, ['content-length', length]]) as Record<string, string>
  return show(response, { outcome: 'answered', status, headers: shown, body: text }, HANG_MS)
}

async function spoil(response: ServerResponse, trouble: AnswerTrouble, outage: () => void): Promise<void> {
  if (typeof trouble === 'object') {
    const { status, retryAfterSeconds } = trouble
    const reason = status === 409 ? 'Conflict' : 'InternalError'
    const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }
    const body = { kind: 'Status', status: 'Failure', message: 'trouble', reason, code: status, ...details }
    await pass(response, {
      status,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(body),
    })
  } else if (trouble === 'hang') hang(response, HANG_MS)
  else if (trouble === 'notSent') outage()
  else cut(response)
}

/** The request at the server, and its line in the history. */
async function carryOut(parts: KubeProxyParts, asked: Asked): Promise<ApiReply> {
  const { method, url, headers, body, target, label, verb } = asked
  const reply = await parts.api.exchange({ method, path: url, headers, body })
  if (method === 'GET' || target === undefined) return reply
  const answered: unknown = JSON.parse(reply.text)
  const before = found(parts.shadow, verb, body)
  const after = reply.status < 300 ? parts.shadow.wrote(target, answered) : undefined
  parts.record({
    is: 'write',
    at: parts.now(),
    process: parts.number,
    label,
    kind: target.resource.kind,
    name: target.name ?? after?.metadata.name ?? '',
    status: reply.status,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    body,
  })
  return reply
}

/** What a write found that names the version it is made for: just that one, or it was refused. */
function found(shadow: Shadow, verb: string, body: string): ModelObject | undefined {
  if (verb === 'create') return undefined
  const sent: unknown = JSON.parse(body)
  const metadata = isObject(sent) ? sent['metadata'] : undefined
  return isObject(metadata) ? shadow.version(metadata['uid'], metadata['resourceVersion']) : undefined
}
