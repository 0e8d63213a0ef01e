/** What a kind plans and reports from: its memory, and the status fields of an observation. Pure but for the draft. */
import type { CommonStatus } from '../api/shared.ts'
import { appliedBefore } from './approval.ts'
import type { Memory, Seen } from './kind.ts'
import { patchDraft, type Pass } from './pass.ts'
import { outlived } from './rotation.ts'

export function memoryOf(pass: Pass): Memory<CommonStatus> {
  return {
    status: pass.draft,
    appliedBefore: appliedBefore(pass),
    ...(pass.overdue !== undefined && { overdue: pass.overdue }),
    ...(pass.fought !== undefined && { fought: pass.fought }),
    ...(pass.kind.delivery !== undefined && {
      outlived: outlived(pass, 0),
      forgettable: outlived(pass, pass.session?.settleMs ?? Number.POSITIVE_INFINITY),
    }),
  }
}

/** Puts the status fields of an observation into the draft. */
export function takeReport(pass: Pass, seen: Seen, want: unknown): void {
  patchDraft(pass, {
    ...(seen.billingAccount !== undefined && { billingAccount: seen.billingAccount }),
    ...pass.kind.report(seen, memoryOf(pass), want),
  })
}
