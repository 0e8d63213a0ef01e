/** What a route is, and how a request's path finds one. */
import { findLocation, defaultLocation } from '../state/locations.ts'
import type { Caller, Profile } from '../state/model.ts'
import type { Rules } from '../state/rules.ts'
import type { Family } from './errors.ts'
import type { Fields } from './fields.ts'
import { decodeSegment, type BodyType } from './parse.ts'
import type { Rows } from './rows.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const slashed: readonly Family[] = ['network', 'floatingIp', 'loadBalancer']

export interface Reply {
  status: number
  /** Absent: no body. */
  body?: unknown
  /** In place of the body: a long list, to be written as it is now. */
  rows?: Rows
  /** In place of both: the body as JSON. */
  text?: string
}

/** How long an operation takes: each has its own time, all others are the usual fraction of a second. */
export type Pace = 'usual' | 'vmCreate' | 'vmStop' | 'vmStart'

/** An operation that has begun, and ends after its time. */
export interface Underway {
  pace: Pace
  /** Ends it; `now` is the time of the end. */
  finish(now: number): Reply
}

export interface ApiCall extends Caller {
  params: Readonly<Record<string, string>>
  query: Fields
  body: Fields
}

export interface Route {
  /** `any`: whatever the method, the answer is the same. */
  method: Method | 'any'
  /** Without version and slug; ':x' stands for one segment. */
  path: string
  family: Family
  /** In which profiles a location slug may stand before the path. */
  slug: 'both' | 'extended' | 'never'
  reads: BodyType
  /** Every field of its body can be left out. */
  requiresNothing?: boolean
  /** Deployments read a JSON body in place of a form. */
  readsJsonToo?: boolean
  /** Only where deployments have it. */
  extendedOnly?: boolean
  /** The interface names it but shows no shape: only a refusal is served. */
  gap?: boolean
  /** Part of the load balancer operations beyond list and create. */
  loadBalancerOperation?: boolean
  /** A read that changes something. */
  changes?: boolean
  /** The handler itself answers Underway, so nothing is waited for before it. */
  slow?: boolean
  handle(call: ApiCall): Reply | Underway
}

export interface Found {
  route: Route
  params: Record<string, string>
  location: string
  slug: string | undefined
  /** The path without version and slug. */
  path: string
}

export type Routing = Found | { found: 'otherMethod' } | { found: 'nothing' }

/** Finds the route of a path, with or without a location slug. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
  profile: Profile,
  rules: Rules,
): Routing {
  const segments = pathname.split('/').slice(1)
  if (segments.shift() !== 'v1') return { found: 'nothing' }
  const trailing = segments.at(-1) === ''
  if (trailing) segments.pop()
  const slug = findLocation(segments[0] ?? '')?.slug
  const rest = slug === undefined ? segments : segments.slice(1)
  const usable = (route: Route): boolean =>
    (profile === 'extended' || route.extendedOnly !== true) &&
    (rules.loadBalancerOperations || route.loadBalancerOperation !== true) &&
    (slug === undefined || route.slug === 'both' || (route.slug === 'extended' && profile === 'extended')) &&
    (!trailing || (profile === 'extended' && slashed.includes(route.family)))
  let otherMethod = false
  for (const route of routes) {
    const params = matchPath(route.path, rest)
    if (params === undefined || !usable(route)) continue
    if (route.method === method || route.method === 'any')
      return { route, params, slug, location: slug ?? defaultLocation, path: `/${rest.join('/')}` }
    otherMethod = true
  }
  return { found: otherMethod ? 'otherMethod' : 'nothing' }
}

/** The values of ':x' segments when the segments fit the pattern. */
export function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = partsOf(pattern)
  if (parts.length !== segments.length) return undefined
  if (parts.some((part, index) => !part.startsWith(':') && part !== segments[index])) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith(':')) continue
    const value = decodeSegment(segments[index] ?? '')
    if (value === undefined || value === '') return undefined
    params[part.slice(1)] = value
  }
  return params
}

/** The patterns are those of the routes: a few, asked for with every request. */
const split = new Map<string, readonly string[]>()

function partsOf(pattern: string): readonly string[] {
  const known = split.get(pattern)
  if (known !== undefined) return known
  const parts = pattern.split('/').slice(1)
  split.set(pattern, parts)
  return parts
}

/** Whether the route changes anything. */
export function changesState(route: Route): boolean {
  return route.changes ?? route.method !== 'GET'
}

/** What the route reads from a body in the profile. */
export function bodyTypeOf(route: Route, profile: Profile): BodyType {
  return route.readsJsonToo === true && profile === 'extended' ? 'either' : route.reads
}
