/** Writes `crds/` from the schemas; with `--check` writes nothing and exits 1 naming the files that are stale. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { crdFiles } from './crd.ts'
import { GROUP } from './group.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'crds')
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

mkdirSync(folder, { recursive: true })
const wanted = crdFiles(`v${version}`)
const present = new Map(
  readdirSync(folder)
    .filter((name) => name.startsWith(GROUP) && name.endsWith('.yaml'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
)
const changed = [...wanted].filter(([name, text]) => present.get(name) !== text)
const leftOver = [...present.keys()].filter((name) => !wanted.has(name))
const stale = [...changed.map(([name]) => name), ...leftOver].map((name) => `crds/${name}`)

if (process.argv.includes('--check')) {
  for (const name of stale) process.stderr.write(`stale: ${name}; run node src/api/crd-main.ts\n`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [name, text] of changed) writeFileSync(join(folder, name), text)
  for (const name of leftOver) rmSync(join(folder, name))
  for (const name of stale) process.stdout.write(`wrote ${name}\n`)
}
