/** A client of the admin port: the control of a simulator that runs in another process. */
import { request as httpRequest, type ClientRequest } from 'node:http'
import type { Call, CallQuery } from './calls.ts'
import type { Change, ChangeResult } from './changes.ts'
import type { Counters, NewAccountResult, QuotaWish } from './control.ts'
import type { Fault } from './faults.ts'
import type { HoldWish, Release } from './holds.ts'
import type { Inventory } from './inventory.ts'
import type { NewAccount } from './state/accounts.ts'
import type { Rules } from './state/rules.ts'

export interface AdminClient {
  createAccount(wish?: NewAccount): Promise<NewAccountResult>
  addFault(fault: Fault): Promise<string>
  clearFaults(): Promise<void>
  calls(query?: CallQuery): Promise<Call[]>
  inventory(apiKey?: string): Promise<Inventory>
  counters(): Promise<Counters>
  setRule<Name extends keyof Rules>(rule: Name, value: Rules[Name]): Promise<void>
  setQuota(wish: QuotaWish): Promise<void>
  mutate(change: Change): Promise<ChangeResult>
  dump(): Promise<string>
  load(state: string): Promise<void>
  hold(wish: HoldWish): Promise<{ id: string }>
  held(id: string): Promise<boolean>
  /** Rejects when no request reached the hold within the time. */
  waitHeld(id: string, timeoutMs: number): Promise<void>
  release(id: string, how?: Release): Promise<void>
  /** Calls back with every finished call until the returned function is called. */
  events(listener: (call: Call) => void): () => void
}

/** Each method rejects with the simulator's own message when it refuses. */
export function createAdminClient(adminUrl: string): AdminClient {
  const text = (method: string, path: string, body?: unknown) => send(adminUrl, method, path, body)
  const json = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse(await text(method, path, body)) as T
  const run = async (method: string, path: string, body?: unknown): Promise<void> => {
    await text(method, path, body)
  }
  return {
    createAccount: (wish = {}) => json('POST', '/accounts', wish),
    addFault: async (fault) => (await json<{ id: string }>('POST', '/faults', fault)).id,
    clearFaults: () => run('DELETE', '/faults'),
    calls: ({ since = 0, mutationsOnly = false } = {}) =>
      json('GET', `/calls?since=${since}&mutationsOnly=${mutationsOnly}`),
    inventory: (apiKey) =>
      json('GET', apiKey === undefined ? '/inventory' : `/inventory?apiKey=${encodeURIComponent(apiKey)}`),
    counters: () => json('GET', '/counters'),
    setRule: (rule, value) => run('POST', '/rules', { [rule]: value }),
    setQuota: (wish) => run('POST', '/quota', wish),
    mutate: (change) => json('POST', '/mutate', change),
    dump: () => text('GET', '/dump'),
    load: (state) => run('POST', '/load', JSON.parse(state)),
    hold: (wish) => json('POST', '/holds', wish),
    held: async (id) => (await json<{ held: boolean }>('GET', `/holds/${id}`)).held,
    waitHeld: async (id, timeoutMs) => {
      const { held } = await json<{ held: boolean }>('GET', `/holds/${id}?waitMs=${timeoutMs}`)
      if (!held) throw new Error(`${id} was not reached within ${timeoutMs} ms`)
    },
    release: (id, how = 'answer') => run('POST', `/holds/${id}/release`, { how }),
    events: (listener) => stream(`${adminUrl}/events`, listener),
  }
}

async function send(adminUrl: string, method: string, path: string, body: unknown): Promise<string> {
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(`${adminUrl}${path}`, { method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
  if (status !== 200) throw new Error(`simulator: ${method} ${path}: ${text}`)
  return text
}

function stream(url: string, listener: (call: Call) => void): () => void {
  let rest = ''
  const request: ClientRequest = httpRequest(url, { agent: false }, (response) => {
    response.setEncoding('utf8')
    response.on('error', () => undefined)
    response.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) listener(JSON.parse(line) as Call)
    })
  })
  request.on('error', () => undefined)
  request.end()
  return () => request.destroy()
}
