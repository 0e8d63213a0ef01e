import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from '../../../src/kube/lines.ts'
import { isOlder } from '../../../src/kube/versions.ts'

test('lines come whole, wherever the bytes are cut', () => {
  const text = fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' '))
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat(40)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const split = createLineSplitter()
      const out: string[] = []
      let from = 0
      for (const size of [...cuts, bytes.length]) {
        const part = split(bytes.subarray(from, from + size))
        if (part === 'tooLong') throw new Error('too long')
        out.push(...part)
        from = Math.min(bytes.length, from + size)
      }
      expect(out).toEqual(lines.filter((line) => line.trim() !== ''))
    }),
  )
})

test('an unfinished line is not given out', () => {
  const split = createLineSplitter()
  expect(split(Buffer.from('one\ntw'))).toEqual(['one'])
  expect(split(Buffer.from('o\n'))).toEqual(['two'])
})

test('a line without an end is given up at 16 MB', () => {
  const split = createLineSplitter()
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')
  for (let n = 0; n < 16; n += 1) expect(split(mebibyte)).toEqual([])
  expect(split(mebibyte)).toBe('tooLong')
})

test.each([
  ['1', '2', true],
  ['2', '1', false],
  ['5', '5', false],
  ['9', '10', true],
  ['10', '9', false],
  ['99999999999999999999', '100000000000000000000', true],
  ['', '1', false],
  ['abc', '1', false],
  ['1', 'abc', false],
])('version %s is older than %s: %s', (a, b, older) => {
  expect(isOlder(a, b)).toBe(older)
})
