/** What both fault proxies need of HTTP: a free port, whole bodies, and the ways in which an answer fails to come. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Served } from '../../../src/simulator/http/serve.ts'

/** On a free port of the loopback address; resolves with it. */
export async function listen(server: Server): Promise<number> {
  // Longer than a client keeps an idle connection: none is closed under a request.
  server.keepAliveTimeout = 90_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

export function close(server: Server): void {
  server.close()
  server.closeAllConnections()
}

/** Undefined: the client went away inside it. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

/** The first value of each header. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? (value[0] ?? '') : (value ?? ''),
    ]),
  )
}

/** A reset instead of an answer. */
export function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

/** An answer that never comes: the connection is cut when its time is over. */
export function hang(response: ServerResponse, ms: number): void {
  setTimeout(() => cut(response), ms)
}

/** Shows what was served; resolves when it has left, or cannot leave any more. */
export function show(response: ServerResponse, served: Served, hangMs: number): Promise<void> {
  if (served.outcome === 'hang') hang(response, hangMs)
  else if (served.outcome === 'reset') cut(response)
  if (served.outcome === 'hang' || served.outcome === 'reset' || response.destroyed) return Promise.resolve()
  const { outcome, status, headers, body } = served
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.once('finish', resolve)
    if (outcome === 'answered') response.writeHead(status, headers).end(body)
    else
      response
        .writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body) * 2) })
        .write(body, () => response.socket?.destroy())
  })
}
