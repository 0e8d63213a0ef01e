/** Splits a byte stream into lines, never inside a character. */

/** Far above what etcd stores in one object. */
const LONGEST_BYTES = 16 * 1024 * 1024

/** Returns the lines that `chunk` completes, without their line ends and the empty ones. */
export function createLineSplitter(): (chunk: Uint8Array) => readonly string[] | 'tooLong' {
  let rest: Uint8Array[] = []
  let restBytes = 0

  function takeRest(end: Uint8Array): string {
    const line = Buffer.concat([...rest, end]).toString('utf8')
    rest = []
    restBytes = 0
    return line
  }

  return (chunk) => {
    const lines: string[] = []
    let from = 0
    for (let to = chunk.indexOf(0x0a); to !== -1; to = chunk.indexOf(0x0a, from)) {
      lines.push(takeRest(chunk.subarray(from, to)))
      from = to + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > LONGEST_BYTES) return 'tooLong'
    return lines.filter((line) => line.trim() !== '')
  }
}
