import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from '../../../src/loop/heap.ts'

test('values come out by time, equal ones in the order they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const heap = createHeap<{ at: number; order: number }>()
      times.forEach((at, order) => heap.push(at, { at, order }))
      const out: { at: number; order: number }[] = []
      for (let value = heap.pop(); value !== undefined; value = heap.pop()) out.push(value)
      const sorted = times
        .map((at, order) => ({ at, order }))
        .sort((a, b) => a.at - b.at || a.order - b.order)
      expect(out).toEqual(sorted)
    }),
  )
})

test('pushes and pops may be mixed', () => {
  const heap = createHeap<string>()
  heap.push(3, 'c')
  heap.push(1, 'a')
  expect(heap.pop()).toBe('a')
  heap.push(2, 'b')
  expect(heap.peek()).toMatchObject({ at: 2, value: 'b' })
  expect(heap.pop()).toBe('b')
  heap.clear()
  expect(heap.pop()).toBeUndefined()
})
