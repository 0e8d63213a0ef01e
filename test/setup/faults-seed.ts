/**
 * Which fault cases a run of all tests takes: FAULTS_SEED says so; without it what is under test does, the operator and the rig,
 * so that each change meets other cases, and whoever repeats a run meets the same.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src', 'test/faults']
const DIGITS = 7

/** A whole number below 2^28. */
export function faultsSeed(root: string, given: string | undefined): number {
  if (given !== undefined && given !== '') return Number(given)
  const hash = createHash('sha256')
  for (const file of FOLDERS.flatMap((folder) => filesIn(root, folder)).sort()) {
    hash.update(file)
    hash.update(readFileSync(join(root, file)))
  }
  return Number.parseInt(hash.digest('hex').slice(0, DIGITS), 16)
}

/** Paths from the root, with slashes. */
function filesIn(root: string, folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((each) => each.isFile())
    .map((each) =>
      join(each.parentPath, each.name).slice(root.length).replaceAll('\\', '/').replace(/^\/+/, ''),
    )
}
