/** What the operator writes to the API server: never a spec, a label or an annotation; and only sound statuses. */
import { isDeepStrictEqual } from 'node:util'
import { KINDS } from '../../../src/api/group.ts'
import { brokenRules, type StatusBearer } from '../../support/status-rules.ts'
import type { History, WriteEntry } from '../history.ts'
import type { ModelObject } from '../kube/objects.ts'
import { factsOf } from './facts.ts'

const OURS: readonly string[] = KINDS

function ownWrites(history: History): readonly WriteEntry[] {
  return factsOf(history).writes.filter(({ process, kind }) => process > 0 && OURS.includes(kind))
}

export function spec(history: History): string[] {
  const wished = ({ spec: wish, metadata: { labels, annotations } }: ModelObject) => ({
    wish,
    labels,
    annotations,
  })
  return ownWrites(history)
    .filter(({ before, after }) => before && after && !isDeepStrictEqual(wished(before), wished(after)))
    .map(({ label, at }) => `${label} at ${Math.round(at)} changed more than status and finalizers`)
}

export function statuses(history: History): string[] {
  return ownWrites(history).flatMap((write) => {
    const { before, after, label, at } = write
    // What a person put there is judged once the operator has written a status itself.
    if (after === undefined || isDeepStrictEqual(before?.status, after.status)) return []
    const broken = brokenRules(after as unknown as StatusBearer)
    return broken.length > 0 && isMistaken(history, write)
      ? []
      : broken.map((rule) => `${label} at ${Math.round(at)}: ${rule}`)
  })
}

/**
 * The status is sound for another state, to which the version that it was written over had been given before a restore: no write
 * can tell the two apart.
 */
function isMistaken(history: History, { before, after }: WriteEntry): boolean {
  if (before === undefined || after === undefined) return false
  const { resourceVersion, uid } = before.metadata
  const twins = factsOf(history)
    .statesOf(uid)
    .flatMap((each) => (each.after?.metadata.resourceVersion === resourceVersion ? [each.after] : []))
    .filter((each) => !isDeepStrictEqual(each, before))
  return twins.some((twin) => {
    const status = after.status
    return brokenRules({ ...twin, status } as unknown as StatusBearer).length === 0
  })
}

export function bugs(history: History): string[] {
  const internal = ownWrites(history)
    .filter(({ after }) => JSON.stringify(after?.status?.['conditions'] ?? []).includes('InternalError'))
    .map(({ label }) => `${label} says InternalError`)
  const logged = history.entries.flatMap((each) =>
    each.is === 'log' &&
    (each.level === 'error' || each.text.includes('unexpectedly')) &&
    !EXPECTED.test(each.text)
      ? [each.text]
      : [],
  )
  const { calls } = factsOf(history)
  const simulator = calls
    .filter(({ status }) => status === 500)
    .map(({ label }) => `the simulator failed in ${label}`)
  return [...internal, ...logged, ...simulator]
}

/** Errors that the troubles of a plan bring about, and that are no bug. */
const EXPECTED =
  /^(?:the lease is lost|the object of a create is gone, or was changed, before its id was stored)/
