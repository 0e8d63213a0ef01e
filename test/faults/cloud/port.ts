/** A process's way to the simulated service: delays, time limits, and what a plan makes go wrong. */
import type { Transport, WireReply, WireRequest } from '../../../src/cloud/wire.ts'
import { TransportFailure } from '../../../src/cloud/wire.ts'
import type { Served } from '../../../src/simulator/http/serve.ts'
import type { CallEntry } from '../history.ts'
import { callLabel, servicePath } from '../label.ts'
import type { Trouble } from '../plan.ts'
import type { Process } from '../process.ts'
import type { Random } from '../random.ts'
import type { Scheduler } from '../scheduler.ts'
import type { Troubles } from '../troubles.ts'
import type { CloudService } from './service.ts'
import { spoiled, truncated } from './spoiled.ts'

export interface CloudPortParts {
  readonly process: Process
  readonly scheduler: Scheduler
  readonly random: Random
  readonly troubles: Troubles
  readonly service: CloudService
  /** Troubles that concern more than this one call. */
  readonly meet: (trouble: Trouble, process: Process) => void
  readonly record: (entry: CallEntry) => void
  readonly leaseHolder: () => number | undefined
  /** A change takes effect only then, in milliseconds since the start of the run. */
  readonly landsAt: (at: number) => void
}

export function createCloudPort(parts: CloudPortParts): Transport {
  const { scheduler, random, process } = parts
  const latencyMs = (): number => 1 + random.next() * 15
  return {
    exchange: (request, receive) =>
      new Promise((resolve, reject) => {
        const label = callLabel(request.method, request.path)
        const troubles = parts.troubles.meet('cloud', label)
        const flight = openFlight(
          parts,
          request,
          (reply) => {
            received(receive(reply)).then(resolve, reject)
          },
          reject,
        )
        const depart = (): void => {
          const entry = leave(parts, request, label, troubles, flight)
          if (entry === undefined) return
          const leftAt = scheduler.now()
          scheduler.after(latencyMs(), label, () => {
            if (process.left(leftAt)) arrive(parts, { request, entry, troubles, flight, backMs: latencyMs() })
          })
        }
        if (request.beforeDispatch === undefined) depart()
        else scheduler.after(latencyMs(), 'connect', () => process.deliver(depart))
      }),
    close: () => Promise.resolve(),
  }
}

/** What breaks off inside a body is a connection that broke off. */
async function received<T>(receiving: Promise<T>): Promise<T> {
  try {
    return await receiving
  } catch (error) {
    if (error instanceof TransportFailure) throw error
    throw new TransportFailure('connection', true, 'the connection broke off: ECONNRESET', error)
  }
}

/** The caller's side: the first of answer, failure and time limit counts. */
interface Flight {
  readonly over: () => boolean
  sent: boolean
  /** Its line in the history, once it is on its way. */
  entry?: CallEntry
  answer(reply: WireReply): void
  fail(failure: TransportFailure): void
}

function openFlight(
  { process, scheduler }: CloudPortParts,
  { limitMs }: WireRequest,
  answer: (reply: WireReply) => void,
  reject: (failure: TransportFailure) => void,
): Flight {
  let over = false
  const once = (act: () => void): void => {
    if (over) return
    over = true
    cancel()
    act()
  }
  const flight: Flight = {
    over: () => over,
    sent: false,
    answer: (reply) => once(() => answer(reply)),
    fail: (failure) => once(() => reject(failure)),
  }
  const cancel = scheduler.after(limitMs, 'limit', () =>
    process.deliver(() => {
      if (flight.entry !== undefined) flight.entry.seen ??= 'nothing'
      flight.fail(new TransportFailure('limit', flight.sent, `no complete answer within ${limitMs / 1000} s`))
    }),
  )
  return flight
}

/** On an open connection: the last word of a change, then its line in the history. Undefined: it never left. */
function leave(
  parts: CloudPortParts,
  request: WireRequest,
  label: string,
  troubles: readonly Trouble[],
  flight: Flight,
): CallEntry | undefined {
  const { process, scheduler } = parts
  if (flight.over()) return undefined
  const leaseHolder = parts.leaseHolder()
  const operationID = request.headers['x-operation-id']
  const entry: CallEntry = {
    is: 'call',
    process: process.number,
    label,
    method: request.method,
    path: servicePath(request.path),
    query: {},
    body: {},
    mutation: request.beforeDispatch !== undefined,
    sentAt: scheduler.now(),
    lost: [],
    violated: 0,
    ...(operationID !== undefined && { operationID }),
    ...(leaseHolder !== undefined && { leaseHolder }),
    ...(troubles.length > 0 && { met: troubles }),
  }
  const notSent = troubles.some((each) => 'answer' in each && each.answer === 'notSent')
  try {
    if (!notSent) request.beforeDispatch?.()
  } catch (error) {
    entry.seen = 'stopped'
    parts.record(entry)
    const why = error instanceof Error ? error.message : 'no reason given'
    flight.fail(new TransportFailure('stopped', false, `stopped before it was sent: ${why}`, error))
    return undefined
  }
  parts.record(entry)
  if (notSent) {
    entry.seen = 'notSent'
    flight.fail(new TransportFailure('connect', false, 'connect ECONNREFUSED'))
    return undefined
  }
  flight.sent = true
  flight.entry = entry
  return entry
}

interface Arriving {
  readonly request: WireRequest
  readonly entry: CallEntry
  readonly troubles: readonly Trouble[]
  readonly flight: Flight
  readonly backMs: number
}

function arrive(parts: CloudPortParts, arriving: Arriving): void {
  const { process, scheduler, service } = parts
  const { request, entry, troubles, flight, backMs } = arriving
  const kill = troubles.find((each) => 'kill' in each)
  if (kill?.kill === 'before') {
    parts.meet(kill, process)
    return
  }
  if (kill?.kill === 'arrived') parts.meet(kill, process)
  for (const trouble of troubles) {
    if ('read' in trouble) service.distort(trouble.read, entry)
    else if (trouble !== kill) parts.meet(trouble, process)
  }
  const wrong = troubles.find((each) => 'answer' in each)
  const back = (act: () => void): void => {
    scheduler.after(backMs, 'answer', () => {
      process.deliver(act)
      if (kill?.kill === 'answered') parts.meet(kill, process)
    })
  }
  if (wrong === undefined || wrong.effect === 'done') {
    void service.carryOut(request, entry).then((served) => {
      if (kill?.kill === 'committed') parts.meet(kill, process)
      if (wrong === undefined) back(() => show(flight, entry, served))
      else if (wrong.answer !== 'hang') back(() => show(flight, entry, spoiled(wrong.answer, served)))
    })
    return
  }
  if (wrong.effect !== 'never') {
    parts.landsAt(scheduler.now() + wrong.effect.afterMs)
    scheduler.after(wrong.effect.afterMs, 'late effect', () => void service.carryOut(request, entry))
  }
  if (wrong.answer !== 'hang') back(() => show(flight, entry, spoiled(wrong.answer, undefined)))
}

function show(flight: Flight, entry: CallEntry, served: Served): void {
  switch (served.outcome) {
    case 'hang':
      return
    case 'reset':
      entry.seen = 'broken'
      flight.fail(new TransportFailure('connection', true, 'the connection broke off: ECONNRESET'))
      return
    case 'answered':
    case 'truncated': {
      const { status, headers, body, outcome } = served
      entry.seen = outcome === 'answered' ? status : 'broken'
      const chunks = outcome === 'answered' ? whole(body) : truncated(body)
      flight.answer({ status, header: (name) => headers[name], body: chunks })
    }
  }
}

/** One chunk, without the cost of a generator: nearly every answer is one. */
function whole(body: string): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      let left = body === '' ? 0 : 1
      return {
        next: () =>
          Promise.resolve(
            left-- > 0
              ? { done: false as const, value: Buffer.from(body) }
              : { done: true as const, value: undefined },
          ),
      }
    },
  }
}
