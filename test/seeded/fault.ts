/**
 * Seeded faults: the operator with one rule of its protocol broken at a time. Each has to be noticed, by an oracle of the
 * fault rig or by the test named for it; one that is not is a hole in the rig, not in the operator. Nothing here changes a
 * file of the repository.
 */
import type { Leaders, Perturbation } from '../faults/plan.ts'
import type { Profile } from '../../src/simulator/state/model.ts'
import type { Rule } from './rules.ts'

/** A story of the rig, and which of its troubles are likely to show the fault. */
export interface Look {
  readonly scenario: string
  /** 'extended' when absent. */
  readonly profile?: Profile
  /** 'one' when absent. */
  readonly leaders?: Leaders
  /** 1 when absent. */
  readonly seed?: number
  /** Rows of the rig's table: 'kill', 'people' …; absent: all. */
  readonly groups?: readonly string[]
  /** Part of the label of the call that the trouble meets, with its port: 'cloud POST /user-resource/vm'. */
  readonly at?: string
  /** Part of the trouble, as JSON. */
  readonly trouble?: string
  /** These very troubles instead of drawn ones. */
  readonly perturbations?: readonly Perturbation[]
}

export interface SeededFault {
  /** What was done to the operator, in a few words. */
  readonly name: string
  /** The rule that is broken by it. */
  readonly rule: Rule
  /** Below src/. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Where it shows: stories of the rig, or a test that fails on the patched tree. */
  readonly shows: readonly Look[] | { readonly test: string }
}
