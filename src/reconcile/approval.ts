/** Which steps may run by themselves: drift reports, observers, and approvals of what stops a machine. */
import { ANNOTATIONS } from '../api/group.ts'
import type { Verdict, Usable } from './conditions.ts'
import type { Seen } from './kind.ts'
import { patchDraft, type Pass } from './pass.ts'
import type { StepBase } from './plan.ts'

export function observesOnly(pass: Pass): boolean {
  return pass.object.spec.lifecycle?.management === 'ObserveOnly'
}

/** This generation was applied in full before: what differs now was changed outside. */
export function appliedBefore(pass: Pass): boolean {
  return pass.draft.appliedGeneration === pass.wished.generation
}

/** The verdict that keeps these steps from running; undefined: go on. */
export function heldBack(
  pass: Pass,
  steps: readonly StepBase[],
  seen: Seen,
  usable: Usable,
): Verdict | undefined {
  const words = steps.map((step) => pass.kind.facts(step, seen).words)
  const reports = pass.object.spec.lifecycle?.drift === 'Report' && appliedBefore(pass)
  if (observesOnly(pass) || reports) {
    const why = observesOnly(pass)
      ? 'spec.lifecycle.management is ObserveOnly'
      : 'spec.lifecycle.drift is Report'
    const message = `the cloud differs from the spec, and ${why}; it would take: ${words.join('; ')}`
    return { is: 'drifted', message, usable }
  }
  return approval(pass, steps, seen, words, usable)
}

function approval(
  pass: Pass,
  steps: readonly StepBase[],
  seen: Seen,
  words: readonly string[],
  usable: Usable,
): Verdict | undefined {
  const first = steps[0]
  if (first === undefined) return undefined
  const facts = pass.kind.facts(first, seen)
  if (facts.stops !== true) return undefined
  const outside = appliedBefore(pass) && facts.wantedOff !== true
  if (pass.object.spec.lifecycle?.disruption !== 'RequireApproval' && !outside) return undefined
  const plan = drawn(pass, words)
  const approved = pass.object.metadata.annotations?.[ANNOTATIONS.approve] === plan.id
  if (approved || pass.draft.approvedPlan === plan.id) {
    patchDraft(pass, { plan, approvedPlan: plan.id })
    return undefined
  }
  patchDraft(pass, { plan, approvedPlan: undefined })
  const why = outside
    ? 'the machine was changed outside, and putting it right stops it'
    : 'this change stops the machine'
  const message = `${why}: ${words.join('; ')}. To let it run: kubectl annotate --field-manager=cloud-operator --overwrite ${pass.kind.kind.toLowerCase()} ${pass.object.metadata.name} ${ANNOTATIONS.approve}=${plan.id}`
  return { is: 'pending', reason: 'ApprovalRequired', message, usable }
}

/** The plan as it was first shown, or a new one with a new id when its steps are others. */
function drawn(pass: Pass, words: readonly string[]): NonNullable<Pass['draft']['plan']> {
  const known = pass.draft.plan
  if (known !== undefined && known.steps.join('\n') === words.join('\n')) return known
  return { id: pass.env.clock.randomHex(4), steps: [...words], disruptive: true }
}
