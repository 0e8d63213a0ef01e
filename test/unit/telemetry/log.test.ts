import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/telemetry/log.ts'
import { createRedactor } from '../../../src/telemetry/redact.ts'

function setUp() {
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

test('one JSON object per line, with level, time, message and the fields of every parent', () => {
  const { log, last, lines } = setUp()
  log.child({ kind: 'CloudVM' }).child({ key: 'ns/a' }).warn({ afterMs: 5 }, 'later')
  expect(last()).toMatchObject({ level: 'warn', message: 'later', kind: 'CloudVM', key: 'ns/a', afterMs: 5 })
  expect(Date.parse(String(last()['time']))).not.toBeNaN()
  log.trace({}, 'too quiet')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/\n$/)
})

test('an error is written with its class, message, stack and causes', () => {
  const { log, last } = setUp()
  log.error({ error: new TypeError('outer', { cause: new Error('inner') }) }, 'failed')
  expect(last()['error']).toMatchObject({
    type: 'TypeError',
    message: expect.stringContaining('outer') as string,
  })
  expect(JSON.stringify(last()['error'])).toContain('inner')
  expect(JSON.stringify(last()['error'])).toContain('log.test')
})

describe('hidden values', () => {
  test('are out of fields, messages, error texts, stacks, causes and keys, also of children made before', () => {
    const { log, lines } = setUp()
    const child = log.child({ token: 'sk-12345' })
    log.hide('sk-12345')
    child.info({ a: { b: ['x sk-12345 y'] }, 'sk-12345': 1 }, 'sent sk-12345')
    child.error({ error: new Error('bad key sk-12345', { cause: new Error('sk-12345') }) }, 'failed')
    expect(lines.join('')).not.toContain('sk-12345')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
  })

  test.each([
    ['quotes and backslashes', 'pa"ss\\word'],
    ['line breaks', 'line1\nline2\ttab'],
    ['signs that URLs encode', 'a b&c=d/é'],
    ['signs of regular expressions', 'a.*(b)[c]$^|?+{1}'],
    ['non-ASCII', 'пароль🔑'],
  ])(
    'with %s are found plain, as JSON, in JSON in a string, in URLs, in forms and in base64',
    (_, secret) => {
      const { log, lines } = setUp()
      log.hide(secret)
      const forms = [
        secret,
        JSON.stringify({ secret }),
        `https://x/?p=${encodeURIComponent(secret)}`,
        new URLSearchParams({ p: secret }).toString(),
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('base64url'),
      ]
      for (const form of forms) log.info({ form, nested: { form } }, form)
      const text = lines.join('')
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(text).not.toContain(encodeURIComponent(secret))
      expect(text).not.toContain(Buffer.from(secret).toString('base64url'))
      const hidden = lines.map((line) => JSON.parse(line) as { message: string; nested: { form: string } })
      for (const { message, nested } of hidden) {
        expect(message).toContain('[hidden]')
        expect(nested.form).toContain('[hidden]')
      }
    },
  )

  test('any text of eight or more signs is hidden', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), (secret) => {
        const { log, lines } = setUp()
        log.hide(secret)
        log.info({ error: new Error(`it was >${secret}<`) }, `>${secret}<`)
        const line = JSON.parse(lines[0] ?? '') as { message: string; error: { message: string } }
        expect(line.message).not.toContain(`>${secret}<`)
        expect(line.error.message).not.toContain(`>${secret}<`)
      }),
    )
  })
})

describe('the redactor', () => {
  test('a value within another does not leave half of the longer one', () => {
    const redactor = createRedactor()
    redactor.hide('abcd')
    redactor.hide('abcd-efgh')
    expect(redactor.clean('abcd-efgh abcd')).toBe('[hidden] [hidden]')
  })

  test('values under four characters are left, they would blot out words', () => {
    const redactor = createRedactor()
    redactor.hide('abc')
    redactor.hide('')
    expect(redactor.clean('abcabc')).toBe('abcabc')
  })

  test('of more than a thousand the ones hidden longest ago go; hiding again keeps one', () => {
    const redactor = createRedactor()
    redactor.hide('first-token')
    redactor.hide('second-token')
    for (let n = 0; n < 998; n += 1) redactor.hide(`token-${n}-x`)
    redactor.hide('first-token')
    redactor.hide('one-more')
    expect(redactor.clean('first-token second-token one-more')).toBe('[hidden] second-token [hidden]')
  })
})
