/** One watch stream, from its opening to its end, applied to the store as it comes. */
import type { Clock } from '../loop/clock.ts'
import { classifyStatus, parseJson } from './classify.ts'
import { createLineSplitter } from './lines.ts'
import type { KubeObject, ResourceType } from './object.ts'
import { objectPath } from './paths.ts'
import { isReadable, isRecord, project } from './project.ts'
import type { Store } from './store.ts'
import type { KubeTransport } from './transport.ts'

/**
 * - `ended`: by the server or the connection's orderly end; resume.
 * - `gone`: the position is too old; relist.
 * - `silence`: no byte for too long; relist, for the watch may be deaf.
 * - `malformed`: something that is no event; resume, so that the event comes again.
 * - `backwards`: an event older than the store; relist.
 */
export type StreamEnd = 'ended' | 'gone' | 'silence' | 'malformed' | 'backwards'

export interface StreamOptions<T extends KubeObject> {
  readonly transport: Pick<KubeTransport, 'watch'>
  readonly type: ResourceType
  readonly namespace: string
  readonly store: Store<T>
  readonly clock: Clock
  readonly silenceMs: number
  /** After which the server ends the stream. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The server has accepted the watch. */
  readonly onOpen: () => void
  /** An event or a bookmark has been applied. */
  readonly onProgress: () => void
}

/** Follows from the store's version. Rejects with a KubeError when the stream cannot be opened, or breaks. */
export async function followStream<T extends KubeObject>(o: StreamOptions<T>): Promise<StreamEnd> {
  const silence = watchSilence(o)
  try {
    const chunks = await o.transport.watch({
      path: objectPath(o.type, o.namespace),
      query: {
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: o.store.lastSeenVersion(),
        timeoutSeconds: Math.round(o.timeoutMs / 1000),
      },
      resource: o.type.plural,
      signal: silence.signal,
    })
    o.onOpen()
    return await applyAll(o, chunks, silence.heard)
  } catch (error) {
    if (silence.tooLong()) return 'silence'
    throw error
  } finally {
    silence.end()
  }
}

async function applyAll<T extends KubeObject>(
  o: StreamOptions<T>,
  chunks: AsyncIterable<Uint8Array>,
  heard: () => void,
): Promise<StreamEnd> {
  const split = createLineSplitter()
  for await (const chunk of chunks) {
    heard()
    const lines = split(chunk)
    if (lines === 'tooLong') return 'malformed'
    for (const line of lines) {
      const end = applyLine(o, line)
      if (end !== undefined) return end
      o.onProgress()
    }
  }
  return 'ended'
}

/** Undefined when the line was an event that is now in the store. */
function applyLine<T extends KubeObject>(o: StreamOptions<T>, line: string): StreamEnd | undefined {
  const event = parseJson(line)
  if (!isRecord(event) || !isRecord(event['object'])) return 'malformed'
  const { type, object } = event
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      if (!isReadable(object)) return 'malformed'
      const applied = o.store.apply(type === 'DELETED' ? 'deleted' : 'put', project(o.type, object) as T)
      return applied ? undefined : 'backwards'
    }
    case 'BOOKMARK': {
      const metadata = isRecord(object['metadata']) ? object['metadata'] : {}
      const { resourceVersion } = metadata
      if (typeof resourceVersion !== 'string') return 'malformed'
      return o.store.advance(resourceVersion) ? undefined : 'backwards'
    }
    case 'ERROR': {
      const error = classifyStatus(`watch ${o.type.plural}`, object)
      if (error.class === 'gone') return 'gone'
      throw error
    }
    default:
      return 'malformed'
  }
}

/** A signal that aborts with the outer one, or when `heard` was not called for `silenceMs`. */
function watchSilence(o: Pick<StreamOptions<KubeObject>, 'clock' | 'silenceMs' | 'signal'>) {
  const controller = new AbortController()
  let tooLong = false
  const abort = () => controller.abort()
  const arm = () =>
    o.clock.after(o.silenceMs, () => {
      tooLong = true
      abort()
    })
  let cancel = arm()
  if (o.signal.aborted) abort()
  o.signal.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    tooLong: () => tooLong,
    heard: () => {
      cancel()
      cancel = arm()
    },
    end: () => {
      cancel()
      o.signal.removeEventListener('abort', abort)
    },
  }
}
