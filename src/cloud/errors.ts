/** CloudError and the single table that makes one from a reply or a transport failure. */

export type CloudErrorClass = 'notSent' | 'unclear' | 'refused' | 'absent' | 'busy' | 'slowDown' | 'denied'

export type Family =
  | 'user'
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

export type ExactKind = 'vm' | 'disk' | 'bucket' | 'network' | 'floatingIP' | 'loadBalancer'

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
