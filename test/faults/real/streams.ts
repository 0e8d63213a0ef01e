/** Watch streams of all processes of a case: passed on byte by byte, unless a plan has them cut, ended or held up. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import type { WatchTrouble } from '../plan.ts'
import { cut } from './listen.ts'
import { realMs } from './pace.ts'

interface Stream {
  readonly kind: string
  readonly response: ServerResponse
  readonly source: IncomingMessage
}

export interface Streams {
  add(stream: Stream): void
  /** Of one kind, or all; new ones are as they should be. */
  disturb(trouble: WatchTrouble, kind: string | undefined): void
}

/** Silence that is given up in a plan after 150 s. */
const DEAF_MS = 150_000

export function createStreams(): Streams {
  const open = new Set<Stream>()
  return {
    add: (stream) => {
      open.add(stream)
      stream.response.once('close', () => {
        open.delete(stream)
        stream.source.destroy()
      })
      stream.source.once('error', () => cut(stream.response))
      stream.source.pipe(stream.response)
    },
    disturb: (trouble, kind) => {
      for (const stream of open) if (kind === undefined || kind === stream.kind) spoil(stream, trouble)
    },
  }
}

function spoil({ response, source, kind }: Stream, trouble: WatchTrouble): void {
  if (trouble === 'ended') {
    cut(response)
    return
  }
  source.unpipe(response)
  if (trouble === 'gone') {
    const message = `${kind}: too old resource version`
    const status = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message }
    response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)
  } else if (trouble === 'dead') setTimeout(() => cut(response), realMs(DEAF_MS))
  else setTimeout(() => source.pipe(response), realMs(trouble.delayMs))
}

export interface WatchAsk {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly kind: string
}

/** Opens the stream at the server and passes it on. */
export async function relay(
  api: Api,
  { path, headers, kind }: WatchAsk,
  response: ServerResponse,
  streams: Streams,
): Promise<void> {
  const abort = new AbortController()
  response.once('close', () => abort.abort())
  const source = await api.open({ method: 'GET', path, headers, signal: abort.signal })
  source.once('error', () => undefined)
  response.writeHead(source.statusCode ?? 502, { 'content-type': source.headers['content-type'] ?? '' })
  response.flushHeaders()
  streams.add({ kind, response, source })
}
