import { expect, test } from 'vitest'
import { showable } from '../../../src/cloud/redact.ts'
import { CloudError } from '../../../src/cloud/errors.ts'
import { createVm } from '../../../src/cloud/vms.ts'
import { setPassword } from '../../../src/cloud/vm-operations.ts'
import { send, startRecorder, testClient, testKey } from './recorder.ts'

test('control, format and line characters do not get through', () => {
  expect(showable('a\r\nb\u0000c\u200b\u2028d\te', [])).toBe('a b c d e')
})

test('at most 512 characters, and a cut never leaves half of a secret', () => {
  const secret = 's3cret-value-0123456789'
  const text = showable(`${'x'.repeat(500)}${secret}${'y'.repeat(100)}`, [secret])
  expect(text).toHaveLength(512)
  expect(text).not.toContain('s3c')
})

test.each([
  { spelling: 'as it is', shown: 'Pa"ss word\n1' },
  { spelling: 'inside JSON', shown: String.raw`Pa\"ss word\n1` },
  { spelling: 'percent-encoded', shown: 'Pa%22ss%20word%0A1' },
  { spelling: 'with its line break flattened', shown: 'Pa"ss word 1' },
])('a secret $spelling', ({ shown }) => {
  expect(showable(`the value ${shown} is bad`, ['Pa"ss word\n1'])).not.toMatch(/ss.*word/)
})

test('a document is secret in all its parts', () => {
  const cloudInit = JSON.stringify({
    runcmd: ['echo hunter2'],
    write_files: [{ path: '/etc/x', content: 'one-line\ntwo-line' }],
  })
  for (const part of ['echo hunter2', 'one-line', 'two-line']) {
    expect(showable(`cannot run ${part} here`, [cloudInit])).not.toContain(part)
  }
})

test('a service that echoes everything back leaks neither key nor password nor cloud-init', async () => {
  const recorder = await startRecorder()
  const client = testClient(recorder.url)
  recorder.respond((request) => ({
    status: 400,
    body: {
      errors: {
        Error: `${request.headers['apikey'] as string} ${decodeURIComponent(request.body)} ${request.body}`,
      },
    },
  }))
  const secrets = [testKey, 'Passw0rd-99', 'top secret line']
  const cloudInit = JSON.stringify({ runcmd: ['top secret line'] })
  const network = '11111111-1111-4222-8333-0123456789ab'
  const vm = { name: 'a', networkUUID: network, reservePublicIP: false, vcpus: 1, memoryMiB: 1024 }
  const failures = await Promise.allSettled([
    createVm(client, 'tll01', { ...vm, password: 'Passw0rd-99', cloudInit }, send()),
    setPassword(client, 'tll01', network, { username: 'u', password: 'Passw0rd-99' }, send()),
  ])
  for (const failure of failures) {
    if (failure.status === 'fulfilled' || !(failure.reason instanceof CloudError))
      throw new Error('must be refused')
    expect(failure.reason.class).toBe('refused')
    const shown = `${failure.reason.message} ${failure.reason.text} ${failure.reason.stack ?? ''}`
    for (const secret of secrets) expect(shown).not.toContain(secret)
  }
  await client.close()
  await recorder.stop()
})
