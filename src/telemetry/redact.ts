/** Knows the secret values of this process and takes them out of any text that leaves it. */
export interface Redactor {
  /** From now on `value` is replaced wherever it would appear; values under four characters are ignored. */
  hide(value: string): void
  /** `text` with every hidden value replaced, also where it stands JSON-escaped, URL-encoded or in base64. */
  clean(text: string): string
}

const REPLACEMENT = '[hidden]'

/** Shorter values would blot out ordinary words, and are no secret worth the name. */
const SHORTEST = 4

/** Tokens rotate: the values that were hidden longest ago go first. */
const MOST = 1_000

/** A registry of its own per process: nothing is shared between two operators in one test. */
export function createRedactor(): Redactor {
  const values = new Set<string>()
  let pattern: RegExp | undefined
  const add = (value: string): void => {
    if (value.length < SHORTEST) return
    const known = values.delete(value)
    values.add(value)
    if (known) return
    for (const oldest of values) {
      if (values.size <= MOST) break
      values.delete(oldest)
    }
    pattern = undefined
  }
  return {
    hide: (value) => {
      add(value)
      // A Secret made from a file ends with a line break; what is used and echoed does not.
      if (value.trim() !== value) add(value.trim())
    },
    clean: (text) => {
      if (values.size === 0) return text
      pattern ??= alternatives(values)
      return text.replace(pattern, REPLACEMENT)
    },
  }
}

function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    urlEncoded(value),
    urlEncoded(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams([['', value]]).toString().slice(1),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ].filter((form) => form.length >= SHORTEST)
}

function urlEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

/** Longest first, so that a value which contains another is replaced whole. */
function alternatives(values: ReadonlySet<string>): RegExp {
  const forms = new Set([...values].flatMap(spellings))
  const parts = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(parts.join('|'), 'g')
}
