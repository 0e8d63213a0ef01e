/**
 * A plan: a scenario, a seed, and what is made to go wrong in it. Plain data: a plan that failed replays from a small
 * file. Perturbations name events ("the 2nd POST /user-resource/vm"), never positions of the scheduler.
 */
import type { Profile } from '../../src/simulator/state/model.ts'
import type { PersonStep } from './steps.ts'

export interface Plan {
  readonly scenario: string
  readonly seed: number
  readonly profile: Profile
  /** 'one' when absent. */
  readonly leaders?: Leaders
  readonly perturbations: readonly Perturbation[]
}

/** One process without a lease, or two that elect a leader. */
export type Leaders = 'one' | 'two'

export interface Perturbation {
  readonly at: Moment
  readonly do: Trouble
}

/** The nth call of this label from the start of the run, 1 for the first. Labels: see label.ts. */
export interface Moment {
  readonly port: 'cloud' | 'kube'
  readonly call: string
  readonly nth: number
  /** So many calls of the label in all; 1 when absent. */
  readonly times?: number
}

/**
 * before: it never arrives · arrived: while the service works on it · committed: it is done, the answer is on its way ·
 * answered: right after the answer was taken.
 */
export type Point = 'before' | 'arrived' | 'committed' | 'answered'

export type Trouble =
  /** The process dies there; another one starts `restartMs` later (5 s when absent). */
  | { readonly kill: Point; readonly restartMs?: number }
  /** What the caller sees instead of the answer, and whether the change happened: not at all, at once, or so much later. */
  | { readonly answer: AnswerTrouble; readonly effect: 'never' | 'done' | { readonly afterMs: number } }
  /** Reads that do not show what is. */
  | { readonly read: ReadTrouble }
  | { readonly watch: WatchTrouble; readonly kind?: string }
  /** Somebody does this at that moment, before the call is carried out. */
  | { readonly person: PersonStep }
  /**
   * The cluster's state goes back to what it was `agoMs` before. `overtaken`: the server's versions soon pass the lost
   * ones again, so that a watch at a lost position hears of what comes after it; else it stays deaf.
   */
  | { readonly restoreEtcd: { readonly agoMs: number; readonly overtaken?: boolean } }
  /** The wall clock of the operator steps. */
  | { readonly clockStepMs: number }
  /** The process stands still; `suspended`: its monotonic clock too. */
  | { readonly pauseMs: number; readonly suspended?: boolean }

export type AnswerTrouble =
  | 'notSent'
  | 'reset'
  | 'hang'
  | 'truncated'
  | 'wrongShape'
  | 'html'
  | 'redirect'
  | { readonly status: number; readonly retryAfterSeconds?: number }

export type ReadTrouble =
  /** Shows the state of this moment for so long, whatever changes meanwhile; all reads, or those of this call alone. */
  | { readonly lagMs: number; readonly everything: boolean }
  | 'shuffle'
  | 'repeat'
  /** The last row is missing. */
  | 'omitLast'

export type WatchTrouble = 'dead' | 'ended' | 'gone' | { readonly delayMs: number }
