/** Every promise about security has a test that is there and runs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsOf, rowsOf, runningBelow } from '../support/book.ts'

const rows = rowsOf(readFileSync(new URL('PROMISES.md', import.meta.url), 'utf8'), 'Promise')

test('each promise has its own running tests', () => {
  expect(faultsOf(rows, runningBelow(new URL('../', import.meta.url)))).toEqual([])
})

test('the promises are complete in number', () => {
  expect(rows.filter(({ more }) => !more).length).toBeGreaterThan(60)
})
