/** From an error of a boundary to what people are told and when to look again. Pure. */
import type { FixReason } from '../api/group.ts'
import type { CloudError } from '../cloud/errors.ts'
import type { Verdict } from './conditions.ts'
import type { Durations } from './durations.ts'
import type { Ended } from './pass.ts'

const QUOTA = /quota|limit (?:has been )?(?:reached|exceeded)|exceed(?:s|ed)? .*limit|insufficient/i

/** A failed read: nothing is known to have changed. */
export function readFailed(error: CloudError, durations: Durations): Ended {
  const afterMs = error.retryAfterMs ?? durations.pollMaxMs
  const reason = error.class === 'slowDown' ? 'RateLimited' : 'CloudUnreachable'
  const message =
    reason === 'RateLimited'
      ? `the service asks for fewer requests: ${said(error)}; it is asked again later`
      : `the service could not be read: ${said(error)}; it is asked again by itself`
  return { verdict: { is: 'unread', reason, message }, afterMs }
}

/** The key works, but not for this object. */
export function deniedVerdict(error: CloudError, words: string): Verdict {
  const message = `the service does not let this key ${words}: ${said(error)}; give the key the permission, or use another account`
  return { is: 'stalled', reason: 'PermissionDenied', message }
}

/**
 * The service says the request is wrong; with the time after which it is tried again unchanged. `withSecret`: the value
 * at fault may come from a Secret. `field`: the one of the spec that it is about. `remedy`: where the spec cannot be corrected.
 */
export function refusedVerdict(
  error: CloudError,
  words: string,
  durations: Durations,
  {
    withSecret,
    field,
    remedy: own,
    destroys = false,
  }: {
    readonly withSecret: boolean
    readonly field?: string | undefined
    readonly remedy?: string | undefined
    /** No field of the spec is to blame for a deletion that is refused. */
    readonly destroys?: boolean
  },
): { verdict: Verdict; retryMs: number } {
  const reason = destroys ? 'CloudError' : refusalReason(error)
  const retryMs = reason === 'QuotaExceeded' || destroys ? durations.quotaMs : durations.refusedMs
  const remedy = own ?? (reason === 'InvalidSpec' && withSecret ? SECRET_REMEDY : REMEDIES[reason])
  const at = field === undefined ? '' : `${field}: `
  const message = `${at}the service refused to ${words}: ${said(error)}; ${remedy}`
  return { verdict: { is: 'stalled', reason, message }, retryMs }
}

const SECRET_REMEDY = 'correct the spec or the Secret it refers to; either is tried by itself'

type RefusalReason =
  Extract<FixReason, 'QuotaExceeded' | 'NameTaken' | 'InvalidSpec' | 'Unsupported'> | 'CloudError'

const REMEDIES: Readonly<Record<RefusalReason, string>> = {
  QuotaExceeded:
    'free something or have the quota raised; it is tried again every ten minutes, and at once after an edit',
  NameTaken: 'choose another name; bucket names are unique among all users',
  InvalidSpec: 'correct the spec; an edit is tried at once',
  Unsupported: 'this service does not offer it; do it in the console',
  CloudError:
    'it is tried again every ten minutes; remove in the console what stands in the way, or let it go with spec.lifecycle.onDelete: Retain',
}

function refusalReason(error: CloudError): RefusalReason {
  if (error.nameTaken) return 'NameTaken'
  if (error.missingRoute) return 'Unsupported'
  return QUOTA.test(error.text) ? 'QuotaExceeded' : 'InvalidSpec'
}

/** The service's own words, with the field it names. */
export function said(error: CloudError): string {
  const field = error.field === undefined || error.field === 'Error' ? '' : ` (field ${error.field})`
  return `"${error.text}"${field}`
}
