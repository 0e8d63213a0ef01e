/** A service that gives back what it was given: in the text, in the name of a field, in a header. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CloudError } from '../../src/cloud/errors.ts'
import { showable } from '../../src/cloud/redact.ts'
import { createVm } from '../../src/cloud/vms.ts'
import { createRedactor } from '../../src/telemetry/redact.ts'
import { send, startRecorder, testClient, testKey, type Recorder } from '../unit/cloud/recorder.ts'

let recorder: Recorder
beforeEach(async () => void (recorder = await startRecorder()))
afterEach(() => recorder.stop())

const TOKEN = 'tok-5ecret.Value_42'
const PASSWORD = 'Pa55"word/+ ü'
const cloudInit = JSON.stringify({
  runcmd: [`curl -H 'Authorization: Bearer ${TOKEN}' https://example.com`, `export API_TOKEN=${TOKEN}`],
  write_files: [{ path: '/etc/app.env', content: `URL=https://user:${TOKEN}@example.com/x\nDEBUG=1\n` }],
})

async function refusedWith(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<CloudError> {
  recorder.respond(() => ({ status: 400, body, headers }))
  const client = testClient(recorder.url)
  const vm = {
    name: 'a',
    networkUUID: '11111111-1111-4222-8333-0123456789ab',
    reservePublicIP: false,
    vcpus: 1,
    memoryMiB: 1024,
    password: PASSWORD,
    cloudInit,
  }
  try {
    await createVm(client, 'tll01', vm, send())
  } catch (error) {
    if (error instanceof CloudError) return error
    throw error
  } finally {
    await client.close()
  }
  throw new Error('must be refused')
}

const spellings = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
]
const shown = (error: CloudError) =>
  JSON.stringify([error.message, error.text, error.field, error.correlationID, error.stack, error])

const secrets = { key: testKey, password: PASSWORD, 'a token within cloud-init': TOKEN }

describe.each(Object.entries(secrets))('%s', (_what, secret) => {
  test('is taken out of the text of an error, however it is written there', async () => {
    for (const spelling of spellings(secret)) {
      const error = await refusedWith({ errors: { Error: `the value ${spelling} is bad` } })
      expect(shown(error)).not.toContain(spelling)
      expect(error.text).toMatch(/^the value .*is bad$/)
    }
  })

  test('is taken out of the name of a field', async () => {
    const error = await refusedWith({ errors: { [secret]: ['is bad'], other: ['is bad too'] } })
    for (const spelling of spellings(secret)) expect(shown(error)).not.toContain(spelling)
  })
})

test('a correlation id that is the key is not kept', async () => {
  const error = await refusedWith({ errors: { Error: 'no' } }, { 'x-correlation-id': testKey })
  expect(shown(error)).not.toContain(testKey)
})

test('the text of an error, the name of its field and its correlation id are bounded', async () => {
  const long = 'long '.repeat(5_000)
  const error = await refusedWith({ errors: { [long]: long } }, { 'x-correlation-id': 'x'.repeat(5_000) })
  expect(error.text.length).toBeLessThanOrEqual(512)
  expect(error.field?.length).toBeLessThanOrEqual(128)
  expect(error.correlationID?.length).toBeLessThanOrEqual(128)
})

test('ordinary words of an error stay readable', () => {
  const text = 'runcmd: the command curl is not found on line 3'
  expect(showable(text, [cloudInit, PASSWORD])).toBe(text)
})

test('a secret that ends with a line break is known without it as well', () => {
  const redactor = createRedactor()
  redactor.hide('file-key-0123\n')
  expect(redactor.clean('key file-key-0123 was refused')).toBe('key [hidden] was refused')
})
