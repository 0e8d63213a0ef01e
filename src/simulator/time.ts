/** The shapes of time in the service: three in records, one in ids. All take milliseconds since the epoch. */
import { rfc3339Micro } from '../loop/clock.ts'

/** `YYYY-MM-DD HH:MM:SS`. */
export function vmTime(ms: number): string {
  return iso(ms).slice(0, 19).replace('T', ' ')
}

/** `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function storageTime(ms: number): string {
  return iso(ms).slice(0, 26).replace('T', ' ')
}

/** `YYYY-MM-DDTHH:MM:SS.mmm+0000`. */
export function diskTime(ms: number): string {
  return `${iso(ms).slice(0, 23)}+0000`
}

/** `YYYY-MM-DD-HH-MM-SS`, the end of a replica's id. */
export function replicaSuffix(ms: number): string {
  return iso(ms).slice(0, 19).replace(/[T:]/g, '-')
}

let latest = { ms: 0, text: rfc3339Micro(0) }

/** Most records show one moment several times, and long lists are mostly times. */
function iso(ms: number): string {
  if (latest.ms !== ms) latest = { ms, text: rfc3339Micro(ms) }
  return latest.text
}
