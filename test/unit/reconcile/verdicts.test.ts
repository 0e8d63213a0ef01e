import { describe, expect, test } from 'vitest'
import { CloudError, type CloudErrorFacts } from '../../../src/cloud/errors.ts'
import { DEFAULT_DURATIONS } from '../../../src/reconcile/durations.ts'
import { deniedVerdict, readFailed, refusedVerdict, said } from '../../../src/reconcile/verdicts.ts'

function failure(facts: Partial<CloudErrorFacts> = {}): CloudError {
  return new CloudError({
    class: 'refused',
    text: 'no',
    method: 'POST',
    path: '/disks',
    sent: true,
    ...facts,
  })
}

const refused = (facts: Partial<CloudErrorFacts>, withSecret = false) =>
  refusedVerdict(failure(facts), 'create the disk', DEFAULT_DURATIONS, { withSecret })

describe('a refusal', () => {
  test.each<[string, Partial<CloudErrorFacts>, string, number]>([
    ['of the spec', { text: 'size_gb: too small' }, 'InvalidSpec', 3_600_000],
    ['a quota', { text: 'Quota of disks reached' }, 'QuotaExceeded', 600_000],
    ['a limit reached', { text: 'the limit has been reached' }, 'QuotaExceeded', 600_000],
    ['more than a limit', { text: 'this exceeds your disk limit' }, 'QuotaExceeded', 600_000],
    ['no money', { text: 'Insufficient funds' }, 'QuotaExceeded', 600_000],
    [
      'a bound of the service is no quota',
      { text: 'name: limit is 20 characters' },
      'InvalidSpec',
      3_600_000,
    ],
    ['a name that is taken', { text: 'quota', nameTaken: true }, 'NameTaken', 3_600_000],
    ['a missing route', { text: 'quota', missingRoute: true }, 'Unsupported', 3_600_000],
  ])('%s', (_case, facts, reason, retryMs) => {
    const result = refused(facts)
    expect(result.retryMs).toBe(retryMs)
    expect(result.verdict).toMatchObject({ is: 'stalled', reason })
  })

  test('says what was tried, the service’s own words, and what to do', () => {
    const message =
      'the service refused to create the disk: "too small" (field size_gb); correct the spec; an edit is tried at once'
    expect(refused({ text: 'too small', field: 'size_gb' }).verdict).toEqual({
      is: 'stalled',
      reason: 'InvalidSpec',
      message,
    })
  })

  test('may lie in a Secret', () => {
    expect(refused({}, true).verdict.message).toMatch(/or the Secret it refers to/)
    expect(refused({ text: 'quota' }, true).verdict.message).not.toMatch(/Secret/)
  })
})

describe('a failed read', () => {
  test.each<[CloudErrorFacts['class'], string]>([
    ['slowDown', 'RateLimited'],
    ['unclear', 'CloudUnreachable'],
    ['notSent', 'CloudUnreachable'],
    ['refused', 'CloudUnreachable'],
    ['busy', 'CloudUnreachable'],
  ])('%s', (each, reason) => {
    const { verdict, afterMs } = readFailed(failure({ class: each }), DEFAULT_DURATIONS)
    expect(verdict).toMatchObject({ is: 'unread', reason })
    expect(afterMs).toBe(DEFAULT_DURATIONS.pollMaxMs)
  })

  test('honours the time that the service asks for', () => {
    expect(readFailed(failure({ class: 'slowDown', retryAfterMs: 77 }), DEFAULT_DURATIONS).afterMs).toBe(77)
  })
})

test('a denial names what the key may not do', () => {
  expect(deniedVerdict(failure({ class: 'denied' }), 'delete the disk')).toEqual({
    is: 'stalled',
    reason: 'PermissionDenied',
    message:
      'the service does not let this key delete the disk: "no"; give the key the permission, or use another account',
  })
})

test('the service’s own words, with a field that means something', () => {
  expect(said(failure())).toBe('"no"')
  expect(said(failure({ field: 'Error' }))).toBe('"no"')
  expect(said(failure({ field: 'size_gb' }))).toBe('"no" (field size_gb)')
})
