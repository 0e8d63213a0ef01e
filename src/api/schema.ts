/** Building blocks that carry into zod what only a CRD can say: list types and CEL rules. */
import { z } from 'zod'

/** A bounded list, replaced as a whole by every writer. */
export function list<T extends z.ZodType>(item: T, max: number): z.ZodArray<T> {
  return z.array(item).max(max)
}

/** A list whose items are told apart by one scalar field, so that several writers can own items of it. */
export function mapList<T extends z.ZodObject>(item: T, max: number, key: string & keyof z.output<T>) {
  return z
    .array(item)
    .max(max)
    .refine((items) => new Set(items.map((each) => each[key])).size === items.length, {
      error: `each ${key} can stand in the list only once`,
    })
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] })
}

/**
 * A rule over several fields of one object, said twice: for the API server (`rule`, CEL over `self`) and for the
 * operator (`holds`). Tests put the same objects before both.
 */
export interface FieldsRule<T> {
  readonly rule: string
  readonly holds: (value: T) => boolean
  /** Starts with the field. */
  readonly message: string
  /** Field of the object that the error points to; absent: the object itself. */
  readonly at?: string & keyof T
}

/** The schema with rules, enforced by zod and, as `x-kubernetes-validations`, by the API server. */
export function ruled<T extends z.ZodObject>(schema: T, rules: readonly FieldsRule<z.output<T>>[]): T {
  const validations = rules.map(({ rule, message, at }) => ({
    rule,
    message,
    ...(at === undefined ? {} : { fieldPath: `.${at}` }),
  }))
  return schema
    .superRefine((value, context) => {
      for (const { holds, message, at } of rules) {
        if (!holds(value)) {
          context.addIssue({ code: 'custom', message, path: at === undefined ? [] : [at] })
        }
      }
    })
    .meta({ 'x-kubernetes-validations': validations })
}
