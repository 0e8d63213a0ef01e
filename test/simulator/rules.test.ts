/** Every rule of the rule book has a test that is there and runs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsOf, rowsOf, runningBelow } from '../support/book.ts'

const rows = rowsOf(readFileSync(new URL('RULES.md', import.meta.url), 'utf8'), 'Rule')

test('each row of the rule book has its own rule and its own running test', () => {
  expect(faultsOf(rows, runningBelow(new URL('./', import.meta.url)))).toEqual([])
  expect(rows.filter(({ more }) => more)).toEqual([])
})

test('the rule book is complete in number', () => {
  expect(rows.length).toBeGreaterThan(200)
})
