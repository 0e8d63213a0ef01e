/** Applies a seeded fault to the text of its file. */
import type { SeededFault } from './fault.ts'

/** Throws when the text to be replaced does not stand there exactly once: the fault has to be seeded anew. */
export function patched(source: string, { name, file, find, replace }: Patch): string {
  const times = source.split(find).length - 1
  if (times !== 1) throw new Error(`${name}: src/${file} has ${times} times, and not once: ${find}`)
  return source.replace(find, () => replace)
}

export type Patch = Pick<SeededFault, 'name' | 'file' | 'find' | 'replace'>

export const SOURCES = new URL('../../src/', import.meta.url)
