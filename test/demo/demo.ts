/**
 * `npm run demo`: a real API server, a simulated cloud and the operator on this machine, with the examples applied.
 * This folder starts them, shows what happens, and takes everything down again. It decides nothing about the operator.
 */
import { requireNode24 } from '../setup/node24.ts'
import { Interrupted, listenForStop } from './interruption.ts'
import { readOptions, USAGE, type Options } from './options.ts'
import { createScreen } from './screen.ts'

requireNode24()
process.exitCode = await main(process.argv.slice(2))
if (process.exitCode !== 0) process.exit()

async function main(args: readonly string[]): Promise<number> {
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    process.stderr.write(`demo: ${textOf(error)}\n`)
    return 2
  }
  if (options.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  return run(options)
}

async function run(options: Options): Promise<number> {
  const screen = createScreen(process.stdout)
  const abort = new AbortController()
  listenForStop((interrupted) => {
    screen.line('· told to stop: what was begun comes to its end first; once more, and it does not')
    abort.abort(interrupted)
  })
  process.stdout.on('error', () => abort.abort(new Interrupted('SIGHUP'))) // nobody reads any more
  try {
    // Only now: it takes a moment to load.
    const { perform } = await import('./perform.ts')
    await perform(options, screen, abort)
    return 0
  } catch (error) {
    const reason: unknown = abort.signal.reason
    if (reason instanceof Interrupted) return reason.exitCode
    screen.line(`demo: FAILED: ${textOf(error)}`)
    return 1
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
