/**
 * A controller without a domain: which key is worked on next, when again, and what an error means for it.
 * Knows neither Kubernetes nor the cloud.
 */
import type { Clock } from './clock.ts'
import { createHeap } from './heap.ts'

export type Priority = 'change' | 'retry' | 'requeue' | 'resync'

export interface Taken {
  readonly key: string
  readonly priority: Priority
  /** From when the key was due until it was taken. */
  readonly waitedMs: number
}

/**
 * How much later than its due time a key counts. A key that has waited longer than its class's handicap goes before a
 * change that arrives now: so nothing is passed over for more than 30 s, and changes go first until then.
 */
const HANDICAP_MS: Readonly<Record<Priority, number>> = {
  change: 0,
  retry: 10_000,
  requeue: 20_000,
  resync: 30_000,
}

/** A key that waits. Replaced when it is added again: a heap item whose entry is not the key's current one is stale. */
interface Entry {
  readonly key: string
  readonly dueAt: number
  readonly priority: Priority
  /** In the ready heap and counted as such; otherwise in the delayed one. */
  ready: boolean
}

/** Keys waiting for a pass: each at most once, at its earliest due time, by priority with ageing. */
export class Queue {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Entry>()
  readonly #ready = createHeap<Entry>()
  readonly #delayed = createHeap<Entry>()
  readonly #running = new Set<string>()
  /** Added while running; they wait from `done` on. */
  readonly #dirty = new Map<string, Entry>()
  #readyCount = 0
  #timer: { readonly at: number; readonly cancel: () => void } | undefined
  #listener: () => void = () => undefined
  #closed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Due after `afterMs` (default: now). An earlier due time and a higher priority of the same key win. */
  add(key: string, priority: Priority, afterMs = 0): void {
    if (this.#closed) return
    const dueAt = this.#clock.monotonic() + Math.max(0, afterMs)
    const entry = { key, priority, dueAt, ready: false }
    if (this.#running.has(key)) this.#dirty.set(key, merge(this.#dirty.get(key), entry))
    else this.#wait(entry)
  }

  /** The next due key, which then counts as running until `done`. */
  take(): Taken | undefined {
    this.#promote()
    for (;;) {
      const entry = this.#ready.pop()
      if (entry === undefined) return undefined
      if (this.#waiting.get(entry.key) !== entry) continue
      this.#waiting.delete(entry.key)
      this.#readyCount -= 1
      this.#running.add(entry.key)
      const waitedMs = this.#clock.monotonic() - entry.dueAt
      return { key: entry.key, priority: entry.priority, waitedMs }
    }
  }

  /** Ends the pass on `key`; if it was added meanwhile it waits again. */
  done(key: string): void {
    this.#running.delete(key)
    const entry = this.#dirty.get(key)
    this.#dirty.delete(key)
    if (entry !== undefined && !this.#closed) this.#wait(entry)
  }

  depth(): { ready: number; delayed: number; running: number } {
    const delayed = this.#waiting.size - this.#readyCount
    return { ready: this.#readyCount, delayed, running: this.#running.size }
  }

  /** The one listener that is called when a key becomes due. */
  onReady(listener: () => void): void {
    this.#listener = listener
    if (this.#readyCount > 0) listener()
  }

  /** Forgets everything that waits and takes nothing more. */
  close(): void {
    this.#closed = true
    this.#waiting.clear()
    this.#dirty.clear()
    this.#ready.clear()
    this.#delayed.clear()
    this.#readyCount = 0
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #wait(added: Entry): void {
    const known = this.#waiting.get(added.key)
    const entry = merge(known, added)
    if (entry === known) return
    if (known?.ready === true) this.#readyCount -= 1
    this.#waiting.set(entry.key, entry)
    if (entry.dueAt > this.#clock.monotonic()) {
      this.#delayed.push(entry.dueAt, entry)
      this.#arm()
      return
    }
    this.#makeReady(entry)
    this.#listener()
  }

  #makeReady(entry: Entry): void {
    entry.ready = true
    this.#readyCount += 1
    this.#ready.push(entry.dueAt + HANDICAP_MS[entry.priority], entry)
  }

  /** Moves what has become due from the delayed heap to the ready one; says whether there was any. */
  #promote(): boolean {
    const now = this.#clock.monotonic()
    let any = false
    for (
      let head = this.#firstDelayed();
      head !== undefined && head.dueAt <= now;
      head = this.#firstDelayed()
    ) {
      this.#delayed.pop()
      this.#makeReady(head)
      any = true
    }
    return any
  }

  #firstDelayed(): Entry | undefined {
    for (;;) {
      const head = this.#delayed.peek()?.value
      if (head === undefined || (this.#waiting.get(head.key) === head && !head.ready)) return head
      this.#delayed.pop()
    }
  }

  /** One timer, for the earliest delayed key. */
  #arm(): void {
    const head = this.#firstDelayed()
    if (head === undefined || (this.#timer !== undefined && this.#timer.at <= head.dueAt)) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(Math.max(1, head.dueAt - this.#clock.monotonic()), () => {
      this.#timer = undefined
      const any = this.#promote()
      this.#arm()
      if (any) this.#listener()
    })
    this.#timer = { at: head.dueAt, cancel }
  }
}

/** The earlier due time and the higher priority; the very same entry when nothing is gained. */
function merge(known: Entry | undefined, added: Entry): Entry {
  if (known === undefined) return added
  const dueAt = Math.min(known.dueAt, added.dueAt)
  const priority = HANDICAP_MS[added.priority] < HANDICAP_MS[known.priority] ? added.priority : known.priority
  if (dueAt === known.dueAt && priority === known.priority) return known
  return { key: known.key, dueAt, priority, ready: false }
}
