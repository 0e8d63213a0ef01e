import type { CloudError } from '../cloud/errors.ts'
import type { Ended, Pass } from './pass.ts'
import { sessionOf } from './pass.ts'
import { deniedVerdict, said } from './verdicts.ts'

/**
 * 401 and 403 speak of the key or of this one object: a read of the user tells which. Where the key itself fails, the
 * account pauses, and this object keeps what was known of it. Reading again is harmless: that happens at the next sync.
 */
export async function deniedEnding(pass: Pass, error: CloudError, words: string): Promise<Ended> {
  const { env } = pass
  if (await env.accounts.keyWorks(sessionOf(pass))) {
    return { verdict: deniedVerdict(error, words) }
  }
  const message = `CloudAccount ${sessionOf(pass).account}: the service refuses the key: ${said(error)}`
  return { verdict: { is: 'unread', reason: 'AccountUnavailable', message } }
}
