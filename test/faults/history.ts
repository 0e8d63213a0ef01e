/**
 * What happened in a run, as one list of plain entries: the in-process rig and one with real processes write the same,
 * and every oracle reads nothing else. Times are milliseconds since the start of the run.
 */
import type { Inventory } from '../../src/simulator/inventory.ts'
import type { ModelObject } from './kube/objects.ts'
import type { Perturbation, Plan, Trouble } from './plan.ts'

export type Entry =
  ProcessEntry | CallEntry | WriteEntry | PersonEntry | TroubleEntry | MomentEntry | LogEntry

export interface ProcessEntry {
  readonly is: 'process'
  readonly at: number
  readonly process: number
  readonly what: 'started' | 'killed' | 'paused' | 'lost'
}

/** A request that reached the service, or was to. Filled in as it goes on. */
export interface CallEntry {
  readonly is: 'call'
  readonly process: number
  /** As in a plan: method, and path without ids. */
  readonly label: string
  readonly method: string
  readonly mutation: boolean
  readonly sentAt: number
  readonly operationID?: string
  /** What was to go wrong with it; absent: nothing. */
  readonly met?: readonly Trouble[]
  /** Holder of the lease when it left; absent: no lease. */
  readonly leaseHolder?: number
  /** Without version and slug. */
  path: string
  query: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
  /** When it reached the service, and when the service was done with it; absent: never. */
  arrivedAt?: number
  doneAt?: number
  /** What the service answered; absent: nothing. */
  status?: number
  /** What it did, in the service's words. */
  effect?: string
  /** Data tokens that were destroyed by it. */
  lost: readonly string[]
  /** Preconditions of the interface that it broke. */
  violated: number
  /** What the process saw: the answer's status, or how it failed; absent: it died before. */
  seen?: number | 'notSent' | 'stopped' | 'broken' | 'nothing'
}

/** A write to the API server, by a process of ours or by a person. */
export interface WriteEntry {
  readonly is: 'write'
  readonly at: number
  /** 0: a person. */
  readonly process: number
  readonly label: string
  readonly kind: string
  readonly name: string
  readonly status: number
  readonly before?: ModelObject
  /** Absent: it is gone, or nothing was written. */
  readonly after?: ModelObject
  /** The body as sent, as text. */
  readonly body: string
}

export interface PersonEntry {
  readonly is: 'person'
  readonly at: number
  readonly what: string
  /** It could not be done; `what` says why. */
  readonly undone?: true
  /** Data tokens that the person destroyed, and ids that the person made, changed or destroyed in the cloud. */
  readonly lost: readonly string[]
  readonly ids: readonly string[]
  /** Ids of what the person made in the cloud. */
  readonly made?: readonly string[]
}

export interface TroubleEntry {
  readonly is: 'trouble'
  readonly at: number
  readonly perturbation: Perturbation
}

/**
 * begin: before our first object · settled: faults are over and everything has come to rest · quiet: some intervals later
 * · end: after everything was deleted.
 */
export interface MomentEntry {
  readonly is: 'moment'
  readonly at: number
  readonly moment: 'begin' | 'settled' | 'quiet' | 'end'
  /** Whether it came by itself, or the time ran out first. */
  readonly reached: boolean
  readonly inventory: Inventory
  readonly objects: readonly ModelObject[]
}

export interface LogEntry {
  readonly is: 'log'
  readonly at: number
  readonly process: number
  readonly level: 'error' | 'warn'
  readonly text: string
}

export interface History {
  readonly plan: Plan
  /** The account's settle time in the times of this history; absent: as in plans. */
  readonly settleMs?: number
  readonly entries: readonly Entry[]
  /** Values that must never show anywhere. */
  readonly secrets: readonly string[]
  /** Of the same scenario, profile and leaders without trouble; absent in that run itself. */
  readonly reference?: History
  /** Lines of the log, when they were kept. */
  readonly lines: readonly string[]
  /** How often each call was made: `cloud POST /user-resource/vm`, `kube update cloudvms/status web`. */
  readonly labels: Readonly<Record<string, number>>
  /** One word for everything that ran and when: equal words, equal runs. */
  readonly trace: string
}

/** A broken promise, in words for the person who looks into it. */
export interface Violation {
  readonly oracle: string
  readonly what: string
}

export function entriesOf<Is extends Entry['is']>(
  history: History,
  is: Is,
): readonly Extract<Entry, { is: Is }>[] {
  return history.entries.filter((each): each is Extract<Entry, { is: Is }> => each.is === is)
}

export function momentOf(history: History, moment: MomentEntry['moment']): MomentEntry | undefined {
  return entriesOf(history, 'moment').find((each) => each.moment === moment)
}
