/** Connections to the API server: for people, and for what the fault proxy lets through. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'

const BUSY_MS = 200

export interface ApiRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: Buffer | string
  /** Ends the request. */
  readonly signal?: AbortSignal
}

export interface ApiReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface Api {
  /** With the headers as they are; the answer's body is still to be read. Rejects when there is no answer. */
  open(ask: ApiRequest): Promise<IncomingMessage>
  /** The same, read to its end. */
  exchange(ask: ApiRequest): Promise<ApiReply>
  /** As the admin. Rejects with an ApiRefusal unless it succeeds. */
  asAdmin(method: string, path: string, body?: unknown): Promise<unknown>
  close(): void
}

/** The API server said no. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ]
  readonly users: readonly [{ readonly user: { readonly token: string } }]
}

/** The bearer token of a kubeconfig of the test control plane. */
export async function tokenOf(kubeconfig: string): Promise<string> {
  return (await read(kubeconfig)).users[0].user.token
}

export async function createApi(adminKubeconfig: string): Promise<Api> {
  const { clusters, users } = await read(adminKubeconfig)
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster
  const { hostname, port } = new URL(server)
  const agent = new Agent({ keepAlive: true, ca: Buffer.from(authority, 'base64') })
  const admin = { authorization: `Bearer ${users[0].user.token}`, accept: 'application/json' }

  const open: Api['open'] = ({ method, path, headers = {}, body, signal }) =>
    new Promise((resolve, reject) => {
      const options: RequestOptions = { hostname, port, agent, method, path, headers: plain(headers) }
      const call = request({ ...options, ...(signal && { signal }) })
      call.once('response', resolve)
      call.once('error', reject)
      call.end(body)
    })
  const exchange: Api['exchange'] = async (ask) => {
    const answer = await open(ask)
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  }
  const asAdmin: Api['asAdmin'] = async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const { status, text } = await exchange({
      method,
      path,
      headers: { ...admin, 'content-type': type },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // Just after definitions were installed the server asks for patience.
    if (status === 429) {
      await sleep(BUSY_MS)
      return asAdmin(method, path, body)
    }
    if (status > 299) throw new ApiRefusal(status, `${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as unknown
  }
  return { open, exchange, asAdmin, close: () => agent.destroy() }
}

function plain(headers: NonNullable<ApiRequest['headers']>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  )
}

async function read(path: string): Promise<Kubeconfig> {
  return parse(await readFile(path, 'utf8')) as Kubeconfig
}
