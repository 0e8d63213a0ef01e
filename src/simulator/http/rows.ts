/**
 * Lists that are written a few rows at a time: the records of a long one, all there at once, are several times the
 * text and live just long enough to be costly.
 */

export interface Rows {
  records(): unknown[]
  /** The list as JSON. */
  text(): string
}

const rowsAtOnce = 200

export function rowsOf<T>(things: readonly T[], record: (thing: T) => unknown): Rows {
  return {
    records: () => things.map(record),
    text: () => {
      const parts: string[] = []
      for (let at = 0; at < things.length; at += rowsAtOnce)
        parts.push(JSON.stringify(things.slice(at, at + rowsAtOnce).map(record)).slice(1, -1))
      return `[${parts.join(',')}]`
    },
  }
}
