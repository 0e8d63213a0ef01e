/** Reads a reply's body into a result, or into the words of a failure. */
import { parseTime } from '../loop/clock.ts'
import type { Clock } from '../loop/clock.ts'
import { errorWords, saysFailed } from './error-words.ts'
import type { ReplyFacts } from './errors.ts'
import type { Answer } from './request.ts'
import { createRowSplitter, maxDepth } from './rows.ts'
import type { WireReply } from './wire.ts'

const maxListBytes = 64 * 2 ** 20
const maxRecordBytes = 4 * 2 ** 20
const maxErrorBytes = 64 * 2 ** 10
/** Between two yields to the event loop. */
const sliceBytes = 64 * 2 ** 10
/** Longer waits than this are not believed. */
const maxRetryAfterMs = 15 * 60_000

export interface Received<T> {
  readonly reply: ReplyFacts
  /** Present when the reply is a success and its body fits. */
  readonly result?: { readonly value: T }
}

/** Reads a reply to its end. Rejects only when the stream breaks off. */
export async function receive<T>(reply: WireReply, answer: Answer<T>, clock: Clock): Promise<Received<T>> {
  const facts = {
    status: reply.status,
    correlationID: correlationOf(reply),
    retryAfterMs: retryAfterOf(reply, clock),
  }
  if (reply.status >= 300 && reply.status < 400) return { reply: facts }
  if (reply.status < 200 || reply.status > 299) {
    const text = await readText(reply.body, maxErrorBytes)
    return { reply: { ...facts, words: text === undefined ? undefined : errorWords(parse(text)) } }
  }
  const taken = answer.shape === 'rows' ? await takeRows(reply, answer, clock) : await takeBody(reply, answer)
  return 'unreadable' in taken
    ? { reply: { ...facts, unreadable: taken.unreadable } }
    : { reply: facts, result: taken }
}

type Taken<T> = { readonly value: T } | { readonly unreadable: string }

async function takeBody<T>(
  reply: WireReply,
  answer: Exclude<Answer<T>, { shape: 'rows' }>,
): Promise<Taken<T>> {
  const text = await readText(reply.body, maxRecordBytes)
  if (text === undefined) return { unreadable: 'the answer is too large' }
  const body = parse(text)
  if (saysFailed(body))
    return { unreadable: errorWords(body)?.text ?? 'the answer says that it did not succeed' }
  switch (answer.shape) {
    case 'ignored':
      return { value: answer.result }
    case 'optional':
      return { value: answer.parse(body) }
    case 'record': {
      const value = answer.parse(body)
      return value === undefined ? { unreadable: 'the answer does not have the expected form' } : { value }
    }
  }
}

async function takeRows<T>(
  reply: WireReply,
  answer: Extract<Answer<T>, { shape: 'rows' }>,
  clock: Clock,
): Promise<Taken<T>> {
  const wrong = { unreadable: 'the answer is not a list of the expected form' }
  const list = answer.start()
  const splitter = createRowSplitter((text) => list.add(parse(text)))
  let total = 0
  let sinceYield = 0
  for await (const chunk of reply.body) {
    total += chunk.length
    if (total > maxListBytes) return { unreadable: 'the answer is too large' }
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      const slice = chunk.subarray(from, from + sliceBytes)
      if (!splitter.push(slice)) return wrong
      sinceYield += slice.length
      if (sinceYield < sliceBytes) continue
      sinceYield = 0
      await clock.yield()
    }
  }
  return splitter.done() ? { value: list.result() } : wrong
}

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The JSON value; undefined when it is none or nested too deep. */
function parse(text: string): unknown {
  if (depthOf(text) > maxDepth) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An upper bound of the nesting: brackets inside strings count too, which no honest reply gets near. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function correlationOf(reply: WireReply): string | undefined {
  const names = ['x-correlation-id', 'correlation-id', 'x-request-id', 'x-kong-request-id']
  const id = names.map((name) => reply.header(name)).find((value) => value !== undefined && value !== '')
  return id?.replaceAll(/[^\w.:/+=-]/g, '').slice(0, 128)
}

/** Seconds or an HTTP date. */
function retryAfterOf(reply: WireReply, clock: Clock): number | undefined {
  const value = reply.header('retry-after')?.trim()
  if (value === undefined) return undefined
  const at = parseTime(value)
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : at === undefined ? undefined : at - clock.now()
  return ms === undefined ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs)
}
