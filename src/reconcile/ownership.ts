/**
 * Whether what an object has on record is really its own. A copy (made by hand, by a backup tool, in another cluster) has the
 * same record, and must neither change nor delete what belongs to the original.
 */
import { accept, answerTo, howToAnswer } from './answers.ts'
import type { CloudResource, Seen } from './kind.ts'
import { isCopy } from './references.ts'
import { holdersOf, markerOn, ofThisCluster } from './look.ts'
import { markerOf, type Marker } from './marker.ts'
import { patchDraft, sessionOf, type Pass } from './pass.ts'

/** Whether what was seen is the recorded cloud object, and not another one that has its key by now. */
export function sameObject({ draft, kind }: Pass, seen: Seen): boolean {
  return kind.same?.(draft, seen) ?? true
}

/** Why the cloud object is not this object's, in words; undefined: nothing speaks against it. */
export function notOurs(pass: Pass, seen: Seen): string | undefined {
  const marker = shownMarker(pass, seen)
  const owner = holdersOf(pass, seen.id).find((other) => isCopied(pass) || ownsRather(pass, other, marker))
  if (owner !== undefined) return copied(pass, seen, owner)
  if (isCopied(pass)) return restored(pass, seen, marker)
  if (marker === undefined || marker === pass.marker) return undefined
  const subject = subjectOf(pass, seen.id)
  if (answerTo(pass, subject) !== seen.id) return restored(pass, seen, marker)
  accept(pass, subject, seen.id)
  return undefined
}

/** The question whether it is this object's. It names the object: an annotation is copied along, and answers for no other. */
export function subjectOf({ object }: Pass, id: string): string {
  return `${id}@${object.metadata.uid.slice(0, UID_SHOWN)}`
}

const UID_SHOWN = 8

/** Whether the status being worked on is another object's. */
export function isCopied({ object, draft }: Pass): boolean {
  return isCopy({ ...object, status: draft })
}

/**
 * At the beginning of a pass: of a copied status only what it names is kept, to tell of it. What it has open is the original's
 * to find out about, and answers in it were given to the original. Answered here, the status is this object's own.
 */
export function takeStatus(pass: Pass): void {
  if (!isCopied(pass)) return
  const { env, kind, object, draft } = pass
  const { id } = draft
  // Whether that is adopted is decided anew.
  if (id === undefined || object.spec.adopt !== undefined) {
    pass.draft = {}
    return
  }
  patchDraft(pass, { operation: undefined, answered: undefined })
  const subject = subjectOf(pass, id)
  const isHeld = env.references.holdersOf(kind.kind, id, object, draft.account?.endpoint).length > 0
  if (answerTo(pass, subject) !== id || isHeld) return
  accept(pass, subject, id)
  patchDraft(pass, { uid: object.metadata.uid })
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

function restored(pass: Pass, seen: Seen, marker: Marker | undefined): string {
  const { kind, draft } = pass
  const whose =
    marker === undefined
      ? `is on record here in the status of another object, of UID ${draft.uid ?? ''}`
      : `carries the marker ${marker} of ${ofThisCluster(pass, `-${marker}`) ? 'another object' : 'an object of another cluster'}`
  return `status.id: the ${kind.noun} ${seen.id} ${whose}; this one was copied or restored with its status, and nothing is done to it from here: if that object is gone for good, say that it is this one's: ${howToAnswer(pass, subjectOf(pass, seen.id), seen.id)}; else delete this object, which leaves the ${kind.noun} alone`
}
