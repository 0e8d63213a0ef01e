import { expect, test } from 'vitest'
import { createLocks } from '../../../src/reconcile/locks.ts'

const nobody = (): never => {
  throw new Error('nobody waits')
}

test('one holder at a time; who holds it may take it again', () => {
  const locks = createLocks()
  expect(locks.take('vm/1', 'a', nobody)).toBe(true)
  expect(locks.take('vm/1', 'a', nobody)).toBe(true)
  expect(locks.take('vm/1', 'b', () => undefined)).toBe(false)
  expect(locks.take('vm/2', 'b', nobody)).toBe(true)
})

test('a release wakes everyone who waited, once, and none of another lock', () => {
  const locks = createLocks()
  const woken: string[] = []
  locks.take('vm/1', 'a', nobody)
  locks.take('vm/2', 'z', nobody)
  for (const name of ['b', 'c', 'b']) locks.take('vm/1', name, () => woken.push(name))
  locks.take('vm/2', 'd', () => woken.push('d'))
  locks.releaseAll('a')
  expect(woken).toEqual(['b', 'c'])
  locks.releaseAll('a')
  expect(woken).toEqual(['b', 'c'])
  expect(locks.take('vm/1', 'c', nobody)).toBe(true)
})

test('everything of a holder is released', () => {
  const locks = createLocks()
  for (const name of ['vm/1', 'vm/2', 'create/x']) locks.take(name, 'a', nobody)
  locks.take('vm/3', 'b', nobody)
  locks.releaseAll('a')
  for (const name of ['vm/1', 'vm/2', 'create/x']) expect(locks.take(name, 'c', nobody)).toBe(true)
  expect(locks.take('vm/3', 'c', () => undefined)).toBe(false)
})

test('who is woken may take the lock at once, within the call', () => {
  const locks = createLocks()
  locks.take('vm/1', 'a', nobody)
  let taken = false
  locks.take('vm/1', 'b', () => void (taken = locks.take('vm/1', 'b', nobody)))
  locks.releaseAll('a')
  expect(taken).toBe(true)
})
