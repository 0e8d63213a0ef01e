/** Runs a command of node_modules/.bin or PATH with our output, and ends it when we are ended. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** The exit code; 1 for a command that ended by a signal or cannot be run. */
export function runCommand(
  root: string,
  [command, ...args]: readonly [string, ...string[]],
): Promise<number> {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    // Ctrl-C reaches the child by itself; SIGTERM to this process would not.
    const end = () => {
      child.kill('SIGTERM')
      process.exit(143)
    }
    process.once('SIGTERM', end)
    const done = (code: number) => {
      process.off('SIGTERM', end)
      resolve(code)
    }
    child.once('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      done(1)
    })
    child.once('exit', (code) => done(code ?? 1))
  })
}
