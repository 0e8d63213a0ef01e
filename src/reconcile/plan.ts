/**
 * The pipeline all kinds share: from a wish and an observation to at most one cloud call at a time, and a status.
 * This file has the words of a plan only; it is pure and imports nothing that does I/O.
 */
import type { DecideReason, FixReason, Kind as KindName, WaitReason } from '../api/group.ts'

/**
 * What repeating a step would do. Everything but `set` is preceded by an intent in status:
 * create: a second object · destroy: nothing is left to lose · move: the wrong place · toggle: the opposite · oneShot: twice the effect ·
 * set: the same again, harmless.
 */
export type StepNature = 'create' | 'destroy' | 'move' | 'toggle' | 'oneShot' | 'set'

/** Facts of one step that the executor, the preview and the approval need. */
export interface StepFacts {
  readonly nature: StepNature
  /** One line a person reads: "stop the virtual machine". */
  readonly words: string
  /** Stops a running virtual machine: subject to approval. */
  readonly stops?: boolean
  /** With `stops`: the spec asks for the machine to be off, so that putting it right needs no approval of its own. */
  readonly wantedOff?: boolean
  /** Ids of machines and load balancers the call names, and of a disk to boot from; one mutation at a time for each. */
  readonly locks?: readonly string[]
  /** What resolving an unclear outcome needs, as flat text; kept in the intent. */
  readonly details?: Readonly<Record<string, string>>
  /** What a leftover is as an object of ours: one that another object owns meanwhile stays. */
  readonly removes?: { readonly kind: KindName; readonly id: string }
  /** Data goes with it, and nothing shows that: it is not sent again after a busy answer either, which may not be true. */
  readonly onlyOnce?: boolean
  /** The call may take minutes: it goes in the slow lane. */
  readonly slow?: boolean
}

export interface StepBase {
  readonly do: string
}

/** Nothing more can be done until a person or a circumstance changes; the object stays as usable as it was. */
export interface Pending {
  readonly reason: Extract<DecideReason, 'StartRequired' | 'AttachRequired'> | 'Unsupported'
  readonly message: string
}

/** A person must change something. */
export interface Block {
  readonly reason: FixReason | Extract<DecideReason, 'ReplacementRequired' | 'ExternallyDeleted'>
  readonly message: string
}

/** Time or another object will change it. `usable`: false while the object cannot be used for this reason. */
export interface Wait {
  readonly reason: WaitReason | Extract<DecideReason, 'NotEmpty' | 'DeletionProtected'> | 'DefaultConflict'
  readonly message: string
}

/**
 * All steps in order. Only the first is ever performed, then the plan is made anew.
 * With steps left: `block` and `pending` are shown after the last one ran; `wait` means the first step must not run yet.
 */
export interface Plan<Step extends StepBase> {
  readonly steps: readonly Step[]
  readonly wait?: Wait
  readonly block?: Block
  readonly pending?: Pending
}

export function steps<Step extends StepBase>(...list: readonly Step[]): Plan<Step> {
  return { steps: list }
}

export const DONE: Plan<never> = { steps: [] }

export function waiting(reason: Wait['reason'], message: string): Plan<never> {
  return { steps: [], wait: { reason, message } }
}

export function blocked(reason: Block['reason'], message: string): Plan<never> {
  return { steps: [], block: { reason, message } }
}
