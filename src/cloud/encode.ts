/** Turns a request into path, headers and body, or says what is wrong with it before anything is sent. */
import type { CloudRequest, Field } from './request.ts'

/** Why a request cannot be sent at all. */
export interface Unsendable {
  readonly field: string
  readonly why: string
}

/** Cloud ids, addresses and bucket names; nothing that could leave its path segment. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/
const slugForm = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/

/** First segments of the service's own paths: as a slug they would make another route. */
const reservedSlugs = new Set(['user-resource', 'storage', 'network', 'config'])

/** The first problem of a request; undefined when it can be sent. */
export function unsendable(request: CloudRequest<unknown>): Unsendable | undefined {
  const { location } = request
  if (location !== undefined && (!slugForm.test(location) || reservedSlugs.has(location))) {
    return { field: 'location', why: 'is not a location slug' }
  }
  const badID = entries(request.ids).find(([, value]) => value !== undefined && !idForm.test(value))
  if (badID !== undefined)
    return { field: badID[0], why: 'is not an id or a name that this service could have given' }
  const blank = entries(request.texts).find(([, value]) => value.trim() === '')
  if (blank !== undefined) return { field: blank[0], why: 'must not be empty' }
  const broken = [...entries(request.texts), ...entries(request.query), ...entries(request.form)].find(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  )
  return broken === undefined ? undefined : { field: broken[0], why: 'is not well-formed text' }
}

/** The path with its query, every segment encoded. */
export function pathOf(request: CloudRequest<unknown>): string {
  const path = request.route.replaceAll(/\{(\w+)\}/g, (_, hole: string) => encoded(request.ids?.[hole] ?? ''))
  const query = encodeFields(request.query ?? {})
  const { location } = request
  return `${prefix(location === undefined ? undefined : encoded(location))}${path}${query === '' ? '' : `?${query}`}`
}

/** The path without any id: fit for a metric's label. */
export function routeOf(request: CloudRequest<unknown>): string {
  return `${prefix(request.location === undefined ? undefined : '{location}')}${request.route}`
}

function prefix(location: string | undefined): string {
  return location === undefined ? '/v1/' : `/v1/${location}/`
}

export interface EncodedBody {
  readonly type: string
  readonly text: string
}

/** The body as a form or as JSON; undefined when the request has none. */
export function bodyOf(request: CloudRequest<unknown>): EncodedBody | undefined {
  if (request.form !== undefined) {
    return { type: 'application/x-www-form-urlencoded', text: encodeFields(request.form) }
  }
  if (request.json === undefined) return undefined
  return { type: 'application/json', text: JSON.stringify(request.json) }
}

/** Percent-encoded throughout, a space as %20: the service does not decode `+`. */
function encodeFields(fields: Readonly<Record<string, Field>>): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encoded(name)}=${encoded(String(value))}`]))
    .join('&')
}

/** What is not well-formed is never sent; here it must only not be thrown at whoever says so. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function entries<V>(values: Readonly<Record<string, V>> | undefined): readonly (readonly [string, V])[] {
  return Object.entries(values ?? {})
}
