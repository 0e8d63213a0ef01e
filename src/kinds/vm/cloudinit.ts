/** cloud-init as the service takes it: one JSON text with runcmd and write_files. Documents may hold secrets: no message shows what is in one. */
import { parseDocument } from 'yaml'
import type { CloudInit } from '../../api/guest.ts'
import { StepRefused } from '../../reconcile/refused.ts'

type Document = Readonly<Record<string, unknown>>

/** The spec's own words in the words of cloud-init; undefined: it says nothing. */
export function inlineCloudInit({ runcmd, writeFiles }: CloudInit): string | undefined {
  if (runcmd === undefined && writeFiles === undefined) return undefined
  return JSON.stringify({
    ...(writeFiles !== undefined && { write_files: writeFiles }),
    ...(runcmd !== undefined && { runcmd }),
  })
}

const SUPPORTED = ['runcmd', 'write_files']

/** A document in YAML or JSON as that JSON text. Throws StepRefused, which names `field` and the key at fault. */
export function cloudInitFrom(field: string, text: string): string {
  const document = parsed(field, text)
  const other = Object.keys(document).find((key) => !SUPPORTED.includes(key))
  if (other !== undefined) {
    const named = /^[A-Za-z][\w-]{0,63}$/.test(other) ? `the key ${other}` : 'a key'
    throw new StepRefused(
      `${field}: the document has ${named}, and the service supports only runcmd and write_files; say it with these`,
    )
  }
  const { runcmd, write_files: files } = document
  if (runcmd !== undefined && !(Array.isArray(runcmd) && runcmd.every(isCommand))) {
    throw new StepRefused(`${field}: runcmd must be a list of commands, each a text or a list of texts`)
  }
  if (files !== undefined && !(Array.isArray(files) && files.every(isFile))) {
    throw new StepRefused(
      `${field}: write_files must be a list of files, each with a path and its content as text; binary content takes encoding: b64`,
    )
  }
  return JSON.stringify({
    ...(files !== undefined && { write_files: files.map(withOctalPermissions) }),
    ...(runcmd !== undefined && { runcmd }),
  })
}

function parsed(field: string, text: string): Document {
  // What reads it in the guest follows YAML 1.1, where 0644 is octal and yes is true.
  const document = parseDocument(text, { version: '1.1' })
  const line = document.errors[0]?.linePos?.[0].line
  const value = document.errors.length > 0 ? UNREADABLE : converted(document)
  if (value === UNREADABLE) {
    const where = line === undefined ? '' : ` (line ${line})`
    throw new StepRefused(`${field}: the document is neither YAML nor JSON${where}; correct it`)
  }
  if (isObject(value)) return value
  throw new StepRefused(
    `${field}: the document must be a mapping with runcmd and write_files, after an optional line #cloud-config`,
  )
}

const UNREADABLE = Symbol('unreadable')

function converted(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS()
  } catch {
    // What it refers to inside itself is not there, or is far too much.
    return UNREADABLE
  }
}

function isCommand(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar))
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isFile(value: unknown): value is Document {
  if (!isObject(value) || typeof value['path'] !== 'string') return false
  return Object.values(value).every((each) => isScalar(each))
}

/** A number is what the octal digits mean; as text nobody takes it for decimal ones. */
function withOctalPermissions(file: Document): Document {
  const { permissions } = file
  return typeof permissions === 'number' ? { ...file, permissions: `0${permissions.toString(8)}` } : file
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
