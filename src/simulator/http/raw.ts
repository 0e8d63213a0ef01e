/** Requests and answers as the exchange takes and gives them; http/serve.ts is the door in front of it. */
import type { Reply } from './route.ts'

export interface RawRequest {
  method: string
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** The body is over the limit and was dropped. */
  tooLarge: boolean
  /** Calls back when the client goes away before its answer. */
  onGone(callback: () => void): void
}

export type RawAnswer = WholeAnswer | { kind: 'reset' } | { kind: 'hang' }

export interface WholeAnswer {
  kind: 'answer'
  status: number
  headers: Record<string, string>
  body: string
  /** Half of the body, then the connection ends. */
  truncate: boolean
}

/** The reply as JSON text; no body where the reply has none. */
export function answerOf(correlationId: string, reply: Reply): WholeAnswer {
  const headers: Record<string, string> = { 'x-correlation-id': correlationId }
  const body = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  if (body !== '') headers['content-type'] = 'application/json'
  return { kind: 'answer', status: reply.status, headers, body, truncate: false }
}
