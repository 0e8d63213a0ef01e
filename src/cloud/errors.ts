/** CloudError and the single table that makes one from a reply or a transport failure. */
import type { ErrorWords } from './error-words.ts'
import { saysGone, saysNoRoute } from './gone.ts'
import type { ExactKind } from './gone.ts'
import { showable } from './redact.ts'
import type { TransportFailure } from './wire.ts'

export type CloudErrorClass = 'notSent' | 'unclear' | 'refused' | 'absent' | 'busy' | 'slowDown' | 'denied'

export type Family =
  | 'user'
  | 'token'
  | 'config'
  | 'pool'
  | 'vm'
  | 'vmStorage'
  | 'disk'
  | 'bucket'
  | 'objectStorage'
  | 'network'
  | 'floatingIP'
  | 'loadBalancer'

export interface CloudErrorFacts {
  readonly class: CloudErrorClass
  readonly text: string
  readonly method: string
  readonly path: string
  readonly sent: boolean
  readonly status?: number | undefined
  readonly field?: string | undefined
  readonly correlationID?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly missingRoute?: boolean
  readonly nameTaken?: boolean
  readonly cause?: unknown
}

/** A call that did not succeed; `class` says what the caller does next. */
export class CloudError extends Error {
  override readonly name = 'CloudError'
  readonly class: CloudErrorClass
  readonly status?: number
  /** From `errors.<field>`, or the parameter that failed local validation, or `route`. */
  readonly field?: string
  /** The service's own words: at most 512 characters, no control characters, no secret that was sent. */
  readonly text: string
  readonly correlationID?: string
  readonly retryAfterMs?: number
  readonly method: string
  readonly path: string
  /** False only when the request's headers certainly never left. */
  readonly sent: boolean
  /** The service has no such route (or the location slug is wrong): says nothing about the resource. */
  readonly missingRoute: boolean
  /** A bucket create met a name that is taken. */
  readonly nameTaken: boolean

  constructor(facts: CloudErrorFacts) {
    const status = facts.status === undefined ? '' : ` (${facts.status})`
    super(
      `${facts.method} ${facts.path}: ${facts.class}${status}: ${facts.text}`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    )
    this.class = facts.class
    this.text = facts.text
    this.method = facts.method
    this.path = facts.path
    this.sent = facts.sent
    this.missingRoute = facts.missingRoute ?? false
    this.nameTaken = facts.nameTaken ?? false
    if (facts.status !== undefined) this.status = facts.status
    if (facts.field !== undefined) this.field = facts.field
    if (facts.correlationID !== undefined) this.correlationID = facts.correlationID
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs
  }
}

/** True for a CloudError of this class. */
export function isCloudError(error: unknown, cloudClass: CloudErrorClass): error is CloudError {
  return error instanceof CloudError && error.class === cloudClass
}

/** What was asked. */
export interface CallFacts {
  readonly method: string
  readonly path: string
  readonly family: Family
  /** The call changes something (or may): a lost reply then means "unclear". */
  readonly mutation: boolean
  readonly exact?: { readonly kind: ExactKind; readonly id: string } | undefined
  /** Everything secret that travelled, the API key included. */
  readonly secrets: readonly string[]
}

/** A complete reply. */
export interface ReplyFacts {
  readonly status: number
  /** Of a 2xx: why its body is not what the endpoint answers; absent when it is. */
  readonly unreadable?: string | undefined
  /** Of any other status: the service's words; absent when the body is no complete error of a known shape. */
  readonly words?: ErrorWords | undefined
  readonly correlationID?: string | undefined
  readonly retryAfterMs?: number | undefined
}

export type Outcome = { readonly failure: TransportFailure } | { readonly reply: ReplyFacts }

interface Verdict {
  readonly class: CloudErrorClass
  readonly field?: string
  readonly missingRoute?: true
  readonly nameTaken?: true
}

/** One row: the first whose condition holds decides. */
interface Row {
  readonly when: (call: CallFacts, reply: ReplyFacts) => boolean
  readonly then: Verdict | ((reply: ReplyFacts) => Verdict)
}

const refused = (reply: ReplyFacts): Verdict => ({
  class: 'refused',
  ...(reply.words?.field === undefined ? {} : { field: reply.words.field }),
})
const missingRoute: Verdict = { class: 'refused', field: 'route', missingRoute: true }

const table: readonly Row[] = [
  // A 2xx that is not what the endpoint answers: it may have happened, or somebody else has answered.
  { when: (_, r) => within(r, 200, 299), then: { class: 'unclear' } },
  { when: (c, r) => within(r, 300, 399) && c.mutation, then: { class: 'unclear' } },
  { when: (_, r) => within(r, 300, 399), then: refused },
  { when: (_, r) => r.status === 401 || r.status === 403, then: { class: 'denied' } },
  { when: (_, r) => r.status === 429, then: { class: 'slowDown' } },
  { when: (c, r) => r.status === 503 && !c.mutation, then: { class: 'slowDown' } },
  { when: (_, r) => r.status === 408 || !within(r, 400, 499), then: { class: 'unclear' } },
  {
    when: (c, r) => r.status === 409 && c.family === 'bucket' && c.method === 'PUT',
    then: (r) => ({ ...refused(r), nameTaken: true }),
  },
  { when: (_, r) => r.status === 409 || r.status === 425, then: { class: 'busy' } },
  { when: (_, r) => r.status === 404 && r.words !== undefined && saysNoRoute(r.words), then: missingRoute },
  // The web framework's own page: the API has not even been reached.
  { when: (_, r) => r.status === 404 && r.words?.shape === 'framework', then: missingRoute },
  { when: (_, r) => r.status === 405 && r.words !== undefined, then: missingRoute },
  { when: isGone, then: { class: 'absent' } },
  // Without a complete error body somebody else than the service may have answered.
  { when: (c, r) => c.mutation && r.words === undefined, then: { class: 'unclear' } },
  { when: () => true, then: refused },
]

function isGone({ exact }: CallFacts, { status, words }: ReplyFacts): boolean {
  return exact !== undefined && words !== undefined && saysGone(exact.kind, exact.id, status, words)
}

/** The single place where an outcome becomes an error; undefined means success. */
export function classify(call: CallFacts, outcome: Outcome): CloudError | undefined {
  if ('failure' in outcome) return fromFailure(call, outcome.failure)
  const { reply } = outcome
  if (within(reply, 200, 299) && reply.unreadable === undefined) return undefined
  const then = table.find((row) => row.when(call, reply))?.then ?? refused
  const { field, ...verdict } = typeof then === 'function' ? then(reply) : then
  return new CloudError({
    ...verdict,
    field: field === undefined ? undefined : word(field, call.secrets),
    method: call.method,
    path: call.path,
    text: showable(reply.words?.text ?? reply.unreadable ?? 'no readable error body', call.secrets),
    sent: true,
    status: reply.status,
    correlationID: reply.correlationID === undefined ? undefined : word(reply.correlationID, call.secrets),
    retryAfterMs: reply.retryAfterMs,
  })
}

const longestWord = 128

/** A word of the service's that is no text: an answer can echo a secret there as well. */
function word(text: string, secrets: readonly string[]): string {
  return showable(text, secrets).slice(0, longestWord)
}

function fromFailure(call: CallFacts, failure: TransportFailure): CloudError {
  return new CloudError({
    class: failure.sent ? 'unclear' : 'notSent',
    method: call.method,
    path: call.path,
    text: showable(failure.message, call.secrets),
    sent: failure.sent,
    cause: failure,
  })
}

function within(reply: ReplyFacts, from: number, to: number): boolean {
  return reply.status >= from && reply.status <= to
}
