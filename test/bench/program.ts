/** A simulator in a process of its own, as `cloud-operator simulate` starts it, and the few calls that benches make. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createInterface } from 'node:readline'

export interface Program {
  /** The body of a GET after /v1. */
  text(path: string): Promise<string>
  list(path: string): Promise<unknown>
  /** Milliseconds from the request to the last byte of the answer, which is not looked at. */
  timeMs(path: string): Promise<number>
  form(method: string, path: string, fields: Readonly<Record<string, string | number>>): Promise<string>
  json(path: string, body: unknown): Promise<string>
  /** Resident memory of the process in MiB. */
  rssMiB(): number
  stop(): Promise<void>
}

/** Starts the bundled program; rejects when it ends before it says where it is. Answers outside of 2xx are errors. */
export async function startProgram(path: string, flags: readonly string[]): Promise<Program> {
  const args = [path, 'simulate', '--api-key', 'bench', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await urlOf(child)
  const call = async (method: string, route: string, type?: string, body?: string): Promise<string> => {
    const headers = { apikey: 'bench', ...(type !== undefined && { 'content-type': type }) }
    const response = await fetch(`${url}/v1${route}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`)
    return text
  }
  return {
    text: (route) => call('GET', route),
    list: async (route) => JSON.parse(await call('GET', route)) as unknown,
    timeMs: (route) => timeMs(`${url}/v1${route}`),
    form: (method, route, fields) => call(method, route, 'application/x-www-form-urlencoded', encode(fields)),
    json: (route, body) => call('POST', route, 'application/json', JSON.stringify(body)),
    rssMiB: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The address that the program prints of itself; what it prints later is left alone. */
async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^url: +(.*)$/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the simulator ended before it said where it is')
}

function timeMs(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const request = get(url, { headers: { apikey: 'bench' } }, (response) => {
      response.on('data', () => undefined)
      response.on('end', () => resolve(performance.now() - started))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

function encode(fields: Readonly<Record<string, string | number>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}
