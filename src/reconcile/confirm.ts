/** The end of a create: what came with the object is found before the intent may go. */
import type { Seen } from './kind.ts'
import { ended, working } from './ending.ts'
import { fresh, patchDraft, readContext, sessionOf, type Pass } from './pass.ts'
import { takeReport } from './report.ts'
import { ageOf, pollAfter, type Resolved } from './resolve.ts'

/** After the exact read agrees: what came with the object is found, then the intent may go. */
export async function confirmCreated(pass: Pass, seen: Seen): Promise<Resolved> {
  const operation = pass.draft.operation
  if (operation === undefined) return { is: 'clear', seen }
  takeReport(pass, seen, undefined)
  const confirmed = await pass.kind.confirm?.(readContext(pass, fresh(pass)), operation, seen, pass.object)
  if (confirmed !== undefined) patchDraft(pass, confirmed.patch)
  const ageMs = ageOf(pass, operation)
  if (confirmed?.wait !== undefined && ageMs < (confirmed.atMostMs ?? sessionOf(pass).settleMs)) {
    return ended(working('WaitingForCloud', confirmed.wait, 'no'), pollAfter(pass, ageMs))
  }
  patchDraft(pass, { operation: undefined })
  return { is: 'clear', seen }
}
