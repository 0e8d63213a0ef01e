/** What can go wrong in a request to the API server, by what the caller does next. */

/**
 * - `notSent`: certainly not dispatched (DNS, connect, TLS); repeat.
 * - `unclear`: may have happened (time-out, reset, 5xx, unreadable success); look again.
 * - `conflict`: the object has changed, is another one of the same name, or exists already, or the answer shows that the server was
 *   restored; read it again.
 * - `notFound`: no such object, or no such resource (`reason` tells: only an object's 404 has 'NotFound' and its name).
 * - `gone`: 410, the position in a list or watch is too old; relist.
 * - `invalid`: 400 or 422, what was sent breaks the schema or a rule; `causes` name the fields.
 * - `forbidden`, `unauthorized`: 403; 401 also with refreshed credentials.
 * - `throttled`: 429; `retryAfterMs` when the server gave one.
 * - `tooLarge`: the asked resourceVersion is above the server's (an etcd restore, or a lagging replica).
 * - `rejected`: any other refusal.
 */
export type KubeErrorClass =
  | 'notSent'
  | 'unclear'
  | 'conflict'
  | 'notFound'
  | 'gone'
  | 'invalid'
  | 'forbidden'
  | 'unauthorized'
  | 'throttled'
  | 'tooLarge'
  | 'rejected'

/** One entry of a Status' `details.causes`. */
export interface KubeErrorCause {
  readonly reason?: string
  readonly field?: string
  readonly message?: string
}

export interface KubeErrorFields {
  readonly status?: number
  readonly reason?: string
  readonly causes?: readonly KubeErrorCause[]
  readonly about?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly class: KubeErrorClass
  /** The HTTP status, when there was an answer. */
  readonly status?: number
  /** The `reason` of the server's Status. */
  readonly reason?: string
  readonly causes?: readonly KubeErrorCause[]
  /** The name of the object that the server's Status is about. */
  readonly about?: string
  readonly retryAfterMs?: number

  constructor(kind: KubeErrorClass, message: string, fields: KubeErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.class = kind
    if (fields.status !== undefined) this.status = fields.status
    if (fields.reason !== undefined) this.reason = fields.reason
    if (fields.causes !== undefined) this.causes = fields.causes
    if (fields.about !== undefined) this.about = fields.about
    if (fields.retryAfterMs !== undefined) this.retryAfterMs = fields.retryAfterMs
  }
}

/** Whether `error` is a KubeError of one of the classes. */
export function isKubeError(error: unknown, ...classes: readonly KubeErrorClass[]): error is KubeError {
  return error instanceof KubeError && (classes.length === 0 || classes.includes(error.class))
}
