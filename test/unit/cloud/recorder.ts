/** A tiny HTTP server that writes down what arrives and answers what a test says. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../../src/loop/clock.ts'
import type { Clock } from '../../../src/loop/clock.ts'
import { createCloudClient } from '../../../src/cloud/client.ts'
import type { CloudClient, CloudClientOptions, Send } from '../../../src/cloud/client.ts'

export interface Recorded {
  readonly method: string
  /** With the query, as it came. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
}

export type Respond = (request: Recorded, response: ServerResponse) => Reply | undefined

export interface Recorder {
  readonly url: string
  readonly requests: Recorded[]
  /** New TCP connections so far. */
  connections(): number
  /** How the next requests are answered; undefined from it means that the test has done so itself. */
  respond(how: Respond): void
  stop(): Promise<void>
}

export async function startRecorder(): Promise<Recorder> {
  const requests: Recorded[] = []
  let connections = 0
  let how: Respond = () => ({})
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const recorded = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      }
      requests.push(recorded)
      const reply = how(recorded, response)
      if (reply !== undefined) answer(response, reply)
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    respond: (next) => (how = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, reply: Reply): void {
  const body =
    typeof reply.body === 'string' ? reply.body : reply.body === undefined ? '' : JSON.stringify(reply.body)
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(body)
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export const testKey = 'key-0123456789abcdef'

/** A client of this endpoint with roomy limits. */
export function testClient(
  endpoint: string,
  more: Partial<CloudClientOptions> & { clock?: Clock } = {},
): CloudClient {
  return createCloudClient({
    endpoint,
    apiKey: testKey,
    clock: systemClock,
    limits: { requestsPerSecond: 1000, maxInFlight: 16 },
    settleMs: 60_000,
    ...more,
  })
}

/** A mutation that nothing stops. */
export function send(operationID = 'op-1'): Send {
  return { operationID, beforeDispatch: () => undefined }
}
