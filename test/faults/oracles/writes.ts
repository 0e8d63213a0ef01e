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
  return ownWrites(history)
    .filter((write) => !isMistaken(history, write))
    .flatMap(({ before, after, label, at }) =>
      // What a person put there is judged once the operator has written a status itself.
      after === undefined || isDeepStrictEqual(before?.status, after.status)
        ? []
        : brokenRules(after as unknown as StatusBearer).map(
            (rule) => `${label} at ${Math.round(at)}: ${rule}`,
          ),
    )
}

/** After a restore the version that it was made from has been given to another state: no write can tell the two apart. */
function isMistaken(history: History, { before }: WriteEntry): boolean {
  if (before === undefined) return false
  const { resourceVersion, uid } = before.metadata
  return factsOf(history)
    .statesOf(uid)
    .some(
      ({ after }) => after?.metadata.resourceVersion === resourceVersion && !isDeepStrictEqual(after, before),
    )
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
