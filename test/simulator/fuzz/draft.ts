/** A call as it is drawn up, and how it becomes a request. */
import type { ServeRequest } from '../../../src/simulator/http/serve.ts'
import type { Operation, Values } from './operation.ts'

/** How text stands in a form or query: as it should, with `+` for spaces, with every byte encoded, or in small letters. */
export type Encoding = 'percent' | 'plus' | 'everything' | 'smallHex'

export interface Draft {
  operation: Operation
  method: string
  version: string
  slug: string | undefined
  /** Segments, not yet encoded. */
  path: string[]
  query: [string, unknown][]
  body: [string, unknown][]
  sends: Operation['sends'] | 'multipart'
  encoding: Encoding
  contentType: string | undefined
  /** In place of the body's fields. */
  rawBody: string | Uint8Array | undefined
  /** In place of the encoded path. */
  rawPath: string | undefined
  key: string | undefined
  /** What was done to it, for the report. */
  distorted: string[]
}

export function requestOf(draft: Draft): ServeRequest {
  const segments = [draft.version, ...(draft.slug === undefined ? [] : [draft.slug]), ...draft.path]
  const path = draft.rawPath ?? `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`
  const query = draft.query.length === 0 ? '' : `?${formOf(draft.query, draft.encoding)}`
  const type = draft.contentType
  return {
    method: draft.method,
    target: path + query,
    headers: {
      ...(draft.key !== undefined && { apikey: draft.key }),
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(draft.method !== 'GET' && { body: draft.rawBody ?? bodyOf(draft) }),
  }
}

export const contentTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=----line',
  nothing: undefined,
} as const

function bodyOf({ sends, body, encoding }: Draft): string {
  switch (sends) {
    case 'nothing':
      return ''
    case 'form':
      return formOf(body, encoding)
    case 'json':
      return `{${body.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(',')}}`
    case 'multipart':
      return `${body.map(([name, value]) => `------line\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${textOf(value)}\r\n`).join('')}------line--\r\n`
  }
}

/** A string that is put into JSON as it is. */
export interface RawJson {
  rawJson: string
}

function jsonOf(value: unknown): string {
  if (isRawJson(value)) return value.rawJson
  return value === undefined ? 'null' : JSON.stringify(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

function isRawJson(value: unknown): value is RawJson {
  return typeof value === 'object' && value !== null && 'rawJson' in value
}

function formOf(fields: readonly [string, unknown][], encoding: Encoding): string {
  return fields
    .map(([name, value]) => `${encoded(name, encoding)}=${encoded(textOf(value), encoding)}`)
    .join('&')
}

function encoded(text: string, encoding: Encoding): string {
  switch (encoding) {
    case 'percent':
      return encodeURIComponent(text)
    case 'plus':
      return encodeURIComponent(text).replaceAll('%20', '+')
    case 'smallHex':
      return encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase())
    case 'everything':
      return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  }
}

export function fieldsOf(values: Values | undefined): [string, unknown][] {
  return Object.entries(values ?? {})
}
