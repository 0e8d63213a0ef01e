import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONDITION_TYPES,
  DECIDE_REASONS,
  FIX_REASONS,
  GOOD_REASONS,
  OUR_REASONS,
  WAIT_REASONS,
} from '../../../src/api/group.ts'
import type { Condition } from '../../../src/api/shared.ts'
import {
  conditionsFor,
  sameConditions,
  settledBefore,
  type Usable,
  type Verdict,
} from '../../../src/reconcile/conditions.ts'
import { brokenRules } from '../../support/status-rules.ts'

const EARLIER = '2026-01-01T00:00:00Z'
const NOW = '2026-01-02T00:00:00Z'

const message = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constant(`${'x'.repeat(4095)}\u{1F600}`),
  fc.constant('y'.repeat(10_000)),
)
const usable: fc.Arbitrary<Usable> = fc.option(
  fc.record({ reason: fc.constantFrom('Available', 'Stopped', 'Observed'), message }),
  { nil: undefined },
)

/** Every verdict there is. */
const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.record({ is: fc.constant('good'), reason: fc.constantFrom(...GOOD_REASONS), message }),
  fc.record({
    is: fc.constant('working'),
    reason: fc.constantFrom(...WAIT_REASONS, 'NotEmpty', 'DeletionProtected', 'DefaultConflict'),
    message,
    usable: fc.constantFrom('unknown', 'no'),
  }),
  fc.record({
    is: fc.constant('pending'),
    reason: fc.constantFrom('ApprovalRequired', 'StartRequired', 'AttachRequired', 'Unsupported'),
    message,
    usable,
  }),
  fc.record({ is: fc.constant('drifted'), message, usable }),
  fc.record({
    is: fc.constant('stalled'),
    reason: fc.constantFrom(
      ...FIX_REASONS,
      ...OUR_REASONS,
      'ReplacementRequired',
      'ExternallyDeleted',
      'CreateOutcomeUnknown',
    ),
    message,
  }),
  fc.record({ is: fc.constant('paused'), message, applied: fc.boolean() }),
  fc.record({
    is: fc.constant('unread'),
    reason: fc.constantFrom('CloudUnreachable', 'RateLimited', 'AccountUnavailable'),
    message,
  }),
)

/** Any list at all, also such as nobody should have written. */
const anyList: fc.Arbitrary<Condition[]> = fc.array(
  fc.record({
    type: fc.constantFrom(...CONDITION_TYPES, 'Strange'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.constantFrom(...WAIT_REASONS, ...GOOD_REASONS, ...DECIDE_REASONS, ...FIX_REASONS),
    message: fc.string({ minLength: 1 }),
    lastTransitionTime: fc.constant(EARLIER),
    observedGeneration: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 9 },
)

function rules(conditions: readonly Condition[], generation: number): string[] {
  return brokenRules({
    kind: 'CloudVM',
    metadata: { name: 'web', generation },
    status: { observedGeneration: generation, conditions },
  })
}

describe('every list of conditions keeps the rules', () => {
  test('after any list whatever', () => {
    fc.assert(
      fc.property(fc.option(anyList, { nil: undefined }), verdict, (previous, each) => {
        expect(rules(conditionsFor(previous, each, 3, NOW), 3)).toEqual([])
      }),
      { numRuns: 20_000 },
    )
  })

  test('after any sequence of verdicts and generations', () => {
    const passes = fc.array(fc.record({ verdict, grows: fc.boolean() }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(passes, (sequence) => {
        let conditions: Condition[] | undefined
        let generation = 1
        for (const pass of sequence) {
          if (pass.grows) generation += 1
          conditions = conditionsFor(conditions, pass.verdict, generation, NOW)
          expect(rules(conditions, generation)).toEqual([])
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('the same verdict again changes nothing, times included', () => {
    fc.assert(
      fc.property(fc.option(anyList, { nil: undefined }), verdict, (previous, each) => {
        const once = conditionsFor(previous, each, 3, EARLIER)
        const twice = conditionsFor(once, each, 3, NOW)
        expect(twice).toEqual(once)
        expect(sameConditions(once, twice)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('no message is longer than a status takes, and none is cut within a character', () => {
    fc.assert(
      fc.property(verdict, (each) => {
        for (const { message: text } of conditionsFor(undefined, each, 1, NOW)) {
          expect(text.length).toBeLessThanOrEqual(4_096)
          expect(text.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})

/** Type=status(reason), in order. */
function shown(conditions: readonly Condition[]): string[] {
  return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`)
}

const GOOD: Verdict = { is: 'good', reason: 'Available', message: 'It works.' }
const WORKING: Verdict = { is: 'working', reason: 'Creating', message: 'on it', usable: 'no' }
const STALLED: Verdict = { is: 'stalled', reason: 'QuotaExceeded', message: 'too much' }
const PENDING: Verdict = { is: 'pending', reason: 'ApprovalRequired', message: 'may I', usable: undefined }
const DRIFTED: Verdict = { is: 'drifted', message: 'differs', usable: undefined }
const UNREAD: Verdict = { is: 'unread', reason: 'CloudUnreachable', message: 'no answer' }
const NO_ACCOUNT: Verdict = { is: 'unread', reason: 'AccountUnavailable', message: 'create it' }
const RUNS: Usable = { reason: 'Available', message: 'It runs.' }

function after(...verdicts: readonly Verdict[]): string[] {
  let conditions: Condition[] | undefined
  for (const each of verdicts) conditions = conditionsFor(conditions, each, 1, NOW)
  return shown(conditions ?? [])
}

describe('the table', () => {
  test.each<[string, readonly Verdict[], readonly string[]]>([
    ['good', [GOOD], ['Ready=True Available', 'Synced=True InSync']],
    [
      'good, only observed',
      [{ is: 'good', reason: 'Observed', message: 'seen' }],
      ['Ready=True Observed', 'Synced=True Observed'],
    ],
    [
      'working, not usable',
      [WORKING],
      ['Ready=False Creating', 'Synced=False Creating', 'Reconciling=True Creating'],
    ],
    [
      'working, may be usable',
      [{ ...WORKING, reason: 'Updating', usable: 'unknown' }],
      ['Ready=Unknown Updating', 'Synced=False Updating', 'Reconciling=True Updating'],
    ],
    [
      'pending keeps Ready',
      [GOOD, PENDING],
      ['Ready=True Available', 'Synced=False ApprovalRequired', 'UpdatePending=True ApprovalRequired'],
    ],
    [
      'pending at first',
      [PENDING],
      [
        'Ready=False ApprovalRequired',
        'Synced=False ApprovalRequired',
        'UpdatePending=True ApprovalRequired',
      ],
    ],
    [
      'pending of what is seen to work',
      [WORKING, { ...PENDING, usable: RUNS }],
      ['Ready=True Available', 'Synced=False ApprovalRequired', 'UpdatePending=True ApprovalRequired'],
    ],
    [
      'drifted keeps Ready',
      [GOOD, DRIFTED],
      ['Ready=True Available', 'Synced=False DriftDetected', 'Drifted=True DriftDetected'],
    ],
    [
      'stalled',
      [GOOD, STALLED],
      ['Ready=False QuotaExceeded', 'Synced=False QuotaExceeded', 'Stalled=True QuotaExceeded'],
    ],
    [
      'paused after all was applied',
      [GOOD, { is: 'paused', message: 'waits', applied: true }],
      ['Ready=True Available', 'Synced=True InSync', 'Paused=True Paused'],
    ],
    [
      'paused before it was applied',
      [GOOD, { is: 'paused', message: 'waits', applied: false }],
      ['Ready=True Available', 'Synced=Unknown Paused', 'Paused=True Paused'],
    ],
    [
      'unread at first: not usable yet',
      [UNREAD],
      ['Ready=False CloudUnreachable', 'Synced=False CloudUnreachable', 'Reconciling=True CloudUnreachable'],
    ],
    [
      'unread after good: only Synced',
      [GOOD, UNREAD],
      ['Ready=True Available', 'Synced=Unknown CloudUnreachable'],
    ],
    [
      'unread after stalled: as it was',
      [STALLED, UNREAD],
      ['Ready=False QuotaExceeded', 'Synced=False QuotaExceeded', 'Stalled=True QuotaExceeded'],
    ],
    [
      'without its account after stalled: Synced says so',
      [STALLED, NO_ACCOUNT],
      ['Ready=False QuotaExceeded', 'Synced=Unknown AccountUnavailable', 'Stalled=True QuotaExceeded'],
    ],
    [
      'unread after pending',
      [GOOD, PENDING, UNREAD],
      ['Ready=True Available', 'Synced=Unknown CloudUnreachable', 'UpdatePending=True ApprovalRequired'],
    ],
    [
      'unread while working',
      [{ ...WORKING, usable: 'unknown' }, UNREAD],
      [
        'Ready=Unknown CloudUnreachable',
        'Synced=False CloudUnreachable',
        'Reconciling=True CloudUnreachable',
      ],
    ],
    [
      'unread no longer paused',
      [GOOD, { is: 'paused', message: 'waits', applied: true }, UNREAD],
      ['Ready=True Available', 'Synced=Unknown CloudUnreachable'],
    ],
  ])('%s', (_case, verdicts, expected) => {
    expect(after(...verdicts)).toEqual(expected)
  })

  test('a failed read at another generation is work again', () => {
    const good = conditionsFor(undefined, GOOD, 1, NOW)
    expect(shown(conditionsFor(good, UNREAD, 2, NOW))).toEqual([
      'Ready=Unknown CloudUnreachable',
      'Synced=False CloudUnreachable',
      'Reconciling=True CloudUnreachable',
    ])
  })
})

test('a time moves only with the status', () => {
  const good = conditionsFor(undefined, GOOD, 1, EARLIER)
  const other = conditionsFor(good, { ...GOOD, message: 'other words' }, 2, NOW)
  expect(other.map((each) => each.lastTransitionTime)).toEqual([EARLIER, EARLIER])
  const stalled = conditionsFor(other, STALLED, 2, NOW)
  expect(stalled.map((each) => each.lastTransitionTime)).toEqual([NOW, NOW, NOW])
})

test('settled: this generation was looked at and nothing was going on', () => {
  const good = conditionsFor(undefined, GOOD, 2, NOW)
  expect(settledBefore(good, 2)).toBe(true)
  expect(settledBefore(good, 3)).toBe(false)
  expect(settledBefore([], 1)).toBe(false)
  expect(settledBefore(conditionsFor(undefined, WORKING, 1, NOW), 1)).toBe(false)
  expect(settledBefore(conditionsFor(undefined, STALLED, 1, NOW), 1)).toBe(true)
  expect(settledBefore([...good, ...good], 2)).toBe(false)
})

test('the same: everything but the times', () => {
  const [ready, synced] = conditionsFor(undefined, GOOD, 1, EARLIER)
  if (ready === undefined || synced === undefined) throw new Error('two conditions')
  expect(sameConditions([ready, synced], conditionsFor(undefined, GOOD, 1, NOW))).toBe(true)
  expect(sameConditions(undefined, [ready])).toBe(false)
  expect(sameConditions([ready], [ready, synced])).toBe(false)
  for (const change of [
    { type: 'Synced' },
    { status: 'False' },
    { reason: 'Stopped' },
    { message: 'other' },
    { observedGeneration: 2 },
  ])
    expect(sameConditions([{ ...ready, ...change }, synced], [ready, synced])).toBe(false)
})
