/**
 * How the service writes its records: state in, JSON out. One file per family; the three shapes of time are here.
 * Nothing here changes state.
 */
import { rfc3339Micro } from '../../loop/clock.ts'

/** `YYYY-MM-DD HH:MM:SS` of milliseconds since the epoch. */
export function vmTime(ms: number): string {
  return rfc3339Micro(ms).slice(0, 19).replace('T', ' ')
}

/** `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function storageTime(ms: number): string {
  return rfc3339Micro(ms).slice(0, 26).replace('T', ' ')
}

/** `YYYY-MM-DDTHH:MM:SS.mmm+0000`. */
export function diskTime(ms: number): string {
  return `${rfc3339Micro(ms).slice(0, 23)}+0000`
}

/** `YYYY-MM-DD-HH-MM-SS`, the end of a replica's id. */
export function replicaSuffix(ms: number): string {
  return rfc3339Micro(ms).slice(0, 19).replace(/[T:]/g, '-')
}
