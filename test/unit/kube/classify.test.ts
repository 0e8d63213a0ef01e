import { describe, expect, test } from 'vitest'
import { classifyAnswer, classifyFailure, classifyStatus } from '../../../src/kube/classify.ts'
import { KubeError } from '../../../src/kube/errors.ts'
import { failure, tooLarge } from './fake-server.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('no answer', () => {
  test.each([
    ['refused', { code: 'ECONNREFUSED', syscall: 'connect' }, 'notSent'],
    ['no route at the connect', { code: 'EHOSTUNREACH', syscall: 'connect' }, 'notSent'],
    ['no such host', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'notSent'],
    ['a connect that took too long', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'notSent'],
    ['a certificate that is not trusted', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'notSent'],
    ['no route on a connection that stood', { code: 'EHOSTUNREACH', syscall: 'write' }, 'unclear'],
    ['a reset', { code: 'ECONNRESET', syscall: 'read' }, 'unclear'],
    [
      'a TLS alert, which may come after the request',
      { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
      'unclear',
    ],
    ['the other side closed', { code: 'UND_ERR_SOCKET' }, 'unclear'],
    ['anything else', {}, 'unclear'],
  ])('%s', (_, fields, kind) => {
    const error = withFields('it broke', fields)
    expect(classifyFailure('get things', error)).toMatchObject({
      class: kind,
      message: 'get things: it broke',
      cause: error,
    })
  })

  test('an error without a text is told by its code; what is no error, as text; a KubeError stays itself', () => {
    expect(classifyFailure('x', withFields('', { code: 'ECONNREFUSED' })).message).toBe('x: ECONNREFUSED')
    expect(classifyFailure('x', 'oops').message).toBe('x: oops')
    const known = new KubeError('gone', 'old')
    expect(classifyFailure('x', known)).toBe(known)
  })
})

describe('a Status', () => {
  test('with the cause ResourceVersionTooLarge is tooLarge, and its wait is taken', () => {
    expect(classifyAnswer('list', 504, JSON.stringify(tooLarge))).toMatchObject({
      class: 'tooLarge',
      retryAfterMs: 1_000,
    })
    expect(classifyStatus('watch', tooLarge)).toMatchObject({ class: 'tooLarge' })
  })

  test('about another uid is a conflict, about any other field invalid', () => {
    const about = (field: string) =>
      failure(422, { reason: 'Invalid', details: { name: 'a', causes: [{ field }] } })
    expect(classifyAnswer('patch', 422, JSON.stringify(about('metadata.uid')))).toMatchObject({
      class: 'conflict',
      about: 'a',
    })
    expect(classifyAnswer('patch', 422, JSON.stringify(about('spec.size')))).toMatchObject({
      class: 'invalid',
    })
  })

  test.each([
    ['3', 3_000],
    ['0', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('Retry-After %s is %s ms', (header, ms) => {
    expect(classifyAnswer('get', 429, '{}', header).retryAfterMs).toBe(ms)
  })

  test('of the wrong shape is still an error', () => {
    const odd = {
      message: 5,
      reason: [],
      code: 'x',
      details: { causes: [null, 7, { field: 'a' }], name: {} },
    }
    expect(classifyAnswer('get', 400, JSON.stringify(odd))).toMatchObject({
      class: 'invalid',
      causes: [{}, {}, { field: 'a' }],
    })
    expect(classifyStatus('watch', null)).toMatchObject({ class: 'unclear', status: 500 })
  })
})
