/**
 * The simulated service over HTTP: the whole cloud in one process, for tests, the demo and trying out manifests. It is
 * written from the service's interface alone and shares no code with the operator's own client of it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdminServer } from './admin.ts'
import type { SimulatorControl } from './control.ts'
import { largestBody, type Served } from './http/serve.ts'
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

async function answer(
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  if (body === 'gone') return
  const onGone = (callback: () => void): void => {
    if (response.destroyed) callback()
    else response.once('close', () => !response.writableEnded && callback())
  }
  const { method = 'GET', url: target = '/', headers } = request
  send(response, await simulator.serve({ method, target, headers, body, onGone }))
}

function send(response: ServerResponse, served: Served): void {
  if (served.outcome === 'hang' || response.destroyed) return
  if (served.outcome === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(served.status, served.headers)
  if (served.outcome === 'answered') response.end(served.body)
  else response.write(served.body, () => response.socket?.destroy())
}

/** The whole body. One that is too large is read to its end, but not kept: what comes is over the limit too. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'gone'> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (size <= largestBody) chunks.push(chunk)
      size += chunk.length
    }
  } catch {
    return 'gone'
  }
  return Buffer.concat(chunks)
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
