/** Ctrl-C and its relatives: the first asks everything to stop, the second ends the process at once. */
import { constants } from 'node:os'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** What waits are rejected with once the demo was told to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly by: StopSignal

  constructor(by: StopSignal) {
    super(`told to stop by ${by}`)
    this.by = by
  }

  /** As a shell counts it. */
  get exitCode(): number {
    return 128 + constants.signals[this.by]
  }
}

// npm passes a Ctrl-C on that the terminal has sent us already: these two are one.
const sameMs = 500

/** `heard` is called with the first signal. The second forces: what was started ends with us, through the watchdogs. */
export function listenForStop(heard: (interrupted: Interrupted) => void): void {
  let first: { readonly atMs: number } | undefined
  for (const by of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(by, () => {
      const interrupted = new Interrupted(by)
      if (first === undefined) {
        first = { atMs: performance.now() }
        heard(interrupted)
      } else if (performance.now() - first.atMs > sameMs) {
        process.exit(interrupted.exitCode)
      }
    })
  }
}
