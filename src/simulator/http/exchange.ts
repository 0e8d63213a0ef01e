/**
 * One request from arrival to answer, whatever carries it: gateway, faults, holds, the operation, the answer. An
 * operation that has begun is carried through even when its client goes away.
 */
import type { Clock } from '../../loop/clock.ts'
import { redact, type CallLog, type OpenCall } from '../calls.ts'
import type { ArmedFault, Faults } from '../faults.ts'
import type { Hold, Holds } from '../holds.ts'
import type { ReadFaults } from '../lists.ts'
import { digest } from '../state/ids.ts'
import type { Account, Caller, Profile, Token, World } from '../state/model.ts'
import { Refusal } from '../state/refusal.ts'
import { paceMs, type Timing } from '../timing.ts'
import { gateway, refusalReply } from './errors.ts'
import { fieldsOf } from './fields.ts'
import { parseBody, parseForm } from './parse.ts'
import { bodyTypeOf, findRoute, type Found, type Reply, type Route, type Underway } from './route.ts'

export interface RawRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** Calls back when the client goes away before its answer. */
  onGone(callback: () => void): void
}

export type RawAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string; truncate: boolean }
  | { kind: 'reset' }
  | { kind: 'hang' }

export interface Tally {
  preconditionsViolated: number
  mutations: Record<string, number>
  calls: Record<string, number>
}

/** Everything one exchange needs. */
export interface Service {
  world: World
  clock: Clock
  timing: Timing
  routes: readonly Route[]
  log: CallLog
  faults: Faults
  holds: Holds
  readFaults: ReadFaults
  tally: Tally
}

/** Carries one request through. Never rejects. */
export async function exchange(service: Service, request: RawRequest): Promise<RawAnswer> {
  const [pathname = '', search = ''] = request.url.split('?', 2)
  const { world, log } = service
  const routing = findRoute(service.routes, request.method, pathname, world.profile, world.rules)
  const found = 'route' in routing ? routing : undefined
  const mutation = found === undefined ? request.method !== 'GET' : changes(found.route)
  const call = log.begin(callRecord(request, pathname, search, found, world.profile), mutation)
  const ended = (answer: RawAnswer): RawAnswer => {
    call.finish(answer.kind === 'answer' ? answer.status : answer.kind)
    return answer
  }
  if (found === undefined)
    return ended(
      answerOf(
        service,
        call,
        'found' in routing && routing.found === 'otherMethod' ? gateway.wrongMethod : gateway.noRoute,
      ),
    )
  const caller = authenticate(world, request.headers['apikey'])
  if ('status' in caller) return ended(answerOf(service, call, caller))
  return ended(await serve({ service, request, search, found, call, ...caller }))
}

interface Serving {
  service: Service
  request: RawRequest
  search: string
  found: Found
  call: OpenCall
  account: Account
  token: Token
}

async function serve(serving: Serving): Promise<RawAnswer> {
  const { service, request, found, call } = serving
  const faults = service.faults.match(request.method, found.path)
  const holds = service.holds.match(request.method, found.path)
  if ((await passHolds(holds, 'before', request)) !== 'answer') return { kind: 'reset' }
  const refused = await applyFault(service, call, at(faults, 'before'))
  if (refused !== undefined) {
    commitLater(serving, faults)
    return refused
  }
  if (found.route.slow !== true)
    await wait(service, paceMs(service.timing, 'usual', service.world.seed, call.seq))
  const reply = await commit(serving, faults)
  if ((await passHolds(holds, 'afterCommit', request)) !== 'answer') return { kind: 'reset' }
  const replaced = await applyFault(service, call, at(faults, 'afterCommit'))
  return replaced ?? answerOf(service, call, reply, truncates(faults))
}

/** Carries out the operation and waits for its end. */
async function commit(serving: Serving, faults: readonly ArmedFault[]): Promise<Reply> {
  const { service, found, call } = serving
  const { world, readFaults, tally, clock } = service
  const { route } = found
  const key = `${route.method} ${route.path}`
  tally.calls[key] = (tally.calls[key] ?? 0) + 1
  const isRead = !changes(route)
  readFaults.arm(faults, world, clock.now(), isRead)
  const effects: string[] = []
  const note = (effect: string): void => {
    effects.push(effect)
    call.effect(effect)
  }
  let reply: Reply | Underway
  const seen = isRead ? readFaults.worldFor(found.path, world, clock.now()) : world
  try {
    reply = handle(serving, seen, note)
    if ('pace' in reply) {
      await wait(service, paceMs(service.timing, reply.pace, world.seed, call.seq))
      reply = reply.finish(clock.now())
    }
  } catch (error) {
    if (!(error instanceof Refusal)) return bug(error)
    if (error.precondition) tally.preconditionsViolated += 1
    return refusalReply(error, route.family, world.profile, world.rules)
  }
  if (!isRead) {
    tally.mutations[key] = (tally.mutations[key] ?? 0) + 1
    readFaults.hideMade(faults, effects)
  }
  if (!isRead || !Array.isArray(reply.body)) return reply
  return { ...reply, body: readFaults.distort(faults, reply.body, call.seq, world.seed) }
}

function handle(serving: Serving, world: World, note: Caller['note']): Reply | Underway {
  const { request, search, found, account, token, service } = serving
  const { route, params, location } = found
  return route.handle({
    world,
    now: service.clock.now(),
    account: world.accounts.get(account.userId) ?? account,
    token,
    location,
    note,
    params,
    query: fieldsOf(parseForm(search)),
    body: fieldsOf(
      parseBody(bodyTypeOf(route, world.profile), request.headers['content-type'] ?? '', request.body),
    ),
  })
}

/** A fault whose change happens later, though the client was told otherwise. */
function commitLater(serving: Serving, faults: readonly ArmedFault[]): void {
  const afterMs = at(faults, 'before').find((fault) => fault.effectAfterMs !== undefined)?.effectAfterMs
  if (afterMs !== undefined) serving.service.clock.after(afterMs, () => void commit(serving, []))
}

async function passHolds(holds: readonly Hold[], point: Hold['point'], request: RawRequest): Promise<string> {
  for (const hold of holds) {
    if (hold.point !== point) continue
    const how = await hold.pass((callback) => request.onGone(callback))
    if (how !== 'answer') return how
  }
  return 'answer'
}

function at(faults: readonly ArmedFault[], point: ArmedFault['point']): ArmedFault[] {
  return faults.filter((fault) => fault.point === point)
}

/** The answer that a fault gives in place of the service; undefined when it goes on. */
async function applyFault(
  service: Service,
  call: OpenCall,
  faults: readonly ArmedFault[],
): Promise<RawAnswer | undefined> {
  for (const { action } of faults) {
    if ('delayMs' in action) await wait(service, action.delayMs)
    if ('reset' in action) return { kind: 'reset' }
    if ('hang' in action) return { kind: 'hang' }
    if (!('answer' in action)) continue
    const { status, body, raw, contentType, headers } = action.answer
    const answer = answerOf(service, call, { status, body })
    if (answer.kind !== 'answer') continue
    if (raw !== undefined) answer.body = raw
    if (contentType !== undefined) answer.headers['content-type'] = contentType
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }
  return undefined
}

function truncates(faults: readonly ArmedFault[]): boolean {
  return faults.some(({ action }) => 'truncate' in action)
}

async function wait(service: Service, ms: number): Promise<void> {
  if (ms > 0) await service.clock.sleep(ms)
}

function answerOf(service: Service, call: OpenCall, reply: Reply, truncate = false): RawAnswer {
  const id = digest(`${service.world.seed}/correlation/${call.seq}`).slice(0, 32)
  const headers: Record<string, string> = { 'x-correlation-id': id }
  if (reply.body !== undefined) headers['content-type'] = 'application/json'
  const body = reply.body === undefined ? '' : JSON.stringify(reply.body)
  return { kind: 'answer', status: reply.status, headers, body, truncate }
}

function authenticate(world: World, key: string | undefined): { account: Account; token: Token } | Reply {
  if (key === undefined || key === '') return gateway.noKey
  const token = world.tokens.get(world.secrets.get(key) ?? -1)
  const account = world.accounts.get(token?.userId ?? -1)
  return token === undefined || account === undefined ? gateway.wrongKey : { account, token }
}

function changes(route: Route): boolean {
  return route.changes ?? route.method !== 'GET'
}

function callRecord(
  request: RawRequest,
  pathname: string,
  search: string,
  found: Found | undefined,
  profile: Profile,
) {
  const operationId = request.headers['x-operation-id']
  return {
    apiKey: (request.headers['apikey'] ?? '').slice(-4),
    method: request.method,
    path: found?.path ?? pathname,
    ...(found?.slug !== undefined && { location: found.slug }),
    query: redact(quietly(() => parseForm(search))),
    body: redact(
      quietly(() =>
        parseBody(
          found === undefined ? 'none' : bodyTypeOf(found.route, profile),
          request.headers['content-type'] ?? '',
          request.body,
        ),
      ),
    ),
    ...(operationId !== undefined && { operationId }),
  }
}

function quietly(read: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return read()
  } catch {
    return { unreadable: true }
  }
}

function bug(error: unknown): Reply {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 500, body: { message: `simulator bug: ${text}` } }
}
