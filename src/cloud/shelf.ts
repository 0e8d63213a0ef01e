/** One shared list: its current snapshot, and the one request that renews it. */
import type { Clock } from '../loop/clock.ts'
import type { ReadOptions } from './request.ts'

/** Either at most this old, or begun after this moment of `clock.monotonic`. */
export type Freshness = { readonly maxAgeMs: number } | { readonly startedAfter: number }

export interface Snapshot<R> {
  readonly rows: readonly R[]
  /** By uuid; a bucket by its name, a floating IP by its `id` as text. */
  readonly byID: ReadonlyMap<string, R>
  /** `clock.monotonic` when the list's request began. */
  readonly startedAt: number
}

/** A row that was written through; without one the resource is known to be gone. */
interface Note<R> {
  readonly at: number
  readonly row?: R
}

/** When a request began; undefined while it still waits in the budget's queue. */
interface Begun {
  startedAt: number | undefined
}

interface Running<R> {
  readonly begun: Begun
  readonly snapshot: Promise<Snapshot<R>>
}

export interface ShelfOptions<R> {
  readonly clock: Clock
  readonly fetch: (options: ReadOptions) => Promise<readonly R[]>
  readonly idOf: (row: R) => string
}

/** At most one list request runs; whoever it is fresh enough for shares it. */
export class Shelf<R> {
  readonly #options: ShelfOptions<R>
  /** What the last list showed. */
  #listed: { readonly byID: ReadonlyMap<string, R>; readonly startedAt: number } | undefined
  /** What became known since that list began; laid over it. */
  readonly #notes = new Map<string, Note<R>>()
  /** The two together, made when asked for. */
  #snapshot: Snapshot<R> | undefined
  #running: Running<R> | undefined
  #next: Promise<Snapshot<R>> | undefined

  constructor(options: ShelfOptions<R>) {
    this.#options = options
  }

  /** Rejects with the list's error; all that share the request get the same. */
  list(freshness: Freshness): Promise<Snapshot<R>> {
    const now = this.#options.clock.monotonic()
    if (this.#listed !== undefined && isFresh(this.#listed.startedAt, freshness, now)) {
      return Promise.resolve(this.#current(this.#listed))
    }
    const running = this.#running
    if (running === undefined) return this.#start(freshness)
    const { startedAt } = running.begun
    if (startedAt === undefined || isFresh(startedAt, freshness, now)) return running.snapshot
    this.#next ??= running.snapshot.then(nothing, nothing).then(() => {
      this.#next = undefined
      return this.#start(freshness)
    })
    return this.#next
  }

  /** Survives a list that began before; until there is anything to write into, nothing is kept. */
  note(id: string, row: R | undefined): void {
    if (this.#listed === undefined && this.#running === undefined) return
    const at = this.#options.clock.monotonic()
    this.#notes.set(id, row === undefined ? { at } : { at, row })
    this.#snapshot = undefined
  }

  #start(freshness: Freshness): Promise<Snapshot<R>> {
    const begun: Begun = { startedAt: undefined }
    const snapshot = Promise.resolve().then(() => this.#fetch(freshness, begun))
    this.#running = { begun, snapshot }
    return snapshot
  }

  async #fetch(freshness: Freshness, begun: Begun): Promise<Snapshot<R>> {
    const { clock, fetch, idOf } = this.#options
    const askedAt = clock.monotonic()
    try {
      const rows = await fetch({
        // Who names a moment waits for this list with a change in hand.
        lane: 'startedAfter' in freshness ? 'change' : 'poll',
        onDispatch: () => (begun.startedAt = clock.monotonic()),
      })
      const startedAt = begun.startedAt ?? askedAt
      this.#listed = { byID: new Map(rows.map((row) => [idOf(row), row])), startedAt }
      this.#snapshot = undefined
      for (const [id, note] of this.#notes) if (note.at < startedAt) this.#notes.delete(id)
      return this.#current(this.#listed)
    } finally {
      this.#running = undefined
    }
  }

  #current(listed: { readonly byID: ReadonlyMap<string, R>; readonly startedAt: number }): Snapshot<R> {
    this.#snapshot ??= overlaid(listed, this.#notes)
    return this.#snapshot
  }
}

function overlaid<R>(
  listed: { readonly byID: ReadonlyMap<string, R>; readonly startedAt: number },
  notes: ReadonlyMap<string, Note<R>>,
): Snapshot<R> {
  const byID = notes.size === 0 ? listed.byID : merged(listed.byID, notes)
  return { byID, rows: [...byID.values()], startedAt: listed.startedAt }
}

function merged<R>(
  rows: ReadonlyMap<string, R>,
  notes: ReadonlyMap<string, Note<R>>,
): ReadonlyMap<string, R> {
  const byID = new Map(rows)
  for (const [id, { row }] of notes) {
    if (row === undefined) byID.delete(id)
    else byID.set(id, row)
  }
  return byID
}

function isFresh(startedAt: number, freshness: Freshness, now: number): boolean {
  return 'maxAgeMs' in freshness ? now - startedAt <= freshness.maxAgeMs : startedAt > freshness.startedAfter
}

function nothing(): void {
  return undefined
}
