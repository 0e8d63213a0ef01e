/** One call to the service as plain data: what the endpoint files write down and the client carries out. */
import type { Family } from './errors.ts'
import type { ExactKind } from './gone.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Budget lanes: quick changes, changes that block for long, and reads. */
export type Lane = 'change' | 'slow' | 'poll'

/** What a mutation needs from its caller. */
export interface Send {
  /** Names the recorded intent; travels as the header `x-operation-id`. */
  readonly operationID: string
  /**
   * Called once, synchronously right before the request's bytes leave, on an open connection and with the slot held.
   * Throws to stop the request, which then counts as not sent.
   */
  readonly beforeDispatch: () => void
  /** Absent: the endpoint's own lane. */
  readonly lane?: 'change' | 'slow'
}

export interface ReadOptions {
  /** `change`: a change waits for this read, so it goes with the changes. Absent: `poll`. */
  readonly lane?: 'change' | 'poll' | undefined
  /** Called synchronously as each attempt leaves the budget's queue: what the reply shows is not older than this. */
  readonly onDispatch?: () => void
}

/** Milliseconds. */
export interface TimeLimits {
  readonly connectMs: number
  readonly readMs: number
  readonly changeMs: number
  /** VM create and stop. */
  readonly slowMs: number
}

/** A value of a query or a form; undefined leaves the parameter out. */
export type Field = string | number | boolean | undefined

/** How a 2xx reply becomes a result. `undefined` from a parser means wrong-shaped. */
export type Answer<T> =
  | { readonly shape: 'record'; readonly parse: (value: unknown) => T | undefined }
  | { readonly shape: 'rows'; readonly start: () => RowCollector<T> }
  /** The body proves nothing and may be empty; only a body that says it failed counts. */
  | { readonly shape: 'ignored'; readonly result: T }
  /** The body may be anything, empty included; `parse` takes from it what it can. */
  | { readonly shape: 'optional'; readonly parse: (value: unknown) => T }

/** Gathers a list row by row. */
export interface RowCollector<T> {
  /** Takes one parsed row; false when it is wrong-shaped, which spoils the whole list. */
  add(value: unknown): boolean
  result(): T
}

export interface CloudRequest<T> {
  readonly family: Family
  readonly method: Method
  /** The slug that follows /v1; undefined: no slug. */
  readonly location?: string | undefined
  /** The path after /v1[/slug]/, with holes in braces: `storage/disks/{disk}`. */
  readonly route: string
  /** Fills the holes; every one is checked, used in the path or not, before anything is sent. */
  readonly ids?: Readonly<Record<string, string | undefined>>
  /** Must not be blank. */
  readonly texts?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, Field>>
  readonly form?: Readonly<Record<string, Field>>
  readonly json?: unknown
  /** The one resource that this call is about: its "not found" then means absent. */
  readonly exact?: { readonly kind: ExactKind; readonly id: string }
  /** Values in the body that must never be shown again. */
  readonly secrets?: readonly string[]
  /** Blocks for long: the slow lane and the slow time limit. */
  readonly slow?: boolean
  readonly answer: Answer<T>
}
