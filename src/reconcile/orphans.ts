/**
 * Cloud objects that carry a marker of this cluster and belong to no object in it: kept with Retain, or left by a cluster that was
 * restored. They are counted, and never deleted. Counted from the lists that are read anyway; of a kind that has no objects, from
 * one list an hour.
 */
import { CloudError } from '../cloud/errors.ts'
import { keyOf } from './environment.ts'
import type { CloudResource, Seen } from './kind.ts'
import { markerOn, ofThisCluster } from './look.ts'
import { markerOf } from './marker.ts'
import { needed } from './needed.ts'
import { sessionOf, type AnyKind, type Pass } from './pass.ts'
import { INDEX } from './references.ts'
import { isCopy } from './references.ts'
import { retiringOf } from './retiring.ts'

export interface Orphan {
  readonly id: string
  readonly noun: string
  /** The object whose marker it carries, where that one is there and has another of its own. */
  readonly twinOf?: string
}

/** Those in the places where an account has objects, or would make them; `pass`: the account's own, with its session; `before`: what was found the last time. */
export async function findOrphans(
  pass: Pass,
  kinds: readonly AnyKind[],
  before: readonly Orphan[],
): Promise<readonly Orphan[]> {
  const session = sessionOf(pass)
  const places = new Set([session.defaultLocation, ...kinds.flatMap((kind) => placesOf(pass, kind))])
  const found: Orphan[] = []
  for (const kind of kinds) {
    if (kind.creation.identity(session) !== 'marker') continue
    const now = await orphansOf(pass, kind, places)
    found.push(...(now ?? before.filter(({ noun }) => noun === kind.noun)))
  }
  return found
}

/** Tells of those that were not told before: nobody else would look for them. */
export function tellOrphans(
  { env, object }: Pass,
  found: readonly Orphan[],
  before: readonly Orphan[],
): void {
  const known = new Set(before.map(({ id }) => id))
  for (const { id, noun, twinOf } of found.filter((each) => !known.has(each.id)).slice(0, TOLD)) {
    const left =
      'it is never deleted by the operator: look at it, and delete in the console what nobody needs'
    if (twinOf === undefined) {
      const message = `the ${noun} ${id} carries the marker of an object that this cluster does not have; ${left}, or take it over with spec.adopt`
      env.announce(object, 'Warning', 'OrphanFound', message)
    } else {
      const message = `the ${noun} ${id} carries the marker of ${twinOf}, which has another; ${left}`
      env.announce(object, 'Warning', 'DuplicatesFound', message)
    }
  }
}

/** Events of one pass. The number in the status tells of all. */
const TOLD = 10

function placesOf({ env, session }: Pass, kind: AnyKind): readonly string[] {
  const users = env.stores[kind.kind].byIndex(INDEX.account, needed(session).account)
  return users.flatMap(({ status }) => status?.location ?? [])
}

/** Undefined: the cloud does not tell, for now or to this key. */
async function orphansOf(
  pass: Pass,
  kind: AnyKind,
  places: ReadonlySet<string>,
): Promise<readonly Orphan[] | undefined> {
  try {
    return await listed(pass, kind, places)
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    return undefined
  }
}

async function listed(pass: Pass, kind: AnyKind, places: ReadonlySet<string>): Promise<readonly Orphan[]> {
  const session = sessionOf(pass)
  const read = new Set(placesOf(pass, kind))
  const found = new Map<string, Orphan>()
  for (const location of places) {
    const maxAgeMs = read.has(location) ? Number.POSITIVE_INFINITY : pass.env.durations.exactMs
    const freshness = { maxAgeMs }
    const rows = await kind.reads.rows({ session, location, freshness, status: undefined })
    for (const orphan of ownerless(pass, kind, rows)) found.set(orphan.id, orphan)
  }
  return [...found.values()]
}

function ownerless(pass: Pass, kind: AnyKind, rows: readonly Seen[]): readonly Orphan[] {
  const { env } = pass
  const { endpoint } = sessionOf(pass)
  const marked = rows.filter((row) => {
    const marker = markerOn(pass, row)
    const ours = marker !== undefined && ofThisCluster(pass, `-${marker}`)
    return ours && env.references.holdersOf(kind.kind, row.id, undefined, endpoint).length === 0
  })
  if (marked.length === 0) return []
  // Only where there is a candidate: the markers of many objects take their time.
  const living = new Map<string, CloudResource>()
  for (const each of env.stores[kind.kind].list())
    living.set(markerOf(env.clusterID, each.metadata.uid), each)
  return marked.flatMap((row): readonly Orphan[] => {
    const orphan = { id: row.id, noun: kind.noun }
    const object = living.get(needed(markerOn(pass, row)))
    if (object === undefined) return [orphan]
    // One that knows of none will find what carries its marker; a second one of an object that has its own belongs to nobody.
    const own = isCopy(object) ? [] : idsIn(object.status)
    return own.length === 0 || own.includes(row.id)
      ? []
      : [{ ...orphan, twinOf: `${object.kind} ${keyOf(object)}` }]
  })
}

function idsIn(status: CloudResource['status']): readonly string[] {
  if (status?.id === undefined) return []
  return [status.id, ...retiringOf(status).map((each) => each.id)]
}
