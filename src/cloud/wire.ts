/** What the client needs from a transport: one exchange at a time, and whether its request certainly never left. */

export interface WireRequest {
  readonly method: string
  /** With the query, encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** From the dispatch to the last byte of the reply. */
  readonly limitMs: number
  /**
   * Only for mutations: a connection of its own, and a last word right before the bytes leave. Throws to stop it.
   */
  readonly beforeDispatch?: () => void
}

export interface WireReply {
  readonly status: number
  /** By lower-case name; the first value of a repeated one. */
  readonly header: (name: string) => string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

export interface Transport {
  /** Sends once. `receive` reads the body within the time limit. Rejects with a TransportFailure only. */
  exchange<T>(request: WireRequest, receive: (reply: WireReply) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** stopped: by `beforeDispatch`; connection: broke off, at any time after the connection stood. */
export type FailureKind = 'connect' | 'stopped' | 'limit' | 'connection'

/** No complete reply came. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly kind: FailureKind
  /** False only when the request's headers certainly never left. */
  readonly sent: boolean

  constructor(kind: FailureKind, sent: boolean, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.sent = sent
  }
}
