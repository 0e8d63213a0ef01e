import { describe, expect, test } from 'vitest'
import { errorWords } from '../../../src/cloud/error-words.ts'
import { classify } from '../../../src/cloud/errors.ts'
import type { CallFacts, CloudErrorClass, ReplyFacts } from '../../../src/cloud/errors.ts'
import type { ExactKind } from '../../../src/cloud/gone.ts'
import { TransportFailure } from '../../../src/cloud/wire.ts'

const uuid = '7a7b2d2e-1111-4222-8333-0123456789ab'
const other = '99999999-1111-4222-8333-0123456789ab'
const address = '203.0.113.1'

type Call = 'read' | 'change'

function facts(call: Call, more: Partial<CallFacts> = {}): CallFacts {
  return {
    method: call === 'read' ? 'GET' : 'POST',
    path: '/v1/x',
    family: 'vm',
    mutation: call === 'change',
    secrets: [],
    ...more,
  }
}

function about(call: Call, kind: ExactKind, id: string): CallFacts {
  const family = kind === 'storageUser' || kind === 'accessKey' ? 'objectStorage' : kind
  return facts(call, { family, exact: { kind, id } })
}

function reply(status: number, body: unknown): ReplyFacts {
  return { status, words: errorWords(body) }
}

const documented = (text: string) => ({ errors: { Error: text } })
const message = (text: string) => ({ message: text })
const noRoute = message('no route and no API found with those values')
const framework = { timestamp: 1, status: 404, error: 'Not Found', message: '', path: '/v1/x' }

interface Row {
  readonly says: string
  readonly call: CallFacts
  readonly reply: ReplyFacts
  readonly is: CloudErrorClass | 'success'
  readonly field?: string
}

const outcomes: readonly Row[] = [
  { says: 'any readable 2xx is success', call: facts('change'), reply: { status: 201 }, is: 'success' },
  {
    says: 'unreadable 2xx of a change',
    call: facts('change'),
    reply: { status: 200, unreadable: 'no' },
    is: 'unclear',
  },
  {
    says: 'unreadable 2xx of a read',
    call: facts('read'),
    reply: { status: 200, unreadable: 'no' },
    is: 'unclear',
  },
  { says: 'redirect of a change', call: facts('change'), reply: { status: 302 }, is: 'unclear' },
  { says: 'redirect of a read', call: facts('read'), reply: { status: 307 }, is: 'refused' },
  { says: '401', call: facts('read'), reply: reply(401, message('no key')), is: 'denied' },
  { says: '403 of a change', call: facts('change'), reply: reply(403, message('bad key')), is: 'denied' },
  { says: '429 of a read', call: facts('read'), reply: reply(429, undefined), is: 'slowDown' },
  { says: '429 of a change', call: facts('change'), reply: reply(429, message('slow')), is: 'slowDown' },
  { says: '503 of a read', call: facts('read'), reply: reply(503, undefined), is: 'slowDown' },
  { says: '503 of a change', call: facts('change'), reply: reply(503, message('later')), is: 'unclear' },
  { says: '500 of a change', call: facts('change'), reply: reply(500, documented('oops')), is: 'unclear' },
  { says: '502 of a read', call: facts('read'), reply: reply(502, undefined), is: 'unclear' },
  { says: '408 of a change', call: facts('change'), reply: reply(408, message('time')), is: 'unclear' },
  { says: 'a status beyond all', call: facts('change'), reply: reply(600, message('?')), is: 'unclear' },
  { says: '409: locked', call: facts('change'), reply: reply(409, documented('locked')), is: 'busy' },
  { says: '425', call: facts('change'), reply: reply(425, message('early')), is: 'busy' },
  {
    says: '409 of a bucket delete: still in use',
    call: facts('change', { family: 'bucket', method: 'DELETE' }),
    reply: reply(409, message('not empty')),
    is: 'busy',
  },
  {
    says: 'a documented refusal',
    call: facts('change'),
    reply: reply(400, documented('The VM must be stopped')),
    is: 'refused',
  },
  {
    says: 'a refusal that names a field',
    call: facts('change'),
    reply: reply(400, { errors: { vcpu: { msg: 'too many' } } }),
    is: 'refused',
    field: 'vcpu',
  },
  {
    says: '404 of a list',
    call: facts('read'),
    reply: reply(404, message('Something is missing')),
    is: 'refused',
  },
  {
    says: 'a 4xx of a change without a body',
    call: facts('change'),
    reply: reply(400, undefined),
    is: 'unclear',
  },
  {
    says: 'a 4xx of a read without a body',
    call: facts('read'),
    reply: reply(400, undefined),
    is: 'refused',
  },
]

const gone: readonly Row[] = [
  {
    says: 'VM: 400 that ends with the uuid',
    call: about('read', 'vm', uuid),
    reply: reply(400, documented(`No such virtual machine exists: ${uuid}`)),
    is: 'absent',
  },
  {
    says: 'VM: on a delete too',
    call: about('change', 'vm', uuid),
    reply: reply(400, documented(`No such virtual machine exists: ${uuid}`)),
    is: 'absent',
  },
  {
    says: 'VM: another uuid',
    call: about('read', 'vm', uuid),
    reply: reply(400, documented(`No such virtual machine exists: ${other}`)),
    is: 'refused',
  },
  {
    says: 'VM: another 400 that ends with the uuid',
    call: about('change', 'vm', uuid),
    reply: reply(400, documented(`Another operation runs on ${uuid}`)),
    is: 'refused',
  },
  {
    says: 'VM: the right words, but the call was not about one VM',
    call: facts('change', { family: 'vmStorage' }),
    reply: reply(400, documented(`No such virtual machine exists: ${uuid}`)),
    is: 'refused',
  },
  {
    says: 'network: the deployed words',
    call: about('read', 'network', uuid),
    reply: reply(400, message('Network UUID is invalid.')),
    is: 'absent',
  },
  {
    says: 'network: the documented shape',
    call: about('read', 'network', uuid),
    reply: reply(400, documented('Network UUID is invalid.')),
    is: 'absent',
  },
  {
    says: 'network: in use',
    call: about('change', 'network', uuid),
    reply: reply(400, message('Network is not empty')),
    is: 'refused',
  },
  {
    says: 'disk: the deployed words',
    call: about('read', 'disk', uuid),
    reply: reply(404, message('Disk not found')),
    is: 'absent',
  },
  {
    says: 'disk: the documented shape',
    call: about('change', 'disk', uuid),
    reply: reply(404, documented('Disk not found')),
    is: 'absent',
  },
  {
    says: 'disk: a 404 about something else',
    call: about('change', 'disk', uuid),
    reply: reply(404, message('Billing account 5 not found')),
    is: 'refused',
  },
  {
    says: 'floating IP: the deployed words',
    call: about('read', 'floatingIP', address),
    reply: reply(404, message(`Ip address ${address} was not found.`)),
    is: 'absent',
  },
  {
    says: 'floating IP: the documented shape',
    call: about('read', 'floatingIP', address),
    reply: reply(404, documented(`Ip address ${address} was not found.`)),
    is: 'absent',
  },
  {
    says: 'floating IP: an address that only begins the same',
    call: about('read', 'floatingIP', address),
    reply: reply(404, documented(`Ip address ${address}0 was not found.`)),
    is: 'refused',
  },
  {
    says: 'load balancer: any 404 of the API',
    call: about('read', 'loadBalancer', uuid),
    reply: reply(404, message('unknown')),
    is: 'absent',
  },
  {
    says: 'load balancer: a 404 about the billing account',
    call: about('change', 'loadBalancer', uuid),
    reply: reply(404, message('Billing account 5 was not found')),
    is: 'refused',
  },
  {
    says: 'bucket: any 404 of the API',
    call: about('read', 'bucket', 'logs'),
    reply: reply(404, message('Bucket not found')),
    is: 'absent',
  },
  {
    says: 'bucket: a 404 without a body',
    call: about('read', 'bucket', 'logs'),
    reply: reply(404, undefined),
    is: 'refused',
  },
]

const kinds: readonly ExactKind[] = ['vm', 'disk', 'bucket', 'network', 'floatingIP', 'loadBalancer']
const missingRoutes: readonly Row[] = kinds.flatMap((kind): Row[] => [
  {
    says: `${kind}: no route is never absent`,
    call: about('read', kind, uuid),
    reply: reply(404, noRoute),
    is: 'refused',
    field: 'route',
  },
  {
    says: `${kind}: the framework's 404 is never absent`,
    call: about('read', kind, uuid),
    reply: reply(404, framework),
    is: 'refused',
    field: 'route',
  },
  {
    says: `${kind}: a method that the route does not have`,
    call: about('change', kind, uuid),
    reply: reply(405, message('Method not allowed')),
    is: 'refused',
    field: 'route',
  },
])

describe('classify', () => {
  test.each([...outcomes, ...gone, ...missingRoutes])('$says: $is', (row) => {
    const error = classify(row.call, { reply: row.reply })
    expect(error?.class ?? 'success').toBe(row.is)
    expect(error?.field).toBe(row.field)
    expect(error?.missingRoute ?? false).toBe(row.field === 'route')
    if (error !== undefined) expect(error.sent).toBe(true)
  })

  test('409 of a bucket create: the name is taken', () => {
    const call = facts('change', { family: 'bucket', method: 'PUT' })
    const error = classify(call, { reply: reply(409, message('BucketAlreadyExists')) })
    expect(error).toMatchObject({ class: 'refused', nameTaken: true, status: 409 })
  })

  test.each([
    { says: 'never left', failure: new TransportFailure('connect', false, 'refused'), is: 'notSent' },
    { says: 'stopped', failure: new TransportFailure('stopped', false, 'no lease'), is: 'notSent' },
    { says: 'broke off', failure: new TransportFailure('connection', true, 'reset'), is: 'unclear' },
    { says: 'out of time', failure: new TransportFailure('limit', true, 'slow'), is: 'unclear' },
    {
      says: 'out of time before it left',
      failure: new TransportFailure('limit', false, 'slow'),
      is: 'notSent',
    },
  ])('$says: $is', ({ failure, is }) => {
    expect(classify(facts('change'), { failure })).toMatchObject({
      class: is,
      sent: failure.sent,
      cause: failure,
    })
  })

  test('what the error carries', () => {
    const error = classify(facts('change', { path: '/v1/tll01/user-resource/vm' }), {
      reply: { ...reply(429, message('easy')), correlationID: 'c-1', retryAfterMs: 3000 },
    })
    expect(error).toMatchObject({ correlationID: 'c-1', retryAfterMs: 3000, text: 'easy', status: 429 })
    expect(error?.message).toBe('POST /v1/tll01/user-resource/vm: slowDown (429): easy')
  })
})

describe('the words of a failure', () => {
  test.each([
    { body: documented('text'), words: { text: 'text', shape: 'errors' } },
    { body: { errors: { uuid: 'bad' } }, words: { text: 'uuid: bad', field: 'uuid', shape: 'errors' } },
    {
      body: { errors: { a: { msg: 'one' }, b: ['two', 'three'] } },
      words: { text: 'a: one; b: two; three', field: 'a', shape: 'errors' },
    },
    { body: { errors: 'text' }, words: { text: 'text', shape: 'errors' } },
    { body: message('text'), words: { text: 'text', shape: 'message' } },
    { body: { error: 'text' }, words: { text: 'text', shape: 'message' } },
    { body: framework, words: { text: 'Not Found', shape: 'framework' } },
    { body: {}, words: undefined },
    { body: { errors: {} }, words: undefined },
    { body: { message: ' ' }, words: undefined },
    { body: ['x'], words: undefined },
    { body: 'text', words: undefined },
    { body: undefined, words: undefined },
  ])('$body', ({ body, words }) => {
    expect(errorWords(body)).toEqual(words)
  })
})
