/**
 * Cloud objects that carry a marker of this cluster and belong to no object in it: kept with Retain, or left by a cluster that was
 * restored. They are counted, and never deleted. Counted from the lists that are read anyway; of a kind that has no objects, from
 * one list an hour.
 */
import type { CloudResource, Seen } from './kind.ts'
import { markerOn, ofThisCluster } from './look.ts'
import { markerOf } from './marker.ts'
import { needed } from './needed.ts'
import { sessionOf, type AnyKind, type Pass } from './pass.ts'
import { INDEX } from './references.ts'
import { retiringOf } from './retiring.ts'

/** The number of them in the places where an account has objects, or would make them; `pass`: the account's own, with its session. Throws CloudError. */
export async function countOrphans(pass: Pass, kinds: readonly AnyKind[]): Promise<number> {
  const session = sessionOf(pass)
  const places = new Set([session.defaultLocation, ...kinds.flatMap((kind) => placesOf(pass, kind))])
  let count = 0
  for (const kind of kinds) {
    if (kind.creation.identity(session) === 'marker') count += (await orphansOf(pass, kind, places)).size
  }
  return count
}

function placesOf({ env, session }: Pass, kind: AnyKind): readonly string[] {
  const users = env.stores[kind.kind].byIndex(INDEX.account, needed(session).account)
  return users.flatMap(({ status }) => status?.location ?? [])
}

async function orphansOf(
  pass: Pass,
  kind: AnyKind,
  places: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const session = sessionOf(pass)
  const read = new Set(placesOf(pass, kind))
  const ids = new Set<string>()
  for (const location of places) {
    const maxAgeMs = read.has(location) ? Number.POSITIVE_INFINITY : pass.env.durations.exactMs
    const freshness = { maxAgeMs }
    const rows = await kind.reads.rows({ session, location, freshness, status: undefined })
    for (const row of ownerless(pass, kind, rows)) ids.add(row.id)
  }
  return ids
}

function ownerless(pass: Pass, kind: AnyKind, rows: readonly Seen[]): readonly Seen[] {
  const { env } = pass
  const { endpoint } = sessionOf(pass)
  const marked = rows.filter((row) => {
    const marker = markerOn(pass, row)
    const ours = marker !== undefined && ofThisCluster(pass, `-${marker}`)
    return ours && env.references.ownerOf(kind.kind, row.id, undefined, endpoint) === undefined
  })
  if (marked.length === 0) return []
  // Only where there is a candidate: the markers of many objects take their time.
  const living = new Map<string, readonly string[] | undefined>()
  for (const { metadata, status } of env.stores[kind.kind].list())
    living.set(markerOf(env.clusterID, metadata.uid), idsIn(status))
  return marked.filter((row) => {
    const marker = needed(markerOn(pass, row))
    // A second one of an object that has its own belongs to nobody either.
    const own = living.get(marker)
    return own === undefined ? !living.has(marker) : !own.includes(row.id)
  })
}

/** Undefined: it knows of none, and what carries its marker will be found. */
function idsIn(status: CloudResource['status']): readonly string[] | undefined {
  const retiring = retiringOf(status).map((each) => each.id)
  return status?.id === undefined ? undefined : [status.id, ...retiring]
}
