/**
 * Cloud objects that carry a marker of this cluster and belong to no object in it: kept with Retain, or left by a cluster that was
 * restored. They are counted, and never deleted. Counted from the lists that are read anyway.
 */
import type { Seen } from './kind.ts'
import { markerOn, ofThisCluster } from './look.ts'
import { markerOf } from './marker.ts'
import { needed } from './needed.ts'
import { sessionOf, type AnyKind, type Pass } from './pass.ts'
import { INDEX } from './references.ts'

/** The number of them in an account, of kinds that it has objects of; `pass`: the account's own, with its session. Throws CloudError. */
export async function countOrphans(pass: Pass, kinds: readonly AnyKind[]): Promise<number> {
  let count = 0
  for (const kind of kinds) {
    if (kind.creation.identity(sessionOf(pass)) === 'marker') count += (await orphansOf(pass, kind)).size
  }
  return count
}

async function orphansOf(pass: Pass, kind: AnyKind): Promise<ReadonlySet<string>> {
  const session = sessionOf(pass)
  const users = pass.env.stores[kind.kind].byIndex(INDEX.account, session.account)
  const places = new Set(users.flatMap(({ status }) => status?.location ?? []))
  const ids = new Set<string>()
  for (const location of places) {
    // Whatever the last list showed: for a count nothing is asked.
    const freshness = { maxAgeMs: Number.POSITIVE_INFINITY }
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
  const living = new Set<string>()
  for (const { metadata } of env.stores[kind.kind].list()) living.add(markerOf(env.clusterID, metadata.uid))
  return marked.filter((row) => !living.has(needed(markerOn(pass, row))))
}
