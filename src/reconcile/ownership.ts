/**
 * Whether what an object has on record is really its own. A copy (made by hand, by a backup tool, in another cluster) has the
 * same record, and must neither change nor delete what belongs to the original.
 */
import { accept, answerTo, howToAnswer } from './answers.ts'
import type { CloudResource, Seen } from './kind.ts'
import { markerOn, ofThisCluster } from './look.ts'
import { markerOf, type Marker } from './marker.ts'
import { sessionOf, type Pass } from './pass.ts'

/** Whether what was seen is the recorded cloud object, and not another one that has its key by now. */
export function sameObject({ draft, kind }: Pass, seen: Seen): boolean {
  return kind.same?.(draft, seen) ?? true
}

/** Why the cloud object is not this object's, in words; undefined: nothing speaks against it. */
export function notOurs(pass: Pass, seen: Seen): string | undefined {
  const { env, kind, object } = pass
  const marker = shownMarker(pass, seen)
  const other = env.references.ownerOf(kind.kind, seen.id, object, sessionOf(pass).endpoint)
  if (other !== undefined) return ownsRather(pass, other, marker) ? copied(pass, seen, other) : undefined
  if (marker === undefined || marker === pass.marker) return undefined
  if (answerTo(pass, seen.id) === seen.id) {
    accept(pass, seen.id, seen.id)
    return undefined
  }
  return restored(pass, seen, marker)
}

/** The marker that tells the owner. None where it is a copied one, or one that was knowingly taken over and cannot be replaced. */
function shownMarker(pass: Pass, seen: Seen): Marker | undefined {
  const { creation } = pass.kind
  const { adopt } = pass.object.spec
  if (creation.identity(sessionOf(pass)) !== 'marker' || creation.labelGoes?.(pass.object) === true)
    return undefined
  return adopt === undefined ? markerOn(pass, seen) : undefined
}

/** The marker says who; without one it is the elder. */
function ownsRather(pass: Pass, other: CloudResource, marker: Marker | undefined): boolean {
  if (marker === pass.marker) return false
  if (marker === markerOf(pass.env.clusterID, other.metadata.uid)) return true
  const age = (each: CloudResource) => `${each.metadata.creationTimestamp}/${each.metadata.uid}`
  return age(other) < age(pass.object)
}

function copied({ kind }: Pass, seen: Seen, other: CloudResource): string {
  const owner = `${kind.kind} ${other.metadata.namespace}/${other.metadata.name}`
  return `status.id: the ${kind.noun} ${seen.id} belongs to ${owner}, and this object is a copy of it with its status: nothing is done to it from here; delete this object, which leaves the ${kind.noun} alone`
}

function restored(pass: Pass, seen: Seen, marker: Marker): string {
  const { kind } = pass
  const whose = ofThisCluster(pass, `-${marker}`) ? 'another object' : 'an object of another cluster'
  return `status.id: the ${kind.noun} ${seen.id} carries the marker ${marker} of ${whose}; this one was copied or restored with its status, and nothing is done to it from here: if that object is gone for good, say that it is this one's: ${howToAnswer(pass, seen.id, seen.id)}; else delete this object, which leaves the ${kind.noun} alone`
}
