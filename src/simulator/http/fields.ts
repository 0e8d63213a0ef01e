/** Reads the parameters of one request. A missing or ill-formed one is a Refusal that names the field. */
import { Refusal } from '../state/refusal.ts'

export interface Fields {
  /** Whether the parameter was sent at all, even empty. */
  has(name: string): boolean
  /** Text; empty means not given. */
  text(name: string): string | undefined
  requiredText(name: string): string
  /** A whole number, written as a number or as its decimal form. */
  whole(name: string): number | undefined
  requiredWhole(name: string): number
  /** true or false, as a boolean or in words of any case. */
  flag(name: string): boolean | undefined
  /** The list as sent (JSON only); undefined when absent. */
  list(name: string): Fields[] | undefined
  /** The value as sent. */
  raw(name: string): unknown
}

/** Wraps the decoded parameters of a form, a query or a JSON object. */
export function fieldsOf(values: Readonly<Record<string, unknown>>): Fields {
  const given = (name: string): unknown => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === '' || value === null ? undefined : value
  }
  const text = (name: string): string | undefined => {
    const value = given(name)
    if (value === undefined || typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw new Refusal('Must be a string', { field: name })
  }
  const whole = (name: string): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d{1,15}$/.test(value)) return Number(value)
    throw new Refusal('Must be a whole number', { field: name })
  }
  return {
    has: (name) => Object.hasOwn(values, name),
    text,
    requiredText: (name) => text(name) ?? missing(name),
    whole,
    requiredWhole: (name) => whole(name) ?? missing(name),
    flag: (name) => {
      const value = text(name)?.toLowerCase()
      if (value === undefined) return undefined
      if (value === 'true' || value === 'false') return value === 'true'
      throw new Refusal('Must be true or false', { field: name })
    },
    list: (name) => {
      const value = given(name)
      if (value === undefined) return undefined
      if (Array.isArray(value) && value.every(isObject)) return value.map(fieldsOf)
      throw new Refusal('Must be a list of objects', { field: name })
    },
    raw: given,
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function missing(name: string): never {
  throw new Refusal('This field is required', { field: name })
}
