/** The ways a 2xx reply becomes a result. */
import type { z } from 'zod'
import type { Answer } from './request.ts'

/** The body is one record of this shape. */
export function record<T>(schema: z.ZodType<T>): Answer<T> {
  return { shape: 'record', parse: (value) => parsed(schema, value) }
}

/** The body is an array of records; tombstones are left out. */
export function rows<R extends object>(schema: z.ZodType<R>): Answer<readonly R[]> {
  return {
    shape: 'rows',
    start: () => {
      const kept: R[] = []
      return {
        add: (value) => {
          const row = parsed(schema, value)
          if (row === undefined) return false
          if (!('deleted' in row && row.deleted === true)) kept.push(row)
          return true
        },
        result: () => kept,
      }
    },
  }
}

/** The body proves nothing. */
export const ignored: Answer<void> = { shape: 'ignored', result: undefined }

/** A record if the body holds one; undefined if the service answered something else. */
export function optional<T>(schema: z.ZodType<T>): Answer<T | undefined> {
  return { shape: 'optional', parse: (value) => parsed(schema, value) }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const result = schema.safeParse(value)
  return result.success ? result.data : undefined
}
