/** resourceVersions: decimal numbers that rise with every write, the same sequence for all objects of a resource. */

/**
 * Whether `a` comes before `b`. False when either is no decimal number: nothing can be said then.
 */
export function isOlder(a: string, b: string): boolean {
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return false
  return a.length === b.length ? a < b : a.length < b.length
}

const DECIMAL = /^(0|[1-9]\d*)$/
