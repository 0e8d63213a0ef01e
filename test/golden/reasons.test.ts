import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DECIDE_REASONS, FIX_REASONS, GOOD_REASONS, OUR_REASONS, WAIT_REASONS } from '../../src/api/group.ts'

test('the README explains each reason once, and no other', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const table = readme.slice(readme.indexOf('| Reason |')).split('\n\n')[0] ?? ''
  const listed = table
    .split('\n')
    .slice(2)
    .flatMap((row) => (row.split('|')[1] ?? '').split(',').map((each) => each.trim()))
    .sort()
  const known = [...WAIT_REASONS, ...GOOD_REASONS, ...DECIDE_REASONS, ...FIX_REASONS, ...OUR_REASONS]
  expect(listed).toEqual([...new Set<string>(known)].sort())
})
