/** A value that a step cannot exist without. Throws a programming error, which the controller reports as InternalError. */
export function needed<T>(value: T | undefined): T {
  if (value === undefined)
    throw new Error('a step that changes an object was carried out without an observation of it')
  return value
}
