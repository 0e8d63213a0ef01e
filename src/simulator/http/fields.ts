/** Reads the parameters of one request. A missing or ill-formed one is a Refusal that names the field. */
import { Refusal } from '../state/refusal.ts'

export interface Fields {
  /** Whether the parameter was sent at all, even empty. */
  has(name: string): boolean
  /** Text. As deployed, empty means not given. */
  text(name: string): string | undefined
  requiredText(name: string): string
  /** A whole number, written as a number or as its decimal form. */
  whole(name: string): number | undefined
  requiredWhole(name: string): number
  /** true or false, as a boolean or in words of any case. */
  flag(name: string): boolean | undefined
  /** As flag; in words also where a JSON boolean is asked for. */
  flagOrWord(name: string): boolean | undefined
  /** Whether it is absent or empty: for parameters which may be empty in every profile. */
  isEmpty(name: string): boolean
  /** The list as sent (JSON only); undefined when absent. */
  list(name: string): Fields[] | undefined
  /** The value as sent. */
  raw(name: string): unknown
}

/**
 * How strictly values are read. `lenient`: as deployed, where empty means not given and numbers may be quoted. `words`:
 * of a form or query to the letter. `typed`: of a JSON object to the letter.
 */
export type Reading = 'lenient' | 'words' | 'typed'

/** Wraps the decoded parameters of a form, a query or a JSON object. */
export function fieldsOf(values: Readonly<Record<string, unknown>>, reading: Reading): Fields {
  const given = (name: string): unknown => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === null || (value === '' && reading === 'lenient') ? undefined : value
  }
  const words = (name: string, kind: keyof typeof kinds): string | undefined => {
    const value = given(name)
    if (value === undefined) return undefined
    const sent = typeof value
    const fits = sent === kind || (reading === 'lenient' ? sent in kinds : reading === 'words')
    if (fits && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'))
      return String(value)
    throw new Refusal(`Must be ${kinds[kind]}`, { field: name })
  }
  const whole = (name: string): number | undefined => {
    const value = words(name, 'number')
    if (value === undefined) return undefined
    if (/^\d{1,15}$/.test(value)) return Number(value)
    throw new Refusal('Must be a whole number', { field: name })
  }
  const flagOf = (name: string, word: string | undefined): boolean | undefined => {
    const value = word?.toLowerCase()
    if (value === undefined) return undefined
    if (value === 'true' || value === 'false') return value === 'true'
    throw new Refusal('Must be true or false', { field: name })
  }
  const flag = (name: string): boolean | undefined => flagOf(name, words(name, 'boolean'))
  return {
    has: (name) => Object.hasOwn(values, name),
    text: (name) => words(name, 'string'),
    requiredText: (name) => words(name, 'string') || missing(name),
    whole,
    requiredWhole: (name) => whole(name) ?? missing(name),
    flag,
    flagOrWord: (name) =>
      typeof given(name) === 'string' ? flagOf(name, words(name, 'string')) : flag(name),
    isEmpty: (name) => given(name) === undefined || given(name) === '',
    list: (name) => {
      const value = given(name)
      if (value === undefined) return undefined
      if (Array.isArray(value) && value.every(isObject)) return value.map((item) => fieldsOf(item, reading))
      throw new Refusal('Must be a list of objects', { field: name })
    },
    raw: given,
  }
}

const kinds = { string: 'a string', number: 'a whole number', boolean: 'true or false' } as const

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function missing(name: string): never {
  throw new Refusal('This field is required', { field: name })
}
