/** What is wrong with a single outcome, whatever was asked. */
import { isDeepStrictEqual } from 'node:util'
import type { Served, ServedAnswer } from '../../../src/simulator/http/serve.ts'
import type { Draft } from './draft.ts'
import type { State } from './state.ts'

export interface Seen {
  draft: Draft
  served: Served
  state: State
  /** A fault was armed for this call, so that it may end in any way. */
  faulted: boolean
}

/** Statuses of refusals that the service gives by itself. */
const refusals = [400, 401, 403, 404, 405, 409, 413, 415]

/** Every fault of the outcome, one line each. */
export function wrongWith(seen: Seen): string[] {
  const { served, faulted } = seen
  if (served.outcome !== 'answered')
    return faulted ? [] : [`ended with ${served.outcome}, though not told to`]
  if (faulted) return []
  const { status } = served
  if (status >= 500) return isTold(seen) ? [] : [`status ${status}: ${served.body}`]
  if (status >= 400) return [...wrongRefusal(seen, served), ...wrongBody(seen.draft, served)]
  if (status !== 200 && status !== 201 && status !== 204) return [`status ${status}`]
  return wrongBody(seen.draft, served)
}

/** Deployments break down on a load balancer without the `targets` key. */
function isTold({ draft, served, state }: Seen): boolean {
  const breaks = draft.operation.path === '/network/load_balancers' && draft.method === 'POST'
  return (
    breaks &&
    state.profile === 'extended' &&
    served.outcome === 'answered' &&
    served.body.includes('Internal')
  )
}

function wrongBody({ method }: Draft, { status, headers, body }: ServedAnswer): string[] {
  if (method === 'HEAD') return body === '' ? [] : ['HEAD is answered with a body']
  const length = String(Buffer.byteLength(body))
  if (status === 204) return body === '' ? [] : ['204 with a body']
  if (headers['content-length'] !== length)
    return [`content-length is ${headers['content-length'] ?? 'missing'}`]
  if (body === '') return []
  if (headers['content-type'] !== 'application/json')
    return [`content-type is ${headers['content-type'] ?? 'missing'}`]
  return parsed(body) === undefined ? ['the body is not JSON'] : []
}

function wrongRefusal({ draft, state }: Seen, { status, body }: ServedAnswer): string[] {
  if (draft.method === 'HEAD') return []
  if (!refusals.includes(status)) return [`refused with ${status}`]
  const shape = shapeOf(parsed(body))
  if (state.profile === 'documented')
    return shape === 'Error' ? [] : [`a refusal of the shape ${shape}: ${body}`]
  if ([401, 403, 405, 413].includes(status))
    return shape === 'message' ? [] : [`${status} of the shape ${shape}`]
  if (draft.distorted.length > 0) return shape === 'other' ? [`a refusal of no known shape: ${body}`] : []
  const fits =
    draft.operation.errors === 'fields' ? shape === 'Error' || shape === 'field' : shape === 'message'
  const noRoute = status === 404 && shape === 'message'
  return fits || noRoute ? [] : [`a refusal of the shape ${shape}: ${body}`]
}

type Shape = 'Error' | 'field' | 'message' | 'other'

function shapeOf(body: unknown): Shape {
  if (!isRecord(body) || Object.keys(body).length !== 1) return 'other'
  if (typeof body['message'] === 'string' && body['message'] !== '') return 'message'
  const errors = isRecord(body['errors']) ? Object.entries(body['errors']) : []
  const [[name, text] = ['', '']] = errors
  if (errors.length !== 1 || typeof text !== 'string' || text === '') return 'other'
  return name === 'Error' ? 'Error' : 'field'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lists show what there is: every living thing of the caller in its place and nothing else. */
export function wrongList({ draft, served, state, faulted }: Seen): string[] {
  if (faulted || draft.distorted.length > 0 || served.outcome !== 'answered' || served.status !== 200)
    return []
  const token = state.tokens.get(state.secrets.get(draft.key ?? '') ?? -1)
  if (draft.method !== 'GET' || draft.query.length > 0 || token === undefined) return []
  const rows = parsed(served.body)
  const here = draft.slug ?? 'jkt01'
  const mine = (thing: {
    userId: number
    location?: string
    scope?: string
    deletedAt?: number | null
  }): boolean =>
    thing.userId === token.userId &&
    (thing.deletedAt ?? null) === null &&
    (thing.scope === undefined
      ? (thing.location ?? here) === here
      : thing.scope === '' || thing.scope === here)
  const list = lists(state, mine)[draft.operation.path]
  const late = draft.operation.path === '/network/networks' && state.rules.memberLagMs > 0
  if (list === undefined || late || !Array.isArray(rows)) return []
  const shown = (rows as Record<string, unknown>[])
    .filter((row) => row['is_deleted'] !== true)
    .map((row) => list.idOf(row))
    .sort()
  const there = list.ids.sort()
  return isDeepStrictEqual(shown, there)
    ? []
    : [`${draft.operation.path} shows ${shown.join()}, not ${there.join()}`]
}

interface List {
  idOf: (row: Record<string, unknown>) => string
  ids: string[]
}

type Mine = (thing: {
  userId: number
  location?: string
  scope?: string
  deletedAt?: number | null
}) => boolean

function lists(state: State, mine: Mine): Readonly<Record<string, List>> {
  const by = (field: string) => (row: Record<string, unknown>) => String(row[field])
  const uuids = (things: ReadonlyMap<string, { uuid: string; userId: number }>) =>
    [...things.values()].filter(mine).map(({ uuid }) => uuid)
  return {
    '/user-resource/vm/list': { idOf: by('uuid'), ids: uuids(state.vms) },
    '/storage/disks': { idOf: by('uuid'), ids: uuids(state.disks) },
    '/network/load_balancers': { idOf: by('uuid'), ids: uuids(state.loadBalancers) },
    '/network/ip_addresses': {
      idOf: by('address'),
      ids: [...state.floatingIps.values()].filter(mine).map(({ address }) => address),
    },
    '/storage/bucket/list': {
      idOf: by('name'),
      ids: [...state.buckets.values()].filter(mine).map(({ name }) => name),
    },
    '/user-resource/token/list': {
      idOf: by('id'),
      ids: [...state.tokens.values()].filter(mine).map(({ id }) => String(id)),
    },
    '/network/networks': {
      idOf: (row) => `${String(row['uuid'])} with ${membersShown(row)}`,
      ids: uuids(state.networks).map((uuid) => `${uuid} with ${membersThere(state, uuid)}`),
    },
  }
}

function membersShown(row: Record<string, unknown>): string {
  const vms = Array.isArray(row['vm_uuids']) ? row['vm_uuids'].map(String).sort() : ['?']
  return `${vms.join()} of ${String(row['resources_count'])}`
}

function membersThere(state: State, network: string): string {
  const inIt = ({ networkUuid, deletedAt }: { networkUuid: string; deletedAt: number | null }) =>
    networkUuid === network && deletedAt === null
  const vms = [...state.vms.values()].filter(inIt).map(({ uuid }) => uuid)
  const others = [...state.loadBalancers.values()].filter(inIt).length
  return `${vms.sort().join()} of ${vms.length + others}`
}
