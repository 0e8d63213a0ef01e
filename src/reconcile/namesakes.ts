/**
 * Objects in the cloud that have the name a new one would get, and somebody's marker: of a cluster that was restored or built
 * anew, which would make everything twice, or of another one. Only reads; a person decides.
 */
import { NONE, accept, answerTo, howToAnswer } from './answers.ts'
import { ended, type Performed } from './ending.ts'
import type { Seen } from './kind.ts'
import { isOwned, markerOn, ofThisCluster } from './look.ts'
import { markerOf, type Marker } from './marker.ts'
import { fresh, pinIdentity, readContext, sessionOf, type Pass } from './pass.ts'

/** The conflict to tell before anything is made; undefined: nothing stands in the way. Throws CloudError. */
export async function namesakeConflict(pass: Pass, rows: readonly Seen[]): Promise<Performed | undefined> {
  const { object } = pass
  const name = object.spec.name ?? object.metadata.name
  for (const row of rows) {
    const marker = markerOn(pass, row)
    if (marker === undefined || marker === pass.marker || bareName(row, marker) !== name) continue
    if (isOwned(pass, row.id) || livesHere(pass, marker) || (await isGone(pass, row))) continue
    // An operator of one namespace does not see the objects of the others.
    const foreign = pass.env.ofOneNamespace || !ofThisCluster(pass, `-${marker}`)
    if (foreign && sessionOf(pass).ignoresNamesakes === true) continue
    if (answerTo(pass, row.id) === NONE) {
      accept(pass, row.id, NONE)
      continue
    }
    // From here on a status without an account is one that was lost.
    pinIdentity(pass)
    const message = conflict(pass, row, { name, marker, foreign })
    return ended({ is: 'stalled', reason: 'AdoptionConflict', message }, sessionOf(pass).syncMs)
  }
  return undefined
}

/** Without its marker. */
function bareName({ name, label }: Seen, marker: Marker): string | undefined {
  const shown = name ?? label
  return shown?.endsWith(`-${marker}`) === true ? shown.slice(0, -marker.length - 1) : shown
}

/** It belongs to an object of ours that may have lost its status, and will find it by itself. */
function livesHere({ env, kind }: Pass, marker: Marker): boolean {
  for (const { metadata } of env.stores[kind.kind].list()) {
    if (markerOf(env.clusterID, metadata.uid) === marker) return true
  }
  return false
}

/** A list can show what was deleted a moment ago. */
async function isGone(pass: Pass, row: Seen): Promise<boolean> {
  const { reads } = pass.kind
  if (!reads.hasExact(sessionOf(pass))) return false
  return (await reads.exact(readContext(pass, fresh(pass)), row.id)) === undefined
}

interface Namesake {
  readonly name: string
  readonly marker: Marker
  readonly foreign: boolean
}

function conflict(pass: Pass, row: Seen, { name, marker, foreign }: Namesake): string {
  const { kind } = pass
  const adoptID = kind.adoptID?.(row) ?? row.id
  const elsewhere = pass.env.ofOneNamespace ? 'of another cluster or namespace' : 'of another cluster'
  const whose = foreign ? elsewhere : 'of an object that this cluster does not have'
  const always = foreign
    ? ', or for all of them with spec.namesakesOfOtherClusters: Ignore of the CloudAccount'
    : ''
  const answer = howToAnswer(pass, row.id, NONE)
  return `the account has a ${kind.noun} named ${name} already, ${adoptID}, with the marker ${marker} ${whose}, and this object may be meant to stand for it: to take it over set spec.adopt.id: ${adoptID} and spec.adopt.takeover: true; to have another one made answer ${answer}${always}`
}
