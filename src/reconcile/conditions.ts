/** The one table from a verdict to conditions. Pure. Nothing else in the operator makes a condition. */
import {
  CONDITION_TYPES,
  type ConditionType,
  type DecideReason,
  type FixReason,
  type GoodReason,
  type OurReason,
  type Reason,
  type WaitReason,
} from '../api/group.ts'
import type { Condition } from '../api/shared.ts'
import { STATUS_BOUNDS } from '../api/shared.ts'

/** What a pass found, in the terms of the table. `settled`: this generation was looked at and nothing was going on. */
export type Verdict =
  | { readonly is: 'good'; readonly reason: GoodReason; readonly message: string }
  /** `usable`: 'unknown' unless the object certainly cannot be used yet or while it is stopped for a change. */
  | {
      readonly is: 'working'
      readonly reason: WaitReason | 'NotEmpty' | 'DeletionProtected' | 'DefaultConflict'
      readonly message: string
      readonly usable: 'unknown' | 'no'
    }
  | {
      readonly is: 'pending'
      readonly reason: 'ApprovalRequired' | 'StartRequired' | 'AttachRequired' | 'Unsupported'
      readonly message: string
      readonly usable: Usable
    }
  | { readonly is: 'drifted'; readonly message: string; readonly usable: Usable }
  | {
      readonly is: 'stalled'
      readonly reason:
        | FixReason
        | OurReason
        | Extract<DecideReason, 'ReplacementRequired' | 'ExternallyDeleted'>
        | 'CreateOutcomeUnknown'
        | 'OutcomeUnknown'
      readonly message: string
      /** An operation that ended so. */
      readonly ended?: 'Failed' | 'OutcomeUnknown'
    }
  /** An operation that did what it was for. */
  | { readonly is: 'complete'; readonly message: string }
  | { readonly is: 'paused'; readonly message: string; readonly applied: boolean }
  /** A read failed; the spec may or may not have been applied before. */
  | {
      readonly is: 'unread'
      readonly reason: Extract<WaitReason, 'CloudUnreachable' | 'RateLimited' | 'AccountUnavailable'>
      readonly message: string
    }

/** Whether the object itself works, as last observed; undefined keeps what was said before. */
export type Usable =
  { readonly reason: 'Available' | 'Stopped' | 'Observed'; readonly message: string } | undefined

type Line = readonly [
  type: ConditionType,
  status: 'True' | 'False' | 'Unknown',
  reason: Reason,
  message: string,
]

/**
 * Conditions for a verdict, from the previous ones. `generation` is written to every condition, because root and
 * condition generations are read together. Times move only when a condition's status does.
 */
export function conditionsFor(
  previous: readonly Condition[] | undefined,
  verdict: Verdict,
  generation: number,
  now: string,
): Condition[] {
  return lines(previous ?? [], verdict, generation).map(([type, status, reason, message]) => {
    const before = previous?.find((each) => each.type === type)
    return {
      type,
      status,
      reason,
      message: message.slice(0, STATUS_BOUNDS.message).toWellFormed(),
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
      observedGeneration: generation,
    }
  })
}

/** True when nothing was going on at this generation: a failed read then changes only Synced, at most. */
export function settledBefore(previous: readonly Condition[], generation: number): boolean {
  const ready = previous.find((each) => each.type === 'Ready')
  if (ready === undefined || ready.observedGeneration !== generation) return false
  return !previous.some((each) => each.type === 'Reconciling') && isSound(previous)
}

const STANDING: readonly string[] = ['Ready', 'Synced'] satisfies ConditionType[]

/** As this file makes them: what somebody else wrote is not kept. */
function isSound(previous: readonly Condition[]): boolean {
  const types = previous.map((each) => each.type)
  const statusOf = (type: ConditionType) => previous.find((each) => each.type === type)?.status
  const has = (type: ConditionType) => statusOf(type) !== undefined
  const ready = statusOf('Ready')
  return (
    new Set(types).size === types.length &&
    types.every((type) => CONDITION_TYPES.some((known) => known === type)) &&
    previous.every(({ type, status }) => STANDING.includes(type) || status === 'True') &&
    statusOf('Synced') !== undefined &&
    (ready === 'False' || (ready === 'True' && !has('Stalled'))) &&
    (has('Stalled') || !(has('Failed') || has('OutcomeUnknown'))) &&
    (ready === 'True' || !has('Complete'))
  )
}

function lines(previous: readonly Condition[], verdict: Verdict, generation: number): Line[] {
  switch (verdict.is) {
    case 'good':
      return [
        ['Ready', 'True', verdict.reason, verdict.message],
        [
          'Synced',
          'True',
          verdict.reason === 'Observed' ? 'Observed' : 'InSync',
          'The cloud equals the spec.',
        ],
      ]
    case 'working':
      return working(verdict.reason, verdict.message, verdict.usable)
    case 'pending':
      return [
        kept(previous, verdict.usable, verdict.reason, verdict.message),
        ['Synced', 'False', verdict.reason, verdict.message],
        ['UpdatePending', 'True', verdict.reason, verdict.message],
      ]
    case 'drifted':
      return [
        kept(previous, verdict.usable, 'DriftDetected', verdict.message),
        ['Synced', 'False', 'DriftDetected', verdict.message],
        ['Drifted', 'True', 'DriftDetected', verdict.message],
      ]
    case 'stalled':
      return [
        ['Ready', 'False', verdict.reason, verdict.message],
        ['Synced', 'False', verdict.reason, verdict.message],
        ['Stalled', 'True', verdict.reason, verdict.message],
        ...(verdict.ended === undefined
          ? []
          : ([[verdict.ended, 'True', verdict.reason, verdict.message]] satisfies Line[])),
      ]
    case 'complete':
      return [
        ['Ready', 'True', 'Complete', verdict.message],
        ['Synced', 'True', 'InSync', 'It was done, and is not done again.'],
        ['Complete', 'True', 'Complete', verdict.message],
      ]
    case 'paused':
      return pausedLines(previous, verdict)
    case 'unread':
      return unread(previous, verdict, generation)
  }
}

function working(reason: Reason, message: string, usable: 'unknown' | 'no'): Line[] {
  return [
    ['Ready', usable === 'no' ? 'False' : 'Unknown', reason, message],
    ['Synced', 'False', reason, message],
    ['Reconciling', 'True', reason, message],
  ]
}

function pausedLines(previous: readonly Condition[], verdict: Extract<Verdict, { is: 'paused' }>): Line[] {
  const synced = previous.find((each) => each.type === 'Synced')
  const syncedLine: Line =
    verdict.applied && synced !== undefined
      ? ['Synced', synced.status as Line[1], synced.reason as Reason, synced.message]
      : ['Synced', 'Unknown', 'Paused', verdict.message]
  return [
    kept(previous, undefined, 'Paused', verdict.message),
    syncedLine,
    ['Paused', 'True', 'Paused', verdict.message],
  ]
}

function unread(
  previous: readonly Condition[],
  verdict: Extract<Verdict, { is: 'unread' }>,
  generation: number,
): Line[] {
  if (!settledBefore(previous, generation)) {
    const worked = previous.some((each) => each.type === 'Ready' && each.status !== 'False')
    return working(verdict.reason, verdict.message, worked ? 'unknown' : 'no')
  }
  const keptLines = previous.map((each): Line => [
    each.type as ConditionType,
    each.status as Line[1],
    each.reason as Reason,
    each.message,
  ])
  const stalled = previous.some((each) => each.type === 'Stalled')
  // An outage passes by itself. Without its account nothing is tried again, whatever else a person puts right.
  if (stalled && verdict.reason !== 'AccountUnavailable') return keptLines
  return keptLines
    .filter(([type]) => type !== 'Paused')
    .map((line) => (line[0] === 'Synced' ? ['Synced', 'Unknown', verdict.reason, verdict.message] : line))
}

/**
 * Ready as it was; Unknown is allowed only beside Reconciling, which is going away here, so it becomes False.
 */
function kept(previous: readonly Condition[], usable: Usable, reason: Reason, message: string): Line {
  if (usable !== undefined) return ['Ready', 'True', usable.reason, usable.message]
  const ready = previous.find((each) => each.type === 'Ready')
  if (ready === undefined || ready.status !== 'True') return ['Ready', 'False', reason, message]
  return ['Ready', 'True', ready.reason as Reason, ready.message]
}

/** Two condition lists mean the same: times aside. */
export function sameConditions(a: readonly Condition[] | undefined, b: readonly Condition[]): boolean {
  if (a === undefined || a.length !== b.length) return false
  return b.every((each, index) => {
    const other = a[index]
    return (
      other !== undefined &&
      other.type === each.type &&
      other.status === each.status &&
      other.reason === each.reason &&
      other.message === each.message &&
      other.observedGeneration === each.observedGeneration
    )
  })
}
