/** Runs a table of endpoint calls: what leaves, to the byte, and what comes back of the reply. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CloudClient } from '../../../src/cloud/client.ts'
import { startRecorder, testClient, testKey } from './recorder.ts'
import type { Recorder } from './recorder.ts'

export interface ContractRow {
  readonly name: string
  readonly call: (client: CloudClient) => Promise<unknown>
  /** The service's reply. */
  readonly reply: unknown
  readonly status?: number
  /** Method and path with query. */
  readonly line: string
  readonly form?: string
  readonly json?: unknown
  readonly result: unknown
  /** Reads carry no operation id. */
  readonly mutation: boolean
}

export function contract(rows: readonly ContractRow[]): void {
  let recorder: Recorder
  let client: CloudClient
  beforeAll(async () => {
    recorder = await startRecorder()
    client = testClient(recorder.url)
  })
  afterAll(async () => {
    await client.close()
    await recorder.stop()
  })

  test.each(rows)('$name', async (row) => {
    recorder.requests.length = 0
    recorder.respond(() => ({ status: row.status ?? 200, body: row.reply }))
    expect(await row.call(client)).toEqual(row.result)
    expect(recorder.requests).toHaveLength(1)
    const [request] = recorder.requests
    expect(`${request?.method ?? ''} ${request?.url ?? ''}`).toBe(row.line)
    expect(request?.headers['apikey']).toBe(testKey)
    expect(request?.headers['x-operation-id']).toBe(row.mutation ? 'op-1' : undefined)
    expect(request?.headers['connection']).toBe(row.mutation ? 'close' : 'keep-alive')
    expect(request?.headers['content-type']).toBe(contentType(row))
    if (row.json === undefined) expect(request?.body).toBe(row.form ?? '')
    else expect(JSON.parse(request?.body ?? '')).toEqual(row.json)
  })
}

function contentType(row: ContractRow): string | undefined {
  if (row.form !== undefined) return 'application/x-www-form-urlencoded'
  return row.json === undefined ? undefined : 'application/json'
}
