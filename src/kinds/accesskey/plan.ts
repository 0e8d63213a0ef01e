/** Decides what to do with a key pair. Pure. It cannot be changed: only made, replaced and deleted. */
import type { AccessKeyStatus } from '../../api/accesskey.ts'
import type { Memory } from '../../reconcile/kind.ts'
import { steps, type Plan, type StepFacts } from '../../reconcile/plan.ts'
import { allRetirements, retirements, retireFacts, type Retire } from '../../reconcile/retiring.ts'
import type { SeenAccessKey } from './seen.ts'

export interface WantedAccessKey {
  readonly secretName: string
}

export type AccessKeyStep = { readonly do: 'create' } | Retire | { readonly do: 'delete' }

export function planAccessKey(
  _want: WantedAccessKey,
  seen: SeenAccessKey | undefined,
  memory: Memory<AccessKeyStatus>,
): Plan<AccessKeyStep> {
  return seen === undefined ? steps({ do: 'create' }) : { steps: retirements(seen, memory) }
}

/** The old ones first: once this one is gone nothing tells of them. */
export function planAccessKeyGone(seen: SeenAccessKey, memory: Memory<AccessKeyStatus>): Plan<AccessKeyStep> {
  return { steps: [...allRetirements(seen, memory), { do: 'delete' }] }
}

export function accessKeyFacts(step: AccessKeyStep): StepFacts {
  switch (step.do) {
    case 'create':
      return { nature: 'create', words: 'create a key pair' }
    case 'retire':
      return retireFacts(step, `delete the old key pair ${step.id}`)
    case 'delete':
      return { nature: 'destroy', words: 'delete the key pair' }
  }
}
