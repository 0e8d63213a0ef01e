/** Watch streams of the modelled API server: changes in order, bookmarks, ends; and streams that break in every way. */
import type { Scheduler } from '../scheduler.ts'
import type { KubeModel, ModelChange } from './model.ts'
import { textOf } from './objects.ts'
import { expired as expiredRefusal } from './refusal.ts'
import type { ModelResource } from './resources.ts'

export interface StreamWish {
  readonly resource: ModelResource
  readonly namespace: string
  readonly from: number
  readonly timeoutMs: number
  /** One line, later; lines of a stream come in order. */
  readonly line: (text: string) => void
  readonly end: () => void
}

export interface OpenStream {
  readonly resource: ModelResource
  /** The client went away. */
  close(): void
}

export interface Streams {
  open(wish: StreamWish): OpenStream
  /** Ends streams as a server that stops does; of one kind, or all. */
  endAll(kind?: string): void
  /** Streams go on without a word, for good. */
  deafen(kind?: string): void
  /** Streams end, and their positions are too old when they are opened again. */
  expire(kind?: string): void
  /** From now on a watch at a position above the server's stays deaf, also when the server's versions pass it. */
  keepLostDeaf(): void
  /** What happens from now on is shown only after so long. */
  delay(kind: string | undefined, ms: number): void
}

const BOOKMARK_MS = 60_000

interface Stream extends OpenStream {
  readonly wish: StreamWish
  deaf: boolean
  over: boolean
  heldUntil: number
}

export function createStreams(model: KubeModel, scheduler: Scheduler, delayMs: () => number): Streams {
  const streams = new Set<Stream>()
  const expired = new Set<string>()
  let lostAreDeaf = false

  /** `object` as JSON. */
  function say(stream: Stream, type: string, object: string): void {
    if (stream.deaf || stream.over) return
    const text = `{"type":"${type}","object":${object}}\n`
    const now = scheduler.now()
    const at = Math.max(now + delayMs(), stream.heldUntil)
    // Never before the line that was said before it.
    stream.heldUntil = at + 0.001
    scheduler.after(at - now, `watch ${stream.wish.resource.plural}`, () => {
      if (!stream.deaf && !stream.over) stream.wish.line(text)
    })
  }

  function show(stream: Stream, change: ModelChange): void {
    const { namespace, resource, from } = stream.wish
    if (change.resource !== resource || change.version <= from) return
    if (namespace !== '' && change.object.metadata.namespace !== namespace) return
    say(stream, change.type, textOf(change.object))
  }

  function bookmark(stream: Stream): void {
    scheduler.after(BOOKMARK_MS, 'bookmark', () => {
      if (stream.over) return
      const { resource, from } = stream.wish
      // A position above the server's: nothing is said at all.
      if (model.version() >= from) {
        const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
        const metadata = { resourceVersion: String(model.version()), creationTimestamp: null }
        say(stream, 'BOOKMARK', JSON.stringify({ apiVersion, kind: resource.kind, metadata }))
      }
      bookmark(stream)
    })
  }

  function end(stream: Stream): void {
    if (stream.over) return
    stream.over = true
    streams.delete(stream)
    stream.wish.end()
  }

  const of = (kind: string | undefined): readonly Stream[] =>
    [...streams].filter((each) => kind === undefined || each.resource.kind === kind)

  model.subscribe((change) => {
    for (const stream of streams) show(stream, change)
  })

  return {
    open: (wish) => {
      const stream: Stream = {
        wish,
        resource: wish.resource,
        deaf: lostAreDeaf && wish.from > model.version(),
        over: false,
        heldUntil: 0,
        close: () => {
          stream.over = true
          streams.delete(stream)
        },
      }
      const tooOld = expired.delete(wish.resource.kind)
      const missed = tooOld ? undefined : model.since(wish.resource, wish.from)
      streams.add(stream)
      if (missed === undefined) {
        say(stream, 'ERROR', JSON.stringify(expiredRefusal().body))
        scheduler.after(20, 'watch ends', () => end(stream))
        return stream
      }
      for (const change of missed) show(stream, change)
      bookmark(stream)
      scheduler.after(wish.timeoutMs, 'watch times out', () => end(stream))
      return stream
    },
    endAll: (kind) => {
      for (const stream of of(kind)) end(stream)
    },
    deafen: (kind) => {
      for (const stream of of(kind)) stream.deaf = true
    },
    expire: (kind) => {
      for (const stream of of(kind)) {
        expired.add(stream.resource.kind)
        end(stream)
      }
    },
    keepLostDeaf: () => void (lostAreDeaf = true),
    delay: (kind, ms) => {
      for (const stream of of(kind)) stream.heldUntil = Math.max(stream.heldUntil, scheduler.now() + ms)
    },
  }
}
