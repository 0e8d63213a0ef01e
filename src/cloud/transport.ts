/**
 * The only file of this folder that imports undici. Sends one request; knows nothing of the service.
 *
 * Reads share a kept-alive pool. A mutation gets a client and a connection of its own: a kept-alive connection that the
 * server is closing would leave its outcome open, and a client that may connect only once can never repeat a request.
 */
import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Client, Pool } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../loop/clock.ts'
import { createConnect } from './connect.ts'
import type { Connect } from './connect.ts'
import { TransportFailure } from './wire.ts'
import type { Transport, WireReply, WireRequest } from './wire.ts'

/** undici's own time-outs are off: its resolution is a second, and tests drive our clock. */
const wireOptions = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 } as const

/** What becomes of one exchange. */
interface Flight {
  sent: boolean
  timedOut: boolean
  /** Ended, or out of time: nothing may leave any more. */
  over: boolean
  failure?: Error
}

export interface TransportOptions {
  readonly endpoint: string
  readonly clock: Clock
  readonly connectMs: number
  /** As many as there are slots, so that nothing queues inside undici. */
  readonly connections: number
}

/** The transport over HTTP/1.1 to one origin. */
export function createTransport(options: TransportOptions): Transport {
  const { endpoint, clock } = options
  const connect = createConnect(clock, options.connectMs)
  const pool = new Pool(endpoint, {
    ...wireOptions,
    connect,
    connections: Math.max(1, Math.floor(options.connections)),
    pipelining: 1,
  })
  const flights = new WeakMap<Socket, Flight>()
  const onSendHeaders = (message: unknown) => {
    const flight = flights.get((message as { readonly socket: Socket }).socket)
    if (flight !== undefined) flight.sent = true
  }
  diagnostics.subscribe('undici:client:sendHeaders', onSendHeaders)

  return {
    exchange: (request, receive) => {
      const { beforeDispatch } = request
      if (beforeDispatch === undefined) {
        return exchange(clock, pool, request, receive, { sent: true, timedOut: false, over: false })
      }
      const flight: Flight = { sent: false, timedOut: false, over: false }
      const guarded = guardedConnect(connect, flight, beforeDispatch, (socket) => flights.set(socket, flight))
      const client = new Client(endpoint, { ...wireOptions, connect: guarded, pipelining: 0 })
      return exchange(clock, client, request, receive, flight).finally(() => void client.destroy())
    },
    close: async () => {
      await pool.close()
      diagnostics.unsubscribe('undici:client:sendHeaders', onSendHeaders)
    },
  }
}

/** Connects at most once; `beforeDispatch` runs in the same synchronous stretch in which undici then writes the bytes. */
function guardedConnect(
  connect: Connect,
  flight: Flight,
  beforeDispatch: () => void,
  claim: (socket: Socket) => void,
): Connect {
  let used = false
  return (target, connected) => {
    const refuse = (failure: Error, socket?: Socket) => {
      flight.failure ??= failure
      socket?.destroy()
      connected(failure, null)
    }
    if (used) {
      refuse(new TransportFailure('connection', flight.sent, 'the connection broke off'))
      return undefined
    }
    used = true
    return connect(target, (failure, socket) => {
      if (failure !== null) {
        refuse(failure)
        return
      }
      const objection = flight.over ? limitFailure(false) : lastWord(beforeDispatch)
      if (objection !== undefined) {
        refuse(objection, socket)
        return
      }
      claim(socket)
      connected(null, socket)
    })
  }
}

function lastWord(beforeDispatch: () => void): TransportFailure | undefined {
  try {
    beforeDispatch()
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason given'
    return new TransportFailure('stopped', false, `stopped before it was sent: ${why}`, error)
  }
}

async function exchange<T>(
  clock: Clock,
  dispatcher: Client | Pool,
  request: WireRequest,
  receive: (reply: WireReply) => Promise<T>,
  flight: Flight,
): Promise<T> {
  const abort = new AbortController()
  const cancel = clock.after(request.limitMs, () => {
    flight.timedOut = true
    flight.over = true
    abort.abort()
  })
  let body: Dispatcher.ResponseData['body'] | undefined
  try {
    const reply = await dispatcher.request({
      method: request.method,
      path: request.path,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: abort.signal,
    })
    body = reply.body
    body.on('error', () => undefined)
    return await receive({ status: reply.statusCode, header: (name) => first(reply.headers[name]), body })
  } catch (error) {
    if (flight.failure !== undefined) throw flight.failure
    if (error instanceof TransportFailure) throw error
    if (flight.timedOut) throw limitFailure(flight.sent, request.limitMs)
    throw new TransportFailure('connection', flight.sent, `the connection broke off: ${codeOf(error)}`, error)
  } finally {
    flight.over = true
    cancel()
    body?.destroy()
  }
}

function limitFailure(sent: boolean, limitMs?: number): TransportFailure {
  const limit = limitMs === undefined ? 'the time limit' : `${limitMs / 1000} s`
  return new TransportFailure('limit', sent, `no complete answer within ${limit}`)
}

function first(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
