/**
 * A client of the service as a stranger would write it: from the tables of the interface alone, one file per family, over
 * plain fetch. Nothing here comes from the operator's own client or from the simulator, so that a misreading shows.
 * Field names are the service's. This file carries one request; what it may say and answer is the families' matter.
 */

/** What the other side is held to: the interface as it stands, or with what deployments add and leave out. */
export type Dialect = 'documented' | 'deployed'

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Input {
  /** Values of the `{…}` in the path. */
  path?: Readonly<Record<string, string>>
  query?: Fields
  form?: Fields
  json?: object
}

export interface Answer {
  operation: string
  status: number
  contentType: string
  text: string
}

export interface Wire {
  readonly dialect: Dialect
  /** Sends an operation, named `METHOD /path/{parameter}` without the version; rejects with Refused unless 2xx. */
  readonly send: (operation: string, input?: Input) => Promise<Answer>
}

export interface WireOptions {
  baseUrl: string
  apiKey: string
  dialect: Dialect
  /** A location's slug for the path form /v1/{slug}/…; empty: /v1/… */
  slug?: string
  /** Is told of every operation that succeeded. */
  onSuccess?: (operation: string) => void
}

/** An answer outside 2xx. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown

  constructor({ operation, status, text }: Answer) {
    super(`${operation}: ${status} ${text}`)
    this.name = 'Refused'
    this.status = status
    this.body = text === '' ? undefined : JSON.parse(text)
  }
}

export function connect({ baseUrl, apiKey, dialect, slug = '', onSuccess }: WireOptions): Wire {
  const prefix = slug === '' ? `${baseUrl}/v1` : `${baseUrl}/v1/${slug}`
  return {
    dialect,
    send: async (operation, { path = {}, query, form, json } = {}) => {
      const [method = '', template = ''] = operation.split(' ')
      const filled = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
        encodeURIComponent(path[name] ?? ''),
      )
      const search = query === undefined ? '' : encode(query)
      const response = await fetch(`${prefix}${filled}${search && `?${search}`}`, {
        method,
        headers: { apikey: apiKey, ...contentTypeOf(form, json) },
        redirect: 'error',
        ...(form !== undefined && { body: encode(form) }),
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      const answer: Answer = {
        operation,
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        text: await response.text(),
      }
      if (!response.ok) throw new Refused(answer)
      onSuccess?.(operation)
      return answer
    },
  }
}

function contentTypeOf(form: Fields | undefined, json: object | undefined): Record<string, string> {
  if (form !== undefined) return { 'content-type': 'application/x-www-form-urlencoded' }
  return json === undefined ? {} : { 'content-type': 'application/json' }
}

/** Percent-encoded throughout: a space is %20. */
function encode(fields: Fields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    )
    .join('&')
}
