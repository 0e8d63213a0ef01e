/** Which Event a record belongs to, and how it looks on the server. Makes no requests. */
import { rfc3339Micro, type Clock } from '../loop/clock.ts'
import type { Redactor } from '../telemetry/redact.ts'
import type { KubeObject } from './object.ts'

export interface EventRecord {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  /** CamelCase, as in conditions. */
  readonly reason: string
  /** CamelCase: what was done or tried. */
  readonly action: string
  /** For people; clipped to 1 kB. */
  readonly note: string
}

/** Equal records within a time, and the one Event that stands for them. */
export interface Series {
  readonly name: string
  readonly namespace: string
  readonly event: EventRecord
  readonly firstAt: number
  lastAt: number
  count: number
  /** The count that the server has; 0: there is no Event yet. */
  written: number
}

export interface SeriesBook {
  /** The record's series with the record counted: an open one, or a new one. */
  count(event: EventRecord): Series
  bodyOf(series: Series): Readonly<Record<string, unknown>>
  /** The patch that brings the count up to date. */
  countOf(series: Series): Readonly<Record<string, unknown>>
}

export interface SeriesBookOptions {
  readonly controller: string
  readonly instance: string
  readonly clock: Clock
  readonly redactor?: Redactor
}

/** As in client-go: a record that comes again within this time belongs to the series. */
const SERIES_MS = 360_000

const MOST_SERIES = 2_000

/** The server's bounds. */
const NOTE_BYTES = 1_024
const NAME_LENGTH = 253

export function createSeriesBook(o: SeriesBookOptions): SeriesBook {
  /** The least recent first. */
  const open = new Map<string, Series>()

  function forgetOld(now: number): void {
    for (const [key, series] of open) {
      if (open.size <= MOST_SERIES && now - series.lastAt < SERIES_MS) return
      open.delete(key)
    }
  }

  function start(event: EventRecord, now: number): Series {
    const { name, namespace } = event.object.metadata
    const suffix = `.${o.clock.randomHex(8)}`
    return {
      name: name.slice(0, NAME_LENGTH - suffix.length) + suffix,
      namespace: namespace === '' ? 'default' : namespace,
      event,
      firstAt: now,
      lastAt: now,
      count: 0,
      written: 0,
    }
  }

  const seriesOf = (series: Series) => ({
    count: series.count,
    lastObservedTime: rfc3339Micro(series.lastAt),
  })

  return {
    count: (event) => {
      const now = o.clock.now()
      forgetOld(now)
      const key = [event.object.metadata.uid, event.type, event.reason, event.action, event.note].join('\n')
      const series = open.get(key) ?? start(event, now)
      series.count += 1
      series.lastAt = now
      open.delete(key)
      open.set(key, series)
      return series
    },
    bodyOf: (series) => {
      const { object, type, reason, action, note } = series.event
      const { name, namespace, uid, resourceVersion } = object.metadata
      return {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: series.name, namespace: series.namespace },
        eventTime: rfc3339Micro(series.firstAt),
        reportingController: o.controller,
        reportingInstance: o.instance.slice(0, 128),
        regarding: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          namespace,
          name,
          uid,
          resourceVersion,
        },
        type,
        reason,
        action,
        note: clip(o.redactor?.clean(note) ?? note),
        ...(series.count > 1 && { series: seriesOf(series) }),
      }
    },
    countOf: (series) => ({ series: seriesOf(series) }),
  }
}

/** The first 1,024 bytes, ended by a whole character. */
function clip(note: string): string {
  const bytes = Buffer.from(note)
  if (bytes.length <= NOTE_BYTES) return note
  return `${bytes
    .subarray(0, NOTE_BYTES - 4)
    .toString('utf8')
    .replace(/�+$/, '')}…`
}
