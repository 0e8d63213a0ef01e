/**
 * The door of the service without any socket: one request in, one outcome out. The HTTP server is a thin shell over it,
 * and rigs that run everything in one process call it as it is.
 */
import type { Reply } from './route.ts'
import { answerOf, type RawAnswer, type RawRequest } from './raw.ts'

export interface ServeRequest {
  method: string
  /** Path and query, as in the request line. */
  target: string
  /** Names in any case; of several values of one name the first counts. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  body?: string | Uint8Array
  /** Aborts when the client goes away. */
  signal?: AbortSignal
  /** The same for a carrier that calls back: cheaper than a signal for each request. */
  onGone?: (callback: () => void) => void
}

/** What the client sees. A fault or hold that delays only makes the promise of it later. */
export type Served =
  | ServedAnswer
  /** The connection is reset without an answer. */
  | { outcome: 'reset' }
  /** No answer ever comes, and the connection stays open. */
  | { outcome: 'hang' }

export interface ServedAnswer {
  /** 'truncated': the body ends in the middle, short of its content-length, and the connection with it. (Half of an
   * answer without a body is no answer: that is 'reset'.) */
  outcome: 'answered' | 'truncated'
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** As much of it as arrives. */
  body: string
}

/** Bytes of the largest body that is read; a larger one is answered with 413. */
export const largestBody = 8 * 2 ** 20

/** Carries one request through the given exchange. Never rejects: a bug of the simulator is an answer of status 500. */
export async function serve(
  exchange: (request: RawRequest) => Promise<RawAnswer>,
  request: ServeRequest,
): Promise<Served> {
  const reply = await exchange(rawOf(request)).catch((error: unknown) => answerOf('', bug(error)))
  if (reply.kind !== 'answer') return { outcome: reply.kind }
  const { status, truncate } = reply
  const body = request.method === 'HEAD' ? '' : reply.body
  const headers =
    status === 204 ? reply.headers : { ...reply.headers, 'content-length': lengthOf(reply.body) }
  if (!truncate) return { outcome: 'answered', status, headers, body }
  if (body === '') return { outcome: 'reset' }
  return { outcome: 'truncated', status, headers, body: body.slice(0, Math.floor(body.length / 2)) }
}

/** The answer that shows a bug of the simulator itself. */
export function bug(error: unknown): Reply {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 500, body: { message: `simulator bug: ${text}` } }
}

function rawOf({ method, target, headers = {}, body = '', signal, onGone }: ServeRequest): RawRequest {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const tooLarge = bytes > largestBody
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return {
    method,
    url: target,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        typeof value === 'string' ? value : value?.[0],
      ]),
    ),
    body: tooLarge ? '' : text,
    tooLarge,
    onGone: (callback) => {
      onGone?.(callback)
      if (signal?.aborted === true) callback()
      else signal?.addEventListener('abort', callback, { once: true })
    },
  }
}

function lengthOf(body: string): string {
  return String(Buffer.byteLength(body))
}
