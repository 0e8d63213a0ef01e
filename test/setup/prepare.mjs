/**
 * Installs what the commands need: runs before `npm test` and `npm run demo`, on Node 20 or newer, with nothing
 * installed. It must stay plain JavaScript without a dependency.
 *
 * `npm ci` runs only when the lockfile differs from node_modules/.stamp, which is written last, so that an install
 * that broke off is done again. Two at once would delete each other's files: a lock in .stamp/ (outside of
 * node_modules, which npm deletes).
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const stamp = join(root, 'node_modules', '.stamp')
const TICK_MS = 10_000

main().catch((error) => fail(error.message))

async function main() {
  if (major(process.versions.node) < 20) fail(`Node 20 or newer is needed; this is ${process.versions.node}.`)
  const npm = npmCommand()
  const version = spawnSync(npm.command, [...npm.args, '--version'], { encoding: 'utf8', env: npm.env })
  if (version.status !== 0) fail('npm is needed and was not found.')
  if (!installed()) {
    await withLock(
      join(root, '.stamp', 'install'),
      async () => {
        if (!installed()) await install(npm)
      },
      (pid) => say(`waiting for process ${pid}, which installs the packages`),
    )
  }
  checkNode24()
}

/** The lockfile and the platform, since node and esbuild install a binary of one platform. */
function wanted() {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lockfile).digest('hex')} ${process.platform}-${process.arch}\n`
}

function installed() {
  try {
    return readFileSync(stamp, 'utf8') === wanted()
  } catch {
    return false
  }
}

async function install(npm) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const want = wanted()
  say('installing packages (npm ci)')
  const tick = setInterval(() => say(`installing packages, ${seconds()} s`), TICK_MS)
  // --include=dev: with NODE_ENV=production npm would leave out node 24 and the test tools.
  const code = await run(npm, [
    'ci',
    '--include=dev',
    '--no-fund',
    '--no-audit',
    '--no-progress',
    '--loglevel=error',
  ])
  clearInterval(tick)
  if (code !== 0) fail(`npm ci ended with code ${code} after ${seconds()} s; its output is above.`)
  writeFileSync(stamp, want)
  say(`packages installed in ${seconds()} s`)
}

function run(npm, args) {
  return new Promise((done, refuse) => {
    const child = spawn(npm.command, [...npm.args, ...args], {
      cwd: root,
      env: npm.env,
      stdio: ['ignore', 2, 2],
    })
    child.on('error', refuse)
    child.on('exit', (code, signal) => done(code ?? signal))
  })
}

/** npm as it was called, run by the node outside of node_modules: `npm ci` deletes the one inside. */
function npmCommand() {
  const env = { ...process.env, PATH: pathWithoutBin() }
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  if (script?.endsWith('.js') && node && !node.startsWith(join(root, 'node_modules'))) {
    return { command: node, args: [script], env }
  }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [], env }
}

function pathWithoutBin() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => resolve(folder) !== bin)
    .join(delimiter)
}

/** npm puts node_modules/.bin first on PATH, and the main script runs with the node it finds there. */
function checkNode24() {
  const env = { ...process.env, PATH: [bin, pathWithoutBin()].join(delimiter) }
  const found = spawnSync('node', ['--version'], { encoding: 'utf8', env })
  const version = found.status === 0 ? found.stdout.trim().replace(/^v/, '') : 'missing'
  if (found.status === 0 && major(version) >= 24) return
  fail(
    `The packages are installed, but node is ${version} with them, not 24.\n` +
      'Its binary comes from an install script. If npm ignores scripts here (npm config get ignore-scripts), run\n' +
      '  npm rebuild node esbuild --ignore-scripts=false\n' +
      'or put Node 24 or newer on PATH.',
  )
}

function major(version) {
  return Number(version.split('.')[0])
}

function say(line) {
  process.stderr.write(`prepare: ${line}\n`)
}

function fail(message) {
  process.stderr.write(`prepare: ${message}\n`)
  process.exit(1)
}
