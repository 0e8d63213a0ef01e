/** Old keys and tokens of a rotation, as the plans of their kinds see them. Pure. */
import type { Memory, Seen } from './kind.ts'
import type { StepFacts } from './plan.ts'

export interface Retiring {
  readonly id: string
  /** When the Secret was switched to the new one, RFC 3339. */
  readonly since?: string
}

/** What can be rotated shows beside itself what else the same account has. */
export interface SeenAmong extends Seen {
  readonly others: readonly string[]
}

export interface Retire {
  readonly do: 'retire'
  readonly id: string
}

export function retiringOf(status: object | undefined): readonly Retiring[] {
  return (status as { readonly retiring?: readonly Retiring[] } | undefined)?.retiring ?? []
}

/** Those whose time is over. */
export function retirements(seen: SeenAmong, memory: Memory<object>): Retire[] {
  return (memory.outlived ?? []).filter((id) => seen.others.includes(id)).map((id) => ({ do: 'retire', id }))
}

/** All of them: the object goes. */
export function allRetirements(seen: SeenAmong, memory: Memory<object>): Retire[] {
  const ids = retiringOf(memory.status).map((each) => each.id)
  return ids.filter((id) => seen.others.includes(id)).map((id) => ({ do: 'retire', id }))
}

export function retireFacts(step: Retire, words: string): StepFacts {
  return { nature: 'move', words, details: { old: step.id } }
}

/** Those that are still there, or may be: a list that omits one proves nothing until the settle time after its end is over. */
export function stillRetiring(seen: SeenAmong, memory: Memory<object>): readonly Retiring[] {
  const gone = new Set(memory.forgettable ?? [])
  return retiringOf(memory.status).filter(({ id }) => seen.others.includes(id) || !gone.has(id))
}
