/**
 * Splits a JSON array of objects into its rows as the bytes come. An unpaged list of ten thousand VMs parsed in one
 * piece would hold the event loop for tens of milliseconds.
 */

/** Deeper nesting than this is not a reply of the service. */
export const maxDepth = 64

export interface RowSplitter {
  /** Takes the next bytes; false once they can not be such an array. */
  push(bytes: Uint8Array): boolean
  /** True when the array was complete. */
  done(): boolean
}

type Place = 'before' | 'first' | 'row' | 'afterRow' | 'next' | 'after' | 'broken'

const code = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

/** `onRow` gets each row's own text, still to be parsed; it answers false to a row that spoils the whole list. */
export function createRowSplitter(onRow: (text: string) => boolean): RowSplitter {
  let place: Place = 'before'
  let depth = 0
  let inString = false
  let escaped = false
  let pieces: Uint8Array[] = []

  function between(byte: number): Place {
    if (isSpace(byte)) return place
    switch (place) {
      case 'before':
        return byte === code.openArray ? 'first' : 'broken'
      case 'first':
        return byte === code.openObject ? 'row' : byte === code.closeArray ? 'after' : 'broken'
      case 'next':
        return byte === code.openObject ? 'row' : 'broken'
      case 'afterRow':
        return byte === code.comma ? 'next' : byte === code.closeArray ? 'after' : 'broken'
      case 'row':
      case 'after':
      case 'broken':
        return 'broken'
    }
  }

  /** The index after the row's last byte, or the end of the bytes; depth 0 means that the row ended. */
  function scanRow(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (escaped) escaped = false
      else if (inString) {
        if (byte === code.backslash) escaped = true
        else if (byte === code.quote) inString = false
      } else if (byte === code.quote) inString = true
      else if (byte === code.openObject || byte === code.openArray) depth += 1
      else if (byte === code.closeObject || byte === code.closeArray) {
        depth -= 1
        if (depth === 0) return at + 1
      }
      if (depth > maxDepth) return bytes.length
    }
    return bytes.length
  }

  function takeRow(bytes: Uint8Array, from: number): number {
    const end = scanRow(bytes, from)
    if (depth > maxDepth) place = 'broken'
    pieces.push(bytes.subarray(from, end))
    if (depth > 0) return end
    place = onRow(Buffer.concat(pieces).toString('utf8')) ? 'afterRow' : 'broken'
    pieces = []
    return end
  }

  return {
    push: (bytes) => {
      let at = 0
      while (at < bytes.length && place !== 'broken') {
        if (place === 'row') {
          at = takeRow(bytes, at)
          continue
        }
        place = between(bytes[at] ?? 0)
        // The row's first brace belongs to the row.
        if (place !== 'row') at += 1
      }
      return place !== 'broken'
    },
    done: () => place === 'after',
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
