/** Faults set by a test, matched to calls by counting: "the 2nd POST /user-resource/vm". */
import { matchPath } from './http/route.ts'
import type { BodyShape } from './http/shapes.ts'

/** An answer in place of the service's own. Names of headers in lower case. */
export interface FaultAnswer {
  status: number
  body?: unknown
  /** In place of `body`: one of the shapes that errors have, with this text. */
  shape?: BodyShape
  text?: string
  /** The body as it is, in place of both. */
  raw?: string
  contentType?: string
  headers?: Record<string, string>
}

export type FaultAction =
  | { answer: FaultAnswer }
  | { reset: true }
  | { hang: true }
  /** Half of the answer, then the connection ends. */
  | { truncate: true }
  | { delayMs: number }
  /** Reads answer from the state before this call for so long; `of` limits it to the paths of one pattern. */
  | { lagReads: { forMs: number; of?: string } }
  /** On a change: what it made is missing from the next lists. On a list: its last row is missing. */
  | { listOmit: { forCalls: number } }
  | { shuffle: true }
  /** The first row of the list comes twice. */
  | { repeat: true }

export interface Fault {
  /** '*' matches every method. */
  method: string
  /** Without version and slug; ':x' matches one segment. */
  path: string
  /** Fires on the nth matching call from now; 1 when absent. */
  nth?: number
  /** … and on so many calls in all; 1 when absent. */
  times?: number
  point: 'before' | 'afterCommit'
  action: FaultAction
  /** With answer, reset or hang before the commit: the change happens nevertheless, so much later. */
  effectAfterMs?: number
}

export interface ArmedFault extends Fault {
  id: string
}

export interface Faults {
  add(fault: Fault): string
  clear(): void
  /** Counts the call and gives the faults that fire on it. */
  match(method: string, path: string): ArmedFault[]
}

export function createFaults(): Faults {
  let armed: { fault: ArmedFault; seen: number }[] = []
  let added = 0
  return {
    add: (fault) => {
      added += 1
      const id = `fault-${added}`
      armed.push({ fault: { ...fault, id }, seen: 0 })
      return id
    },
    clear: () => {
      armed = []
    },
    match: (method, path) =>
      armed.flatMap((entry) => {
        if (!matches(entry.fault, method, path)) return []
        entry.seen += 1
        const first = entry.fault.nth ?? 1
        return entry.seen >= first && entry.seen < first + timesOf(entry.fault, method) ? [entry.fault] : []
      }),
  }
}

function timesOf({ times, action }: Fault, method: string): number {
  return times ?? (method === 'GET' && 'listOmit' in action ? action.listOmit.forCalls : 1)
}

/** Whether a call is one that the pattern means. */
export function matches(pattern: { method: string; path: string }, method: string, path: string): boolean {
  if (pattern.method !== '*' && pattern.method.toUpperCase() !== method) return false
  return pattern.path === '*' || matchPath(pattern.path, path.split('/').slice(1)) !== undefined
}
