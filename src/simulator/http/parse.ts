/**
 * Decoding of a request's query and body as the service does it: percent-encoding only. A `+` stays a `+`, so text sent
 * by a client that writes spaces that way arrives damaged. A parameter that is given twice is refused: either could be meant.
 */
import { Refusal } from '../state/refusal.ts'
import { isObject } from './fields.ts'

/** What a route reads from a request's body. */
export type BodyType = 'none' | 'form' | 'json' | 'either'

/** Decodes `a=b&c=d`. */
export function parseForm(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    add(values, name, at < 0 ? '' : decode(pair.slice(at + 1)))
  }
  return values
}

function add(values: Record<string, unknown>, name: string, value: string): void {
  if (Object.hasOwn(values, name)) givenTwice(name)
  values[name] = value
}

function givenTwice(name: string): never {
  throw new Refusal('Given more than once', { field: name })
}

/**
 * The body's parameters. A body of a type that the route does not read is ignored, so that what the operation requires is
 * missing. Where it requires nothing, `mustRead`, that would lose the body without a word, and is refused with 415.
 */
export function parseBody(
  type: BodyType,
  contentType: string,
  body: string,
  mustRead: boolean,
): Record<string, unknown> {
  const sent = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const readsJson = type === 'json' || type === 'either'
  const readsForm = type === 'form' || type === 'either'
  if (readsJson && sent === 'application/json') return body === '' ? {} : parseJson(body)
  if (readsForm && sent === formType) return parseForm(body)
  if (readsForm && sent === 'multipart/form-data') return parseMultipart(contentType, body)
  if (mustRead && body !== '')
    throw new Refusal(`Must be ${readsForm ? formType : 'application/json'}`, {
      field: 'content-type',
      status: 415,
    })
  return {}
}

const formType = 'application/x-www-form-urlencoded'

function parseJson(body: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new Refusal('Malformed JSON request body')
  }
  if (!isObject(value)) throw new Refusal('The request body must be a JSON object')
  checkNames(body)
  return value
}

/** Refuses a JSON object that names a field twice: once it is parsed, the first of the two is gone. */
function checkNames(json: string): void {
  const names = new Set<string>()
  let depth = 0
  for (const [token, text, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*(:)?|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (text === undefined || colon === undefined || depth !== 1) continue
    const name = JSON.parse(text) as string
    if (names.has(name)) givenTwice(name)
    names.add(name)
  }
}

function parseMultipart(contentType: string, body: string): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  const values: Record<string, unknown> = {}
  if (boundary === undefined) return values
  for (const part of body.split(`--${boundary}`)) {
    const headEnd = part.indexOf('\r\n\r\n')
    if (headEnd < 0 || !part.startsWith('\r\n') || !part.endsWith('\r\n')) continue
    const name = /name="([^"]*)"/i.exec(part.slice(0, headEnd))?.[1]
    if (name !== undefined) add(values, name, part.slice(headEnd + 4, -2))
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
