/** A copy of the repository with a fault in it, outside of the repository, for tests that the rig does not stand for. */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { patched, type Patch } from './patch.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPIED = ['src', 'test', 'crds', 'deploy', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/** Whether the test fails there. Throws when it fails here as well: then that proves nothing. */
export async function failsOnPatchedTree(patch: Patch, test: string): Promise<boolean> {
  if (!(await failsPatched(patch, test))) return false
  if (await failsUnpatched(test)) throw new Error(`${test} fails without any fault`)
  return true
}

const unpatched = new Map<string, Promise<boolean>>()

/** Run once for all faults that the test is named for. */
function failsUnpatched(test: string): Promise<boolean> {
  const known = unpatched.get(test) ?? vitest(ROOT, test).then(({ code }) => code !== 0)
  unpatched.set(test, known)
  return known
}

async function failsPatched(patch: Patch, test: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'seeded-'))
  try {
    for (const each of COPIED) cpSync(join(ROOT, each), join(folder, each), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const file = join(folder, 'src', patch.file)
    writeFileSync(file, patched(readFileSync(file, 'utf8'), patch))
    const { code, output } = await vitest(folder, test)
    if (code !== 0 && !/Tests +.*\d+ failed/.test(output))
      throw new Error(`${test} could not be run: ${output.slice(-2_000)}`)
    return code !== 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function vitest(
  cwd: string,
  test: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const main = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [main, 'run', '--project', 'fast', '--no-color', test]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
