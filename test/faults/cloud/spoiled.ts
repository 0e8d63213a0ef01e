/** Answers that went wrong on their way, or that the service never meant. */
import type { Served } from '../../../src/simulator/http/serve.ts'
import type { AnswerTrouble } from '../plan.ts'

/** What is seen in place of the answer; `served`: what the service answered, when it was asked at all. */
export function spoiled(trouble: AnswerTrouble, served: Served | undefined): Served {
  if (typeof trouble === 'object') return refused(trouble)
  switch (trouble) {
    case 'notSent':
    case 'reset':
      return { outcome: 'reset' }
    case 'hang':
      return { outcome: 'hang' }
    case 'truncated': {
      const body = served?.outcome === 'answered' ? served.body : ''
      if (body === '') return { outcome: 'reset' }
      return { outcome: 'truncated', status: 200, headers: {}, body: body.slice(0, body.length / 2) }
    }
    case 'wrongShape':
      return json(200, { unexpected: true })
    case 'html':
      return {
        outcome: 'answered',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html>busy</html>',
      }
    case 'redirect':
      return {
        outcome: 'answered',
        status: 302,
        headers: { location: 'https://elsewhere.example/' },
        body: '',
      }
  }
}

function refused({ status, retryAfterSeconds }: Extract<AnswerTrouble, object>): Served {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...json(status, { message: 'something went wrong' }), headers }
}

function json(status: number, body: unknown): Extract<Served, { outcome: 'answered' | 'truncated' }> {
  return {
    outcome: 'answered',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** A body that breaks off after what is given. */
export async function* truncated(body: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(body))
  throw new Error('the connection ended inside the body')
}
