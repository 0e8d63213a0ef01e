/** Lists in pages. */
import type { Clock } from '../loop/clock.ts'
import { isKubeError, KubeError } from './errors.ts'
import { resourceName, type KubeObject, type ResourceType } from './object.ts'
import { objectPath } from './paths.ts'
import { isRecord, project } from './project.ts'
import type { KubeRequest, SendKube } from './transport.ts'

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** Objects per page, default 500. */
  readonly limit?: number
  /** At least as new as this; absent: the newest there is. */
  readonly notOlderThan?: string
  readonly signal?: AbortSignal
}

export interface ListPage<T extends KubeObject> {
  readonly items: readonly T[]
  /** The version of the whole list; the same on each of its pages. */
  readonly resourceVersion: string
  /** True on the first page, and again when the list had to start over: forget the pages before it. */
  readonly first: boolean
}

const PAGE_SIZE = 500

/** Freezing is the longest synchronous stretch: the loop gets a turn after so many objects. */
const OBJECTS_PER_TURN = 100

/** All pages of one list. A 410 on a later page starts over, once; the second one is thrown. */
export async function* listPages<T extends KubeObject>(
  send: SendKube,
  clock: Clock,
  type: ResourceType,
  o: ListOptions,
): AsyncGenerator<ListPage<T>> {
  let restarted = false
  let position: string | undefined
  for (;;) {
    const first = position === undefined
    let page: RawPage
    try {
      page = readPage(type, await send(listRequest(type, o, position)))
    } catch (error) {
      if (first || restarted || !isKubeError(error, 'gone')) throw error
      restarted = true
      position = undefined
      continue
    }
    const items: T[] = []
    for (const raw of page.items) {
      items.push(project(type, raw) as T)
      if (items.length % OBJECTS_PER_TURN === 0) await clock.yield()
    }
    yield { items, resourceVersion: page.resourceVersion, first }
    position = page.position
    if (position === undefined) return
    await clock.yield()
  }
}

function listRequest(type: ResourceType, o: ListOptions, position: string | undefined): KubeRequest {
  const limit = o.limit ?? PAGE_SIZE
  const from =
    position !== undefined
      ? { continue: position }
      : o.notOlderThan !== undefined
        ? { resourceVersion: o.notOlderThan, resourceVersionMatch: 'NotOlderThan' }
        : {}
  return {
    method: 'GET',
    path: objectPath(type, o.namespace ?? ''),
    query: { limit, ...from },
    verb: 'list',
    resource: type.plural,
    ...(o.signal !== undefined && { signal: o.signal }),
  }
}

interface RawPage {
  readonly items: readonly unknown[]
  readonly resourceVersion: string
  /** The token of the next page. */
  readonly position: string | undefined
}

function readPage(type: ResourceType, raw: unknown): RawPage {
  const metadata = isRecord(raw) && isRecord(raw['metadata']) ? raw['metadata'] : {}
  const items: unknown = isRecord(raw) ? raw['items'] : undefined
  const { resourceVersion, continue: next } = metadata
  if (typeof resourceVersion !== 'string' || !Array.isArray(items)) {
    throw new KubeError('unclear', `list ${resourceName(type)}: an answer that is no list`)
  }
  return {
    items: items as unknown[],
    resourceVersion,
    position: typeof next === 'string' && next !== '' ? next : undefined,
  }
}
