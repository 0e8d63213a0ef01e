/** The operator's sources and what each imports, read from the files. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Import {
  /** Path below src for our own files, else the package's name. */
  readonly target: string
  readonly ours: boolean
  /** Only types cross: it does not exist at run time. */
  readonly typeOnly: boolean
}

export interface Source {
  /** Path below src. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

const root = join(import.meta.dirname, '../../../src')
const IMPORT = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm

export function readSources(): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, names = '', specifier = '']) => {
    const ours = specifier.startsWith('.')
    const target = ours ? relative(root, join(root, dirname(path), specifier)) : packageOf(specifier)
    const listed = /^\{(.*)\}$/s
      .exec(names.trim())?.[1]
      ?.split(',')
      .map((each) => each.trim())
    const allTypes = listed?.every((each) => each === '' || each.startsWith('type ')) ?? false
    return { target, ours, typeOnly: type !== undefined || allTypes }
  })
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

/** Source text without comments and strings: what the code itself says. */
export function codeOf({ text }: Source): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}
