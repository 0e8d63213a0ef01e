/**
 * Makes dist/cloud-operator.mjs: the program and its packages in one file, which starts in a third of the time.
 * `node test/setup/bundle.ts` makes it; tests and the demo call bundle().
 *
 * V8's compile cache is not turned on here. It works for files that are loaded after it is on, so the bundle cannot
 * turn it on for itself: set NODE_COMPILE_CACHE to a folder (it depends on the user and on the path of the bundle).
 */
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { requireNode24 } from './node24.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

// Packages in CommonJS call require() for Node's own modules, and a module has none.
// An older node fails somewhere inside a package, before the program could say why.
const banner = `if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('cloud-operator needs Node 24 or newer; this is ' + process.version + '\\n')
  process.exit(2)
}
import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
`
let made = 0

/** Bundles `entry` and resolves to the path of the bundle. May run several times at once: it is renamed into place. */
export async function bundle(
  entry: string = join(root, 'src/main.ts'),
  output: string = join(root, 'dist/cloud-operator.mjs'),
): Promise<string> {
  await mkdir(dirname(output), { recursive: true })
  const temporary = join(dirname(output), `.${process.pid}-${++made}-${basename(output)}`)
  try {
    await build({
      entryPoints: [entry],
      outfile: temporary,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      minifySyntax: true,
      banner: { js: banner },
      define: { CLOUD_OPERATOR_VERSION: JSON.stringify(version) },
      logLevel: 'warning',
    })
    await rename(temporary, output)
  } finally {
    await rm(temporary, { force: true })
  }
  return output
}

if (import.meta.main) {
  requireNode24()
  const path = await bundle()
  process.stdout.write(`${path}, ${Math.round((await stat(path)).size / 1024)} KiB\n`)
}
