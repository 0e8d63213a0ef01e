/** Taking over an existing cloud object: a read, a check that nobody else owns it, and its id in status. */
import type { Seen } from './kind.ts'
import { ended, type Performed } from './ending.ts'
import { lockHolder } from './gate.ts'
import {
  fresh,
  holdObject,
  patchDraft,
  pinIdentity,
  readContext,
  sessionOf,
  writeStatus,
  type Pass,
} from './pass.ts'
import { holdersOf, markerOn } from './look.ts'

export async function adoptExisting(
  pass: Pass,
  adopt: { readonly id: string; readonly takeover?: boolean },
): Promise<Performed> {
  const { env, kind, object } = pass
  const context = readContext(pass, fresh(pass))
  const seen = await (kind.findToAdopt?.(context, adopt.id) ?? kind.reads.exact(context, adopt.id))
  if (seen === undefined) {
    const message = `spec.adopt.id: the account has no ${kind.noun} ${adopt.id} in ${pass.location ?? 'its location'}; correct the id, or remove spec.adopt to have one made`
    return ended({ is: 'stalled', reason: 'NotFoundToAdopt', message }, env.durations.quotaMs)
  }
  if ('refuses' in seen) return ended({ is: 'stalled', ...seen.refuses }, env.durations.quotaMs)
  // Of several that would take it over at the same moment one comes first; the others then find it taken.
  const wake = () => env.wake(kind.kind, pass.key)
  if (!env.locks.take(`adopt/${kind.kind}/${sessionOf(pass).endpoint}/${seen.id}`, lockHolder(pass), wake)) {
    const message = `another object is about to take over ${seen.id}`
    return ended(
      { is: 'working', reason: 'WaitingForDependency', message, usable: 'no' },
      env.durations.pollMs,
    )
  }
  const conflict = conflictOf(pass, seen, adopt.takeover === true)
  if (conflict !== undefined)
    return ended({ is: 'stalled', reason: 'AdoptionConflict', message: conflict }, env.durations.refusedMs)
  await holdObject(pass)
  pinIdentity(pass)
  patchDraft(pass, {
    id: seen.id,
    ...kind.report(seen, { status: pass.draft, appliedBefore: false }, undefined),
  })
  await writeStatus(pass)
  env.log.info({ kind: kind.kind, key: pass.key, id: seen.id, uid: object.metadata.uid }, 'adopted')
  return { is: 'seen', seen }
}

function conflictOf(pass: Pass, seen: Seen, takeover: boolean): string | undefined {
  const [owner] = holdersOf(pass, seen.id)
  if (owner !== undefined) {
    return `spec.adopt.id: ${seen.id} already belongs to ${pass.kind.kind} ${owner.metadata.namespace}/${owner.metadata.name}; one cloud object has one owner: delete that one with onDelete Retain first`
  }
  const marker = markerOn(pass, seen)
  if (marker === undefined || marker === pass.marker || takeover) return undefined
  return `spec.adopt.id: ${seen.id} carries the marker ${marker} of another owner, perhaps in another cluster; if that owner is gone for good set spec.adopt.takeover: true`
}
