/** Small checks of values of JSON, and how they make larger ones. Each throws an Error that names the value. */
import { isObject } from './http/fields.ts'

export type Check = (value: unknown, name: string) => void

export const text: Check = (value, name) => claim(typeof value === 'string', `${name} must be text`)
/** For wishes that are only there or not. */
export const yes: Check = (value, name) => claim(value === true, `${name} must be true`)
export const boolean: Check = (value, name) =>
  claim(typeof value === 'boolean', `${name} must be true or false`)
export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value, name) =>
    claim(
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
      `${name} must be a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
    )
export const one =
  (...values: readonly unknown[]): Check =>
  (value, name) =>
    claim(values.includes(value), `${name} must be one of ${values.join(', ')}`)
/** A pattern of paths. */
export const path: Check = (value, name) =>
  claim(
    typeof value === 'string' && (value === '*' || value.startsWith('/')),
    `${name} must be * or begin with /`,
  )
export const anything: Check = () => undefined

/** An object with all of the one, some of the other, and nothing else. Undefined is not given. */
export function fields({
  needs,
  takes,
}: {
  needs: Record<string, Check>
  takes: Record<string, Check>
}): Check {
  return (value, name) => {
    if (!isObject(value)) throw new Error(`${name} must be an object`)
    for (const [field, check] of Object.entries(needs)) check(value[field], `${name}.${field}`)
    for (const [field, given] of Object.entries(value)) {
      if (given === undefined || Object.hasOwn(needs, field)) continue
      const check = Object.hasOwn(takes, field) ? takes[field] : undefined
      if (check === undefined) throw new Error(`${name}.${field} is unknown`)
      check(given, `${name}.${field}`)
    }
  }
}

export function claim(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
