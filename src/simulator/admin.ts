/** The control of the simulator over HTTP, on a port of its own. JSON in, JSON out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Fault } from './faults.ts'
import type { Change } from './changes.ts'
import type { QuotaWish, SimulatorControl } from './control.ts'
import type { HoldWish, Release } from './holds.ts'
import type { Simulator } from './simulator.ts'
import type { NewAccount } from './state/accounts.ts'
import type { Rules } from './state/rules.ts'

interface AdminCall {
  control: SimulatorControl
  query: URLSearchParams
  id: string
  body: unknown
}

type AdminRoute = (call: AdminCall) => unknown

const adminRoutes: Readonly<Record<string, AdminRoute>> = {
  'GET /calls': ({ control, query }) =>
    control.calls({
      since: Number(query.get('since') ?? 0),
      mutationsOnly: query.get('mutationsOnly') === 'true',
    }),
  'GET /inventory': ({ control, query }) => control.inventory(query.get('apiKey') ?? undefined),
  'GET /counters': ({ control }) => control.counters(),
  'POST /faults': ({ control, body }) => ({ id: control.addFault(body as Fault) }),
  'DELETE /faults': ({ control }) => control.clearFaults(),
  'POST /holds': ({ control, body }) => control.hold(body as HoldWish),
  'GET /holds/:id': async ({ control, query, id }) => {
    const waitMs = Number(query.get('waitMs') ?? 0)
    if (waitMs > 0) await control.waitHeld(id, waitMs).catch(() => undefined)
    return { held: control.held(id) }
  },
  'POST /holds/:id/release': ({ control, id, body }) => control.release(id, (body as { how?: Release }).how),
  'POST /mutate': ({ control, body }) => control.mutate(body as Change),
  'POST /rules': ({ control, body }) => {
    const rules = body as Partial<Rules>
    for (const [name, value] of Object.entries(rules)) control.setRule(name as keyof Rules, value)
  },
  'POST /quota': ({ control, body }) => control.setQuota(body as QuotaWish),
  'POST /accounts': ({ control, body }) => control.createAccount(body as NewAccount),
  'GET /dump': ({ control }) => control.dump(),
  'POST /load': ({ control, body }) => control.load(JSON.stringify(body)),
}

export function createAdminServer(simulator: Simulator): Server {
  return createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://admin')
    if (url === null) {
      reply(response, 404, { error: 'no such admin operation' })
      return
    }
    if (request.method === 'GET' && url.pathname === '/events') {
      streamEvents(simulator, response)
      return
    }
    void answer(simulator.control, request, url, response)
  })
}

async function answer(
  control: SimulatorControl,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  const [, name = '', id = '', ...rest] = url.pathname.split('/')
  const pattern = `${request.method ?? 'GET'} /${[name, ...(id === '' ? [] : [':id']), ...rest].join('/')}`
  const route = adminRoutes[pattern]
  if (route === undefined) {
    reply(response, 404, { error: `no such admin operation: ${pattern}` })
    return
  }
  try {
    const text = await readText(request)
    const body: unknown = text === '' ? {} : JSON.parse(text)
    reply(response, 200, (await route({ control, query: url.searchParams, id, body })) ?? {})
  } catch (error) {
    reply(response, 400, { error: error instanceof Error ? error.message : String(error) })
  }
}

/** One JSON line per finished call, until the client goes away. */
function streamEvents(simulator: Simulator, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.flushHeaders()
  const end = simulator.listen((call) => response.write(`${JSON.stringify(call)}\n`))
  response.on('close', end)
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
