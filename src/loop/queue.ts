/**
 * A controller without a domain: which key is worked on next, when again, and what an error means for it.
 * Knows neither Kubernetes nor the cloud.
 */
import type { Clock } from './clock.ts'

export type Priority = 'change' | 'retry' | 'requeue' | 'resync'

export interface Taken {
  readonly key: string
  readonly priority: Priority
  /** From when the key was due until it was taken. */
  readonly waitedMs: number
}

/** Keys waiting for a pass: each at most once, at its earliest due time, by priority with ageing. */
export class Queue {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Due after `afterMs` (default: now). An earlier due time and a higher priority of the same key win. */
  add(key: string, priority: Priority, afterMs = 0): void {
    void [key, priority, afterMs, this.#clock]
  }

  /** The next due key, which then counts as running until `done`. */
  take(): Taken | undefined {
    return undefined
  }

  /** Ends the pass on `key`; if it was added meanwhile it waits again. */
  done(key: string): void {
    void key
  }

  depth(): { ready: number; delayed: number; running: number } {
    return { ready: 0, delayed: 0, running: 0 }
  }

  /** The one listener that is called when a key becomes due. */
  onReady(listener: () => void): void {
    void listener
  }

  /** Forgets everything that waits and takes nothing more. */
  close(): void {
    return
  }
}
