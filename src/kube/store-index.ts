/** One named index of a store: from a value to the objects that have it. */
export interface Index<T> {
  get(value: string): readonly T[]
  /** Takes `previous` out and puts `next` in; either may be absent. */
  move(previous: T | undefined, next: T | undefined): void
}

export function createIndex<T>(valuesOf: (object: T) => readonly string[]): Index<T> {
  const byValue = new Map<string, Set<T>>()

  function remove(object: T): void {
    for (const value of valuesOf(object)) {
      const objects = byValue.get(value)
      objects?.delete(object)
      if (objects?.size === 0) byValue.delete(value)
    }
  }

  function insert(object: T): void {
    for (const value of valuesOf(object)) {
      const objects = byValue.get(value)
      if (objects === undefined) byValue.set(value, new Set([object]))
      else objects.add(object)
    }
  }

  return {
    get: (value) => [...(byValue.get(value) ?? [])],
    move: (previous, next) => {
      if (previous !== undefined) remove(previous)
      if (next !== undefined) insert(next)
    },
  }
}
