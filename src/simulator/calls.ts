/** The call log: what was asked, by whom, what came of it. Never holds a whole key, a password or cloud-init text. */
import type { Clock } from '../loop/clock.ts'

export interface Call {
  seq: number
  /** Wall time of arrival in milliseconds. */
  at: number
  /** The last four characters of the key. */
  apiKey: string
  method: string
  /** Without version and location slug. */
  path: string
  location?: string
  query: Record<string, unknown>
  body: Record<string, unknown>
  operationId?: string
  /** 'hang' while unanswered, and for good when no answer was given. */
  status: number | 'reset' | 'hang'
  /** What it did: 'created vm <uuid>'; several are joined by '; '. */
  effect?: string
  durationMs: number
}

export type CallStart = Omit<Call, 'seq' | 'at' | 'status' | 'durationMs'>

export interface CallQuery {
  /** Only calls with a greater seq. */
  since?: number
  mutationsOnly?: boolean
}

export interface CallLog {
  begin(call: CallStart, mutation: boolean): OpenCall
  list(query?: CallQuery): Call[]
  /** Calls back with every finished call; returns the function that ends it. */
  listen(listener: (call: Call) => void): () => void
}

export interface OpenCall {
  seq: number
  effect(text: string): void
  finish(status: Call['status']): void
}

/** Calls that are kept; the oldest go first. */
export const longestLog = 100_000

export function createCallLog(clock: Clock): CallLog {
  let entries: { call: Call; mutation: boolean }[] = []
  let lastSeq = 0
  const listeners = new Set<(call: Call) => void>()
  return {
    begin: (given, mutation) => {
      lastSeq += 1
      const started = clock.monotonic()
      const call: Call = { seq: lastSeq, at: clock.now(), status: 'hang', durationMs: 0, ...given }
      entries.push({ call, mutation })
      if (entries.length > longestLog) entries = entries.slice(longestLog / 10)
      return {
        seq: call.seq,
        effect: (text) => {
          call.effect = call.effect === undefined ? text : `${call.effect}; ${text}`
        },
        finish: (status) => {
          call.status = status
          call.durationMs = Math.round(clock.monotonic() - started)
          for (const listener of listeners) listener(call)
        },
      }
    },
    list: (query = {}) =>
      entries
        .filter(
          ({ call, mutation }) => call.seq > (query.since ?? 0) && (mutation || query.mutationsOnly !== true),
        )
        .map(({ call }) => ({ ...call })),
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const secretFields = ['password', 'cloud_init', 'public_key', 'personal_id_number']
const longestText = 4000

/** The parameters as the log keeps them: without the values of secret fields, and long ones cut. */
export function redact(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      clip(name),
      secretFields.includes(name) ? '[redacted]' : clipped(value),
    ]),
  )
}

/** Text as the log keeps it. */
export function clip(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text
}

/** A value of JSON that is long as text, or too deep to be written as text, is not kept. */
function clipped(value: unknown): unknown {
  if (typeof value === 'string') return clip(value)
  if (typeof value !== 'object' || value === null) return value
  try {
    const { length } = JSON.stringify(value)
    return length > longestText ? `(${length} characters of JSON)` : value
  } catch {
    return '(too deep)'
  }
}
