/** The demo's flags. */
import { parseArgs } from 'node:util'

export interface Options {
  /** Walk the story and end, instead of staying up. */
  readonly once: boolean
  /** Print the process ids of everything that was started. */
  readonly pids: boolean
  readonly help: boolean
}

export const USAGE = `usage: npm run demo [-- FLAGS]
Starts a Kubernetes API server, a simulated cloud and the operator on this machine, applies deploy/examples/web-server
and shows how it becomes ready. Needs nothing but what the repository brings; touches no other cluster and no cloud.
  --once   then walk a story (resize, grow, move, repair, delete), check each step, and end with 0, or 1 when a step fails;
           without it everything stays up until Ctrl-C, for you to try things
  --pids   print the process ids of everything that was started
  --help   this text`

/** Throws an error with one line that names what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: { once: flag, pids: flag, help: flag },
    })
    return values
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new Error(`${text.split(/\. |\n/)[0] ?? text}; see npm run demo -- --help`, { cause: error })
  }
}
