/** Every rule of the rule book has a test that is there and runs. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { faultsOf, rowsOf } from './rules.ts'
import { titlesIn } from './titles.ts'

const book = readFileSync(new URL('RULES.md', import.meta.url), 'utf8')

function running(file: string): string[] {
  const url = new URL(`${file}.test.ts`, import.meta.url)
  if (!existsSync(url)) return []
  return titlesIn(readFileSync(url, 'utf8'))
    .filter(({ idle }) => !idle)
    .map(({ title }) => title)
}

test('each row of the rule book has its own rule and its own running test', () => {
  const known = new Map<string, string[]>()
  const once = (file: string) => {
    const names = known.get(file) ?? running(file)
    known.set(file, names)
    return names
  }
  expect(faultsOf(rowsOf(book), once)).toEqual([])
})

test('the rule book is complete in number', () => {
  expect(rowsOf(book).length).toBeGreaterThan(200)
})

describe('faults of a rule book', () => {
  const tests = (text: string) => () =>
    titlesIn(text)
      .filter(({ idle }) => !idle)
      .map(({ title }) => title)
  const row = (rule: string, name: string) => ({ family: 'A', rule, file: 'a', test: name })

  test('a test that is not there', () => {
    expect(faultsOf([row('r', 'other')], tests("test('one', () => {})"))).toEqual([
      'does not exist or does not run: a: other',
    ])
  })

  test.each([
    "test.skip('one', () => {})",
    "test.todo('one')",
    "test.skipIf(true)('one', () => {})",
    "describe.skip('all', () => { test('one', () => {}) })",
    "describe.skip('all', () => { describe.each(['x'])('%s', () => { test.each(['one'])('%s', () => {}) }) })",
  ])('a test that does not run: %s', (text) => {
    expect(faultsOf([row('r', 'one')], tests(text))).toHaveLength(1)
  })

  test('a name that two tests have', () => {
    expect(faultsOf([row('r', 'one')], tests("test('one', f); test('one', g)"))).toEqual([
      'is 2 tests: a: one',
    ])
  })

  test('a rule or a test that stands twice', () => {
    const all = tests("test('one', f); test('two', g)")
    expect(faultsOf([row('r', 'one'), row('R', 'two')], all)).toEqual(['stands twice: a: r'])
    expect(faultsOf([row('r', 'one'), row('s', 'one')], all)).toEqual(['holds two rules: a: one'])
  })

  test('a row without its three cells', () => {
    expect(() => rowsOf('| rule | file |')).toThrow(/three cells/)
    expect(() => rowsOf('| rule | file | |')).toThrow(/three cells/)
  })

  test('names in tables are written out', () => {
    const text = `
      test.each([['a', 1], ['b', 2]] as [string, number][])('%s has %i', f)
      test.each(['x', y])('just %s', f)
      test.each(rows)('row %s', f)`
    expect(titlesIn(text).map(({ title }) => title)).toEqual([
      'a has 1',
      'b has 2',
      'just x',
      'just %s',
      'row %s',
    ])
  })
})
