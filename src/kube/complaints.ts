/** What is wrong right now, told once: the first of a row of equal complaints is a warning, the rest are debug. */
import type { Log } from '../telemetry/log.ts'

export interface Complaints {
  /** The latest text; undefined when all is well. */
  current(): string | undefined
  /** `about` says whether it is the same trouble as before. */
  complain(about: string, text: string): void
  /** All is well again; `how` is logged if it was not. */
  settle(how: string): void
}

export function createComplaints(log: Log, initial: string): Complaints {
  let text: string | undefined = initial
  let about: string | undefined
  return {
    current: () => text,
    complain: (what, why) => {
      if (what === about) log.debug({ about: what }, why)
      else log.warn({ about: what }, why)
      about = what
      text = why
    },
    settle: (how) => {
      if (text !== undefined) log.info({}, how)
      about = undefined
      text = undefined
    },
  }
}
