import { describe, expect, test } from 'vitest'
import { faultsOf, rowsOf, runningOf } from './book.ts'
import { titlesIn } from './titles.ts'

describe('faults of a book', () => {
  const tests = (text: string) => () => runningOf(text)
  const row = (sentence: string, name: string, more = false) => ({
    family: 'A',
    sentence,
    file: 'a',
    test: name,
    more,
  })

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

  test('a sentence or a test that stands twice', () => {
    const all = tests("test('one', f); test('two', g)")
    expect(faultsOf([row('r', 'one'), row('R', 'two')], all)).toEqual(['stands twice: a: r'])
    expect(faultsOf([row('r', 'one'), row('s', 'one')], all)).toEqual(['stands twice: a: one'])
    expect(faultsOf([row('r', 'one'), row('r', 'two', true)], all)).toEqual([])
  })

  test('a row without its three cells, or without a sentence above it', () => {
    expect(() => rowsOf('| rule | file |', 'Rule')).toThrow(/three cells/)
    expect(() => rowsOf('| rule | file | |', 'Rule')).toThrow(/three cells/)
    expect(() => rowsOf('| | file | test |', 'Rule')).toThrow(/three cells/)
  })
})

test('an empty first cell is one more test of the sentence above', () => {
  const book = '## F\n\n| Rule | File | Test |\n|---|---|---|\n| r | f | one |\n| | g | two |\n'
  expect(rowsOf(book, 'Rule')).toEqual([
    { family: 'F', sentence: 'r', file: 'f', test: 'one', more: false },
    { family: 'F', sentence: 'r', file: 'g', test: 'two', more: true },
  ])
})

test('names in tables are written out', () => {
  const text = `
    test.each([['a', 1], ['b', 2]] as [string, number][])('%s has %i', f)
    test.each(['x', y])('just %s', f)
    test.each([{ at: 'home', n: 3, o: y }])('$n at $at with $o', f)
    test.each(rows)('row %s', f)`
  expect(titlesIn(text).map(({ title }) => title)).toEqual([
    'a has 1',
    'b has 2',
    'just x',
    'just %s',
    '3 at home with $o',
    'row %s',
  ])
})
