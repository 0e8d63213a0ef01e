/** The operator's own check of a spec; test/cluster/crds.test.ts puts the same specs before the API server. */
import { describe, expect, test } from 'vitest'
import { validateSpec } from '../../../src/api/validate.ts'
import { specCases } from './cases.ts'

describe('a spec is checked by the schema of its kind', () => {
  for (const { kind, title, spec, refused } of specCases) {
    const verdict = refused === undefined ? 'is accepted' : `is refused at ${refused.field}`
    test(`${kind} ${title} ${verdict}`, () => {
      const result = validateSpec(kind, spec)
      if (refused === undefined) expect(result).toEqual({ ok: true, spec })
      else expect(result).toMatchObject({ ok: false, field: refused.field })
    })
  }
})

test('the message of a rule over several fields is the API server’s', () => {
  expect(validateSpec('CloudDisk', {})).toEqual({
    ok: false,
    field: 'sizeGiB',
    message: 'sizeGiB is required unless adopting',
  })
})

test('fields that the schema does not know are left out', () => {
  expect(validateSpec('CloudNetwork', { default: true, colour: 'red' })).toEqual({
    ok: true,
    spec: { default: true },
  })
})

test('something that is no object is refused as a whole', () => {
  expect(validateSpec('CloudNetwork', 'backend')).toMatchObject({ ok: false, field: 'spec' })
  expect(validateSpec('CloudNetwork', undefined)).toMatchObject({ ok: false, field: 'spec' })
})
