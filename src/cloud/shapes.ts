/** The tolerant pieces that the schemas of replies are made of. */
import { z } from 'zod'

export const id = z.string().min(1).max(512)
export const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? undefined)
/** Text whose empty form means absent. */
export const filled = text.transform((value) => (value === '' ? undefined : value))
export const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])
export const count = whole.nullish().transform((value) => value ?? undefined)
export const flag = z
  .union([
    z.boolean(),
    z.literal(['true', 'false']).transform((word) => word === 'true'),
    z.literal([0, 1]).transform((digit) => digit === 1),
  ])
  .nullish()
  .transform((value) => value ?? undefined)

export function list<T>(row: z.ZodType<T>) {
  return z
    .array(row)
    .nullish()
    .transform((value) => value ?? undefined)
}

/** The same type with each property that may be undefined made absent instead. */
type Known<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export function known<T extends object>(row: T): Known<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Known<T>
}

export function isTombstone(status: string | undefined): boolean {
  return status?.toLowerCase() === 'deleted'
}
