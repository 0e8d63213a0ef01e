/** The one place where an answer or a failure becomes a KubeError. */
import { CredentialsError } from './credentials.ts'
import { KubeError, type KubeErrorCause, type KubeErrorClass } from './errors.ts'

/** What `details` and the rest of a Kubernetes Status say, each part only if it has the right type. */
export interface StatusBody {
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly causes?: readonly KubeErrorCause[]
  readonly about?: string
  readonly retryAfterMs?: number
}

/** An answer that is no 2xx. `what` names the request. */
export function classifyAnswer(what: string, status: number, text: string, retryAfter?: string): KubeError {
  const body = readStatus(parseJson(text))
  const message = body.message ?? (text.slice(0, 200).trim() || 'no body')
  const retryAfterMs = secondsToMs(retryAfter) ?? body.retryAfterMs
  return statusError(`${what}: ${status} ${message}`, status, {
    ...body,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** The object of an ERROR event in a watch. */
export function classifyStatus(what: string, object: unknown): KubeError {
  const body = readStatus(object)
  const status = body.code ?? 500
  return statusError(`${what}: ${status} ${body.message ?? 'no message'}`, status, body)
}

function statusError(message: string, status: number, body: StatusBody): KubeError {
  const { reason, causes, about, retryAfterMs } = body
  return new KubeError(classOf(status, body), message, {
    status,
    ...(reason !== undefined && { reason }),
    ...(causes !== undefined && { causes }),
    ...(about !== undefined && { about }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function classOf(status: number, body: StatusBody): KubeErrorClass {
  const hasCause = (reason: string) => body.causes?.some((cause) => cause.reason === reason) ?? false
  if (hasCause('ResourceVersionTooLarge')) return 'tooLarge'
  // A wrong uid in a patch of the main resource: the object of that name is another one.
  if (status === 422 && body.causes?.some((cause) => cause.field === 'metadata.uid') === true)
    return 'conflict'
  if (status >= 500 || status < 400 || status === 408) return 'unclear'
  return CLASS_BY_STATUS[status] ?? 'rejected'
}

const CLASS_BY_STATUS: Readonly<Record<number, KubeErrorClass>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'gone',
  413: 'invalid',
  422: 'invalid',
  429: 'throttled',
}

/** No answer, or not a whole one. Anything that is not certainly "never sent" is unclear. */
export function classifyFailure(what: string, error: unknown): KubeError {
  if (error instanceof KubeError) return error
  const kind = certainlyNotSent(error) ? 'notSent' : 'unclear'
  return new KubeError(kind, `${what}: ${describe(error)}`, { cause: error })
}

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

function certainlyNotSent(error: unknown): boolean {
  if (error instanceof CredentialsError) return true
  const { code, syscall } = fieldsOf(error)
  return (
    (typeof code === 'string' && NOT_SENT.has(code)) || syscall === 'connect' || syscall === 'getaddrinfo'
  )
}

/** Some connection errors have an empty message and only a code. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = fieldsOf(error)
  if (error.message !== '') return error.message
  return typeof code === 'string' ? code : error.name
}

/** Reads a Status, whatever it was given. */
export function readStatus(value: unknown): StatusBody {
  const status = fieldsOf(value)
  const details = fieldsOf(status['details'])
  const causes = Array.isArray(details['causes'])
    ? (details['causes'] as unknown[]).map(readCause)
    : undefined
  const retryAfterMs = secondsToMs(details['retryAfterSeconds'])
  return {
    ...text('message', status['message']),
    ...text('reason', status['reason']),
    ...(typeof status['code'] === 'number' && { code: status['code'] }),
    ...(causes !== undefined && { causes }),
    ...text('about', details['name']),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function readCause(value: unknown): KubeErrorCause {
  const cause = fieldsOf(value)
  return {
    ...text('reason', cause['reason']),
    ...text('field', cause['field']),
    ...text('message', cause['message']),
  }
}

function text<N extends string>(name: N, value: unknown): { readonly [K in N]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { readonly [K in N]?: string }) : {}
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function secondsToMs(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

/** Undefined when it is no JSON. */
export function parseJson(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}
