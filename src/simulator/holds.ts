/** Holds: a request stops at an exact point until a test lets it go, or its client goes away. For crash tests. */
import type { Clock } from '../loop/clock.ts'
import { matches } from './faults.ts'

export interface HoldWish {
  method: string
  /** Without version and slug; ':x' matches one segment. */
  path: string
  /** The nth matching call from now; 1 when absent. */
  nth?: number
  point: 'before' | 'afterCommit'
}

export type Release = 'answer' | 'reset'

export interface Holds {
  hold(wish: HoldWish): { id: string }
  held(id: string): boolean
  waitHeld(id: string, timeoutMs: number): Promise<void>
  release(id: string, how: Release): void
  /** Counts the call and gives the holds it must pass. */
  match(method: string, path: string): Hold[]
}

export interface Hold {
  point: HoldWish['point']
  /** Resolves when released, or with 'gone' when the client went away. */
  pass(onGone: (callback: () => void) => void): Promise<Release | 'gone'>
}

interface Entry extends HoldWish {
  seen: number
  state: 'waiting' | 'reached' | 'over'
  released: Release | undefined
  go: ((how: Release) => void) | undefined
  waiters: (() => void)[]
}

export function createHolds(clock: Clock): Holds {
  const entries = new Map<string, Entry>()
  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (entry === undefined) throw new Error(`no such hold: ${id}`)
    return entry
  }
  return {
    hold: (wish) => {
      const id = `hold-${entries.size + 1}`
      entries.set(id, { ...wish, seen: 0, state: 'waiting', released: undefined, go: undefined, waiters: [] })
      return { id }
    },
    held: (id) => find(id).state !== 'waiting',
    waitHeld: (id, timeoutMs) => waitReached(clock, id, find(id), timeoutMs),
    release: (id, how) => {
      const entry = find(id)
      entry.released = how
      entry.go?.(how)
    },
    match: (method, path) =>
      [...entries.values()].flatMap((entry) => {
        if (entry.state === 'over' || !matches(entry, method, path)) return []
        entry.seen += 1
        return entry.seen === (entry.nth ?? 1)
          ? [{ point: entry.point, pass: (onGone) => pass(entry, onGone) }]
          : []
      }),
  }
}

function pass(entry: Entry, onGone: (callback: () => void) => void): Promise<Release | 'gone'> {
  return new Promise((resolve) => {
    const settle = (how: Release | 'gone') => {
      entry.state = 'over'
      resolve(how)
    }
    entry.state = 'reached'
    for (const waiter of entry.waiters.splice(0)) waiter()
    if (entry.released !== undefined) {
      settle(entry.released)
      return
    }
    entry.go = settle
    onGone(() => settle('gone'))
  })
}

function waitReached(clock: Clock, id: string, entry: Entry, timeoutMs: number): Promise<void> {
  if (entry.state !== 'waiting') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () =>
      reject(new Error(`${id} was not reached within ${timeoutMs} ms`)),
    )
    entry.waiters.push(() => {
      cancel()
      resolve()
    })
  })
}
