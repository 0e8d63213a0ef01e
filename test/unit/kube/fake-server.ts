/** A server over real HTTP that answers as a test says: for faults that a real API server cannot be made to have. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { KubeAccess } from '../../../src/kube/access.ts'
import type { KubeCredentials } from '../../../src/kube/credentials.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface FakeServer {
  readonly url: string
  readonly calls: Call[]
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

export async function startFakeServer(
  answer: (call: Call, response: ServerResponse) => void,
): Promise<FakeServer> {
  const calls: Call[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://fake')
      const text = Buffer.concat(chunks).toString()
      const call = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      }
      calls.push(call)
      answer(call, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A Status as the API server sends it. */
export function failure(
  code: number,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: `it is a ${code}`, ...more }
}

export const tooLarge = failure(504, {
  reason: 'Timeout',
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
})

/** Credentials without a login, or with what `access` says. */
export function credentialsFor(
  url: string,
  access: () => Partial<KubeAccess> = () => ({}),
  refresh: () => void = () => undefined,
): KubeCredentials {
  return {
    server: url,
    namespace: undefined,
    access: async () => Promise.resolve({ generation: 1, tls: {}, headers: {}, ...access() }),
    refresh: () => {
      refresh()
      return Promise.resolve()
    },
  }
}

/** Waits in real time, with turns for I/O, until `condition` holds. */
export async function until(condition: () => boolean, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`still not so after ${limitMs} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
