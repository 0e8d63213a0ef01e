/**
 * The simulated service over HTTP: the whole cloud in one process, for tests, the demo and trying out manifests. It is
 * written from the service's interface alone and shares no code with the operator's own client of it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdminServer } from './admin.ts'
import type { SimulatorControl } from './control.ts'
import { gateway } from './http/errors.ts'
import type { RawAnswer } from './http/raw.ts'
import { createSimulator, type Simulator, type SimulatorSettings } from './simulator.ts'

export interface SimulatorOptions extends SimulatorSettings {
  /** 0 or absent: a free port. */
  port?: number
  adminPort?: number
  /** 127.0.0.1 when absent. */
  host?: string
}

export interface RunningSimulator {
  url: string
  adminUrl: string
  apiKey: string
  location: string
  control: SimulatorControl
  stop(): Promise<void>
}

/** Starts the service and its admin port; rejects when a port cannot be had. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const simulator = createSimulator(options)
  const host = options.host ?? '127.0.0.1'
  const api = createServer((request, response) => void answer(simulator, request, response))
  api.keepAliveTimeout = 65_000
  const admin = createAdminServer(simulator)
  const url = await listen(api, options.port ?? 0, host)
  try {
    const adminUrl = await listen(admin, options.adminPort ?? 0, host)
    const { apiKey, location, control } = simulator
    const stopAll = async (): Promise<void> => {
      simulator.stop()
      await stop([api, admin])
    }
    return { url, adminUrl, apiKey, location, control, stop: stopAll }
  } catch (error) {
    await stop([api])
    throw error
  }
}

const largestBody = 8 * 2 ** 20

async function answer(
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  if (body === 'gone') return
  if (body === 'tooLarge') {
    send(response, tooLarge)
    return
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const onGone = (callback: () => void): void => {
    if (response.destroyed) {
      callback()
      return
    }
    response.on('close', () => {
      if (!response.writableEnded) callback()
    })
  }
  send(
    response,
    await simulator.exchange({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers,
      body: body.toString('utf8'),
      onGone,
    }),
  )
}

const tooLarge: RawAnswer = {
  kind: 'answer',
  status: gateway.tooLarge.status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(gateway.tooLarge.body),
  truncate: false,
}

function send(response: ServerResponse, reply: RawAnswer): void {
  if (reply.kind === 'hang' || response.destroyed) return
  if (reply.kind === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const body = Buffer.from(reply.body)
  if (body.length > 0) response.setHeader('content-length', body.length)
  else if (reply.status !== 204) response.setHeader('content-length', 0)
  response.writeHead(reply.status, reply.headers)
  if (reply.truncate) response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
  else response.end(body)
}

/** The whole body; one that is too large is read to its end and dropped. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'tooLarge' | 'gone'> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= largestBody) chunks.push(chunk)
    }
  } catch {
    return 'gone'
  }
  return size > largestBody ? 'tooLarge' : Buffer.concat(chunks)
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const bound = (server.address() as AddressInfo).port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}

async function stop(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  for (const server of servers) server.closeAllConnections()
  await Promise.all(closed)
}
