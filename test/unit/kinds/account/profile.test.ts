/** Which fields of a profile are written. */
import { expect, test } from 'vitest'
import type { ProfileRecord } from '../../../../src/cloud/records.ts'
import { differing } from '../../../../src/kinds/account/profile.ts'

const shown: ProfileRecord = {
  firstName: 'Ada',
  lastName: '',
  phoneNumber: '1',
  hasPersonalIDNumber: (value) => value === '42',
}

test.each([
  ['nothing given', {}, undefined, []],
  ['the same', { firstName: 'Ada', phoneNumber: '1' }, '42', []],
  ['one that differs', { firstName: 'Eva', phoneNumber: '1' }, undefined, ['firstName']],
  ['one that is not filled in yet', { lastName: 'Lovelace' }, undefined, ['lastName']],
  ['another number', { lastName: 'Lovelace' }, '43', ['lastName', 'personalIDNumber']],
] as const)('%s', (_title, profile, number, fields) => {
  expect(differing(profile, shown, number)).toEqual(fields)
})

test('what the service does not show is unknown, and never different', () => {
  const profile = { firstName: 'Ada', lastName: 'Lovelace' }
  expect(differing(profile, { firstName: 'Eva' }, '42')).toEqual(['firstName'])
  expect(differing(profile, undefined, '42')).toEqual([])
})
