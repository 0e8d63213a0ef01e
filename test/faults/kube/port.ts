/** A process's way to the modelled API server: delays, time limits, and what a plan makes go wrong. */
import { classifyAnswer, classifyFailure } from '../../../src/kube/classify.ts'
import type { KubeError } from '../../../src/kube/errors.ts'
import type { KubeRequest, KubeTransport, SendKube, WatchRequest } from '../../../src/kube/transport.ts'
import type { WriteEntry } from '../history.ts'
import { kubeLabel } from '../label.ts'
import type { AnswerTrouble, Trouble } from '../plan.ts'
import type { Process } from '../process.ts'
import type { Random } from '../random.ts'
import type { Scheduler } from '../scheduler.ts'
import type { Troubles } from '../troubles.ts'
import { createChannel } from './channel.ts'
import type { KubeModel } from './model.ts'
import { targetOf } from './resources.ts'
import type { KubeReply, KubeServer } from './server.ts'
import type { Streams } from './streams.ts'

export interface KubePortParts {
  readonly process: Process
  readonly scheduler: Scheduler
  readonly random: Random
  readonly troubles: Troubles
  readonly model: KubeModel
  readonly server: KubeServer
  readonly streams: Streams
  /** Troubles that concern more than this one call. */
  readonly meet: (trouble: Trouble, process: Process) => void
  readonly record: (entry: WriteEntry) => void
}

const REQUEST_MS = 30_000

export function createKubePort(parts: KubePortParts): KubeTransport {
  const { process, scheduler, random, streams } = parts
  const latencyMs = (): number => 0.5 + random.next() * 4

  const send: SendKube = (request) =>
    new Promise((resolve, reject) => {
      const flight = openFlight(parts, request, resolve, reject)
      const troubles = parts.troubles.meet('kube', flight.label)
      scheduler.after(latencyMs(), flight.label, () => arrive(parts, flight, troubles, latencyMs()))
    })

  const watch = (request: WatchRequest): Promise<AsyncIterable<Uint8Array>> =>
    new Promise((resolve, reject) => {
      const what = `watch ${request.resource}`
      const channel = createChannel()
      const broken = (): void => {
        const error = classifyFailure(what, new Error('aborted'))
        channel.fail(error)
        reject(error)
      }
      request.signal.addEventListener('abort', broken)
      for (const trouble of parts.troubles.meet('kube', what)) parts.meet(trouble, process)
      scheduler.after(latencyMs(), what, () => {
        if (!process.alive() || request.signal.aborted) return
        const target = targetOf(request.path)
        if (target === undefined) throw new Error(`the model cannot watch ${request.path}`)
        const stream = streams.open({
          resource: target.resource,
          namespace: target.namespace,
          from: Number(request.query['resourceVersion'] ?? 0),
          timeoutMs: Number(request.query['timeoutSeconds'] ?? 300) * 1_000,
          line: (text) => process.deliver(() => channel.push(Buffer.from(text))),
          end: () => process.deliver(() => channel.end()),
        })
        request.signal.addEventListener('abort', () => stream.close())
        scheduler.after(latencyMs(), what, () => process.deliver(() => resolve(channel.chunks)))
      })
    })

  return { send, dedicated: () => send, watch, close: () => Promise.resolve() }
}

interface Flight {
  readonly request: KubeRequest
  readonly label: string
  readonly leftAt: number
  answer(reply: KubeReply): void
  fail(error: KubeError): void
}

/** The caller's side of a request: the first of answer, failure, time limit and abort counts. */
function openFlight(
  { process, scheduler }: KubePortParts,
  request: KubeRequest,
  resolve: (body: unknown) => void,
  reject: (error: KubeError) => void,
): Flight {
  const what = `${request.verb} ${request.resource}`
  const settle = (act: () => void): void => {
    cancel()
    request.signal?.removeEventListener('abort', aborted)
    act()
  }
  const fail = (error: KubeError): void => settle(() => reject(error))
  const aborted = (): void => fail(classifyFailure(what, new Error('aborted')))
  const cancel = scheduler.after(request.timeoutMs ?? REQUEST_MS, 'limit', () =>
    process.deliver(() => fail(classifyFailure(what, new Error('no answer within the time limit')))),
  )
  request.signal?.addEventListener('abort', aborted)
  return {
    request,
    label: kubeLabel(request.verb, request.resource, targetOf(request.path)?.name),
    leftAt: scheduler.now(),
    answer: ({ status, text }) =>
      settle(() => {
        if (status >= 200 && status < 300) resolve(JSON.parse(text))
        else reject(classifyAnswer(what, status, text))
      }),
    fail,
  }
}

function arrive(parts: KubePortParts, flight: Flight, troubles: readonly Trouble[], backMs: number): void {
  const { process, scheduler } = parts
  if (!process.left(flight.leftAt)) return
  const kill = troubles.find((each) => 'kill' in each)
  if (kill?.kill === 'before') {
    parts.meet(kill, process)
    return
  }
  if (kill?.kill === 'arrived') parts.meet(kill, process)
  for (const trouble of troubles) if (trouble !== kill) parts.meet(trouble, process)
  const wrong = troubles.find((each) => 'answer' in each)
  if (wrong === undefined) {
    const reply = carryOut(parts, flight)
    if (kill?.kill === 'committed') parts.meet(kill, process)
    scheduler.after(backMs, 'answer', () => {
      process.deliver(() => flight.answer(reply))
      if (kill?.kill === 'answered') parts.meet(kill, process)
    })
    return
  }
  if (wrong.effect === 'done') carryOut(parts, flight)
  else if (wrong.effect !== 'never')
    scheduler.after(wrong.effect.afterMs, 'late effect', () => void carryOut(parts, flight))
  if (wrong.answer === 'hang') return
  scheduler.after(backMs, 'wrong answer', () => process.deliver(() => spoil(flight, wrong.answer)))
}

function spoil(flight: Flight, trouble: AnswerTrouble): void {
  const what = `${flight.request.verb} ${flight.request.resource}`
  if (typeof trouble === 'object') {
    const { status, retryAfterSeconds } = trouble
    const reason = status === 409 ? 'Conflict' : 'InternalError'
    const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }
    const body = { kind: 'Status', status: 'Failure', message: 'trouble', reason, code: status, ...details }
    flight.answer({ status, text: JSON.stringify(body) })
  } else if (trouble === 'notSent') {
    flight.fail(classifyFailure(what, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
  } else {
    flight.fail(classifyFailure(what, Object.assign(new Error('reset'), { code: 'ECONNRESET' })))
  }
}

/** The request at the server, and its line in the history. */
function carryOut({ server, model, process, scheduler, record }: KubePortParts, flight: Flight): KubeReply {
  const { method, path, query = {}, body } = flight.request
  const target = targetOf(path)
  const name = target?.name
  const known = method === 'GET' || target === undefined || name === undefined
  const before = known ? undefined : model.get(target.resource, target.namespace, name)
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const reply = server.ask({ method, path, query, body: sent === undefined ? undefined : JSON.parse(sent) })
  if (method === 'GET') return reply
  const after = reply.object
  const there =
    after !== undefined &&
    target !== undefined &&
    model.get(target.resource, target.namespace, after.metadata.name)
  record({
    is: 'write',
    at: scheduler.now(),
    process: process.number,
    label: flight.label,
    kind: target?.resource.kind ?? '',
    name: name ?? after?.metadata.name ?? '',
    status: reply.status,
    ...(before !== undefined && { before }),
    ...(after !== undefined && there && { after }),
    body: sent ?? '',
  })
  return reply
}
