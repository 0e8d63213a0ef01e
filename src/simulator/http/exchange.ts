/**
 * One request from arrival to answer, whatever carries it: gateway, faults, holds, the operation, the answer. An
 * operation that has begun is carried through even when its client goes away.
 */
import type { Clock } from '../../loop/clock.ts'
import type { CallLog, OpenCall } from '../calls.ts'
import type { ArmedFault, FaultAnswer, Faults } from '../faults.ts'
import type { Hold, Holds } from '../holds.ts'
import type { ReadFaults } from '../lists.ts'
import { namedIds, type Overlaps } from '../overlaps.ts'
import { digest, nextNumber } from '../state/ids.ts'
import type { Account, Caller, Token, World } from '../state/model.ts'
import { Refusal } from '../state/refusal.ts'
import { paceMs, type Timing } from '../timing.ts'
import { authenticate, receive, type Arrival } from './arrival.ts'
import { gatewayReply, refusalReply } from './errors.ts'
import { fieldsOf } from './fields.ts'
import { answerOf, type RawAnswer, type RawRequest, type WholeAnswer } from './raw.ts'
import { changesState, type Found, type Pace, type Reply, type Route, type Underway } from './route.ts'
import { bug } from './serve.ts'
import { bodyOf } from './shapes.ts'

export interface Tally {
  preconditionsViolated: number
  /** Changes carried out, by method and route. */
  mutations: Record<string, number>
  /** All calls that reached the service behind the gateway, by method and route. */
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
  overlaps: Overlaps
  tally: Tally
}

/** Carries one request through. Never rejects. */
export async function exchange(service: Service, request: RawRequest): Promise<RawAnswer> {
  const { world, log } = service
  const arrival = receive(service.routes, world, request)
  const { found, record } = arrival
  const mutation = found === undefined ? request.method !== 'GET' : changesState(found.route)
  const number = nextNumber(world, 'call')
  const call = log.begin(record, mutation)
  const caller = request.tooLarge
    ? gatewayReply('tooLarge', world.profile)
    : found === undefined
      ? arrival.turnedAway
      : authenticate(world, request.headers['apikey'])
  const leave = service.overlaps.enter(
    `${record.method} ${record.path}`,
    mutation ? namedIds(found?.params ?? {}, record.body, record.query) : [],
  )
  const answer =
    found === undefined || 'status' in caller
      ? answerOf(correlationId(world, number), 'status' in caller ? caller : arrival.turnedAway)
      : await behindGateway({ service, request, arrival, found, call, number, ...caller })
  leave()
  call.finish(answer.kind === 'answer' ? answer.status : answer.kind)
  return answer
}

interface Serving {
  service: Service
  request: RawRequest
  arrival: Arrival
  found: Found
  call: OpenCall
  /** How many calls there were, with this one: it draws the correlation id and the pace. */
  number: number
  account: Account
  token: Token
}

async function behindGateway(serving: Serving): Promise<RawAnswer> {
  const { service, request, found, number } = serving
  const faults = service.faults.match(request.method, found.path)
  const holds = service.holds.match(request.method, found.path)
  if ((await passHolds(holds, 'before', request)) !== 'answer') return { kind: 'reset' }
  const refused = await applyFaults(service, number, faults, 'before')
  if (refused !== undefined) {
    commitLater(serving, faults)
    return refused
  }
  if (found.route.slow !== true) await take(service, 'usual', number)
  const reply = await commit(serving, faults)
  if ((await passHolds(holds, 'afterCommit', request)) !== 'answer') return { kind: 'reset' }
  const replaced = await applyFaults(service, number, faults, 'afterCommit')
  const truncate = faults.some(({ action }) => 'truncate' in action)
  return replaced ?? { ...answerOf(correlationId(service.world, number), reply), truncate }
}

/** Carries out the operation and waits for its end. */
async function commit(serving: Serving, faults: readonly ArmedFault[]): Promise<Reply> {
  const { service, found, call, number } = serving
  const { world, readFaults, tally, clock } = service
  const { route } = found
  const key = `${route.method} ${route.path}`
  tally.calls[key] = (tally.calls[key] ?? 0) + 1
  const isRead = !changesState(route)
  readFaults.arm(faults, world, clock.now(), isRead)
  const effects: string[] = []
  const note = (effect: string): void => {
    effects.push(effect)
    call.effect(effect)
  }
  let reply: Reply | Underway
  try {
    reply = handle(serving, isRead ? readFaults.worldFor(found.path, world, clock.now()) : world, note)
    if ('pace' in reply) {
      await take(service, reply.pace, number)
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
  const { status, rows } = reply
  if (rows !== undefined && !(isRead && readFaults.distorts(faults))) return { status, text: rows.text() }
  const list = rows?.records() ?? reply.body
  if (!isRead || !Array.isArray(list)) return reply
  return { status, body: readFaults.distort(faults, list, number, world.seed) }
}

function handle(serving: Serving, world: World, note: Caller['note']): Reply | Underway {
  const { service, arrival, found, account, token } = serving
  const lenient = world.profile === 'extended'
  return found.route.handle({
    world,
    now: service.clock.now(),
    account: world.accounts.get(account.userId) ?? account,
    token,
    location: found.location,
    note,
    params: found.params,
    query: fieldsOf(arrival.query(), lenient ? 'lenient' : 'words'),
    body: fieldsOf(arrival.body(), lenient ? 'lenient' : found.route.reads === 'json' ? 'typed' : 'words'),
  })
}

/** A fault whose change happens later, though the client was told otherwise. */
function commitLater(serving: Serving, faults: readonly ArmedFault[]): void {
  const afterMs = faults.find((fault) => fault.effectAfterMs !== undefined)?.effectAfterMs
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

/** The answer that a fault gives in place of the service; undefined when it goes on. */
async function applyFaults(
  service: Service,
  number: number,
  faults: readonly ArmedFault[],
  point: ArmedFault['point'],
): Promise<RawAnswer | undefined> {
  for (const fault of faults) {
    if (fault.point !== point) continue
    const { action } = fault
    if ('delayMs' in action) await wait(service, action.delayMs)
    if ('reset' in action) return { kind: 'reset' }
    if ('hang' in action) return { kind: 'hang' }
    if (!('answer' in action)) continue
    return faultAnswer(correlationId(service.world, number), action.answer)
  }
  return undefined
}

function faultAnswer(id: string, answer: FaultAnswer): WholeAnswer {
  const { status, body, shape, text = 'Told to fail', raw, contentType, headers } = answer
  const plain = answerOf(id, { status, body })
  const shaped = shape === undefined ? undefined : bodyOf(shape, status, text)
  const type = contentType ?? (shaped === undefined ? plain.headers['content-type'] : shaped.contentType)
  return {
    ...plain,
    body: raw ?? shaped?.body ?? plain.body,
    headers: { ...plain.headers, ...(type !== undefined && { 'content-type': type }), ...headers },
  }
}

async function take(service: Service, pace: Pace, number: number): Promise<void> {
  await wait(service, paceMs(service.timing, pace, service.world.seed, number))
}

async function wait(service: Service, ms: number): Promise<void> {
  if (ms > 0) await service.clock.sleep(ms)
}

function correlationId({ seed }: World, number: number): string {
  return digest(`${seed}/correlation/${number}`).slice(0, 32)
}
