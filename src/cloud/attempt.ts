/** One request, once: checked, through the budget, out, and its outcome classified. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { BudgetClosed } from './budget.ts'
import type { Budget, Slot } from './budget.ts'
import { bodyOf, pathOf, routeOf, unsendable } from './encode.ts'
import { classify, CloudError } from './errors.ts'
import type { CallFacts, CloudErrorClass } from './errors.ts'
import { receive } from './receive.ts'
import type { Received } from './receive.ts'
import type { CloudRequest, Lane, Send } from './request.ts'
import { TransportFailure } from './wire.ts'
import type { Transport, WireRequest } from './wire.ts'

/** One attempt, as it ended. `route` is the path without any id, fit for a metric's label. */
export interface ObservedCall {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly route: string
  readonly status?: number
  readonly class?: CloudErrorClass
  readonly durationMs: number
  readonly operationID?: string
}

/** How a call goes out. */
export interface Dispatch {
  readonly lane: Lane
  readonly limitMs: number
  /** Present for mutations. */
  readonly send?: Send
  readonly onDispatch?: (() => void) | undefined
}

export interface AttemptParts {
  readonly apiKey: string
  readonly clock: Clock
  readonly transport: Transport
  readonly budget: Budget
  readonly observeCall?: ((call: ObservedCall) => void) | undefined
  readonly say?: Log | undefined
}

/** Rejects with a CloudError only. */
export type Attempt = <T>(request: CloudRequest<T>, dispatch: Dispatch) => Promise<T>

type Exchanged<T> = { readonly failure: TransportFailure } | Received<T>

const apiKeyForm = /^[\x21-\x7e]+$/
const operationIdForm = /^[\w.:-]{1,128}$/

/** Carries single requests of one API key out. */
export function createAttempt(parts: AttemptParts): Attempt {
  const { apiKey, clock, transport, budget } = parts
  const pauseFor = createPauses()

  return async (request, dispatch) => {
    const call = factsOf(request, dispatch, apiKey)
    refuseUnsendable(request, dispatch, call)
    const wire = wireRequest(request, dispatch, call, apiKey)
    const slot = await slotFor(budget, dispatch.lane, call)
    const startedAt = clock.monotonic()
    dispatch.onDispatch?.()
    const outcome = await exchange(transport, wire, request, clock, slot)
    const error = classify(call, outcome)
    observe(parts, request, call, dispatch, outcome, error, clock.monotonic() - startedAt)
    const pauseMs = pauseFor(dispatch.lane, error)
    if (pauseMs !== undefined) budget.pause(dispatch.lane, pauseMs)
    if (error !== undefined) throw error
    if ('result' in outcome) return outcome.result.value
    throw new TypeError('a success came without a result')
  }
}

function factsOf(request: CloudRequest<unknown>, dispatch: Dispatch, apiKey: string): CallFacts {
  return {
    method: request.method,
    path: pathOf(request),
    family: request.family,
    mutation: dispatch.send !== undefined,
    exact: request.exact,
    secrets: [apiKey, ...(request.secrets ?? [])],
  }
}

function refuseUnsendable(request: CloudRequest<unknown>, { send }: Dispatch, call: CallFacts): void {
  if (!apiKeyForm.test(call.secrets[0] ?? ''))
    throw notSent(call, 'the API key cannot be sent as a header', 'apiKey')
  const problem = unsendable(request)
  if (problem !== undefined) throw notSent(call, `${problem.field} ${problem.why}`, problem.field)
  if (send !== undefined && !operationIdForm.test(send.operationID)) {
    throw notSent(call, 'the operation id cannot be sent as a header', 'operationID')
  }
}

function notSent(call: CallFacts, text: string, field?: string): CloudError {
  return new CloudError({ class: 'notSent', method: call.method, path: call.path, text, field, sent: false })
}

function wireRequest(
  request: CloudRequest<unknown>,
  { limitMs, send }: Dispatch,
  call: CallFacts,
  apiKey: string,
): WireRequest {
  const body = bodyOf(request)
  return {
    method: request.method,
    path: call.path,
    headers: {
      apikey: apiKey,
      accept: 'application/json',
      'user-agent': 'cloud-operator',
      ...(body === undefined ? {} : { 'content-type': body.type }),
      ...(send === undefined ? {} : { 'x-operation-id': send.operationID }),
    },
    body: body?.text,
    limitMs,
    ...(send === undefined ? {} : { beforeDispatch: send.beforeDispatch }),
  }
}

async function slotFor(budget: Budget, lane: Lane, call: CallFacts): Promise<Slot> {
  try {
    return await budget.acquire(lane)
  } catch (error) {
    if (error instanceof BudgetClosed) throw notSent(call, error.message)
    throw error
  }
}

async function exchange<T>(
  transport: Transport,
  wire: WireRequest,
  request: CloudRequest<T>,
  clock: Clock,
  slot: Slot,
): Promise<Exchanged<T>> {
  try {
    return await transport.exchange(wire, (reply) => receive(reply, request.answer, clock))
  } catch (failure) {
    if (failure instanceof TransportFailure) return { failure }
    throw failure
  } finally {
    slot.release()
  }
}

function observe(
  { observeCall, say }: AttemptParts,
  request: CloudRequest<unknown>,
  call: CallFacts,
  dispatch: Dispatch,
  outcome: Exchanged<unknown>,
  error: CloudError | undefined,
  durationMs: number,
): void {
  const observed: ObservedCall = {
    method: call.method,
    path: call.path.replace(/\?.*$/, ''),
    route: routeOf(request),
    durationMs,
    ...('reply' in outcome ? { status: outcome.reply.status } : {}),
    ...(error === undefined ? {} : { class: error.class }),
    ...(dispatch.send === undefined ? {} : { operationID: dispatch.send.operationID }),
  }
  observeCall?.(observed)
  const failure = error === undefined ? {} : { text: error.text, correlationID: error.correlationID }
  say?.debug({ ...observed, ...failure }, 'cloud call')
}

/** Pause of a lane when the service does not say how long: doubled each time in a row. */
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Says how long a lane pauses after this outcome; undefined for not at all. */
function createPauses(): (lane: Lane, error: CloudError | undefined) => number | undefined {
  const inARow: Record<Lane, number> = { change: 0, slow: 0, poll: 0 }
  return (lane, error) => {
    if (error === undefined || (error.class !== 'slowDown' && error.status !== 503)) {
      inARow[lane] = 0
      return undefined
    }
    const ownMs = Math.min(firstPauseMs * 2 ** inARow[lane], longestPauseMs)
    inARow[lane] += 1
    return error.retryAfterMs ?? ownMs
  }
}
