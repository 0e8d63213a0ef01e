/** What a kind declares about itself; the CRD is made from it. */
import type { z } from 'zod'
import type { Kind } from './group.ts'

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
  readonly jsonPath: string
  readonly description: string
}

/** A field of the spec that does not change once a cloud object may exist. */
export interface FrozenField {
  readonly field: string
  /** What to do instead of editing it; ends the sentence of the refusal. */
  readonly instead: string
}

/** A size in GiB that is never asked for below what exists. Paths are dotted, below spec and below status. */
export interface GrowOnlyField {
  readonly field: string
  readonly existing: string
  readonly instead: string
}

export interface KindSchema {
  readonly kind: Kind
  readonly plural: string
  readonly singular: string
  readonly shortName: string
  readonly description: string
  readonly spec: z.ZodObject
  readonly status: z.ZodObject
  /** The kind's own columns, between REASON and AGE. */
  readonly columns: readonly Column[]
  /** JSON paths for field selectors, eight at most. */
  readonly selectableFields: readonly string[]
  readonly frozen: readonly FrozenField[]
  readonly growOnly: readonly GrowOnlyField[]
}

const remake = 'make a new object beside this one, or set it back'

/** Frozen on every kind that stands for one cloud object. */
export const frozenEverywhere: readonly FrozenField[] = [
  { field: 'accountRef', instead: `a cloud object stays in its account; ${remake}` },
  { field: 'location', instead: `a cloud object stays in its location; ${remake}` },
  {
    field: 'adopt',
    instead:
      'to stand for another cloud object, delete this one with lifecycle.onDelete Retain and make a new one',
  },
]
