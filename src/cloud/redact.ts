/** Makes words from outside fit to be shown: no secret that was sent, no control characters, bounded. */
import { createRedactor } from '../telemetry/redact.ts'

const maxText = 512

/** Shorter parts of a document say nothing, and taking them out would riddle the text. */
const minPart = 4
/** Words are shorter than lines, and ordinary ones are meant to be read. */
const minWord = 8

/** At most 512 characters; every secret is taken out first, so that a cut can not leave half of one. */
export function showable(text: string, secrets: readonly string[]): string {
  const redactor = createRedactor()
  for (const secret of secrets.flatMap(secretParts)) {
    redactor.hide(secret)
    redactor.hide(flatten(secret))
  }
  const clean = redactor.clean(flatten(redactor.clean(text)))
  return clean.length <= maxText ? clean : `${clean.slice(0, maxText - 1)}…`
}

/**
 * All strings that must not be shown when this value is secret: the value itself, and, when it is a JSON document,
 * every string in it, every line of those and every long word: a token in a command can be echoed alone.
 */
function secretParts(secret: string): readonly string[] {
  const lines = leaves(documentOf(secret))
    .flatMap((leaf) => [leaf, ...leaf.split(/\r?\n/)])
    .map((part) => part.trim())
    .filter((part) => part.length >= minPart)
  const words = lines.flatMap(wordsOf).filter((word) => word.length >= minWord)
  return [secret, ...lines, ...words]
}

/** As a shell would part them, and the parts of an assignment or an address. */
function wordsOf(line: string): readonly string[] {
  const words = line.split(/[\s'"`;|&<>(){}[\]]+/)
  return [...words, ...words.flatMap((word) => word.split(/[=:,@/?#]+/))]
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

function documentOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Control, format and line characters become single spaces: nothing can fake a second line in a log. */
function flatten(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}
