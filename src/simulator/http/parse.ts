/**
 * Decoding of a request's query and body as the service does it: percent-encoding only. A `+` stays a `+`, so text sent
 * by a client that writes spaces that way arrives damaged.
 */
import { Refusal } from '../state/refusal.ts'
import { isObject } from './fields.ts'

/** What a route reads from a request's body; a body of another type is ignored. */
export type BodyType = 'none' | 'form' | 'json' | 'either'

/** Decodes `a=b&c=d`; of a repeated name the first counts. */
export function parseForm(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    if (!Object.hasOwn(values, name)) values[name] = at < 0 ? '' : decode(pair.slice(at + 1))
  }
  return values
}

/** The body's parameters, or none where the type is not the one the route reads. */
export function parseBody(type: BodyType, contentType: string, body: string): Record<string, unknown> {
  const sent = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const readsJson = type === 'json' || type === 'either'
  if (readsJson && sent === 'application/json') return body === '' ? {} : parseJson(body)
  const readsForm = type === 'form' || type === 'either'
  if (!readsForm) return {}
  if (sent === 'application/x-www-form-urlencoded') return parseForm(body)
  return sent === 'multipart/form-data' ? parseMultipart(contentType, body) : {}
}

function parseJson(body: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Refusal('Malformed JSON request body')
  }
  if (isObject(value)) return value
  throw new Refusal('The request body must be a JSON object')
}

function parseMultipart(contentType: string, body: string): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  const values: Record<string, unknown> = {}
  if (boundary === undefined) return values
  for (const part of body.split(`--${boundary}`)) {
    const match = /^\r\n([\s\S]*?)\r\n\r\n([\s\S]*)\r\n$/.exec(part)
    const name = /name="([^"]*)"/i.exec(match?.[1] ?? '')?.[1]
    if (name !== undefined && !Object.hasOwn(values, name)) values[name] = match?.[2] ?? ''
  }
  return values
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('Malformed percent-encoding in the request')
  }
}

/** Decodes one segment of a path; undefined when it is malformed. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
