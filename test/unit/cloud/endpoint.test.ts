import { expect, test } from 'vitest'
import { checkEndpoint } from '../../../src/cloud/client.ts'

const allowed = ['https://api.example.com', 'http://127.0.0.1:8080', 'http://internal.example.com']

test.each([
  { endpoint: 'https://api.example.com', is: 'https://api.example.com' },
  { endpoint: 'HTTPS://API.example.com:443/', is: 'https://api.example.com' },
  { endpoint: 'http://127.0.0.1:8080/', is: 'http://127.0.0.1:8080' },
])('$endpoint is taken as $is', ({ endpoint, is }) => {
  expect(checkEndpoint(endpoint, allowed)).toEqual({ ok: true, endpoint: is })
})

test.each([
  { endpoint: 'https://other.example.com', why: 'not one that this operator may talk to' },
  { endpoint: 'https://api.example.com:8443', why: 'not one that this operator may talk to' },
  { endpoint: 'https://api.example.com.evil.example', why: 'not one that this operator may talk to' },
  { endpoint: 'http://api.example.com', why: 'must use https' },
  { endpoint: 'http://internal.example.com', why: 'must use https' },
  { endpoint: 'http://127.0.0.1.example.com', why: 'must use https' },
  { endpoint: 'https://api.example.com@evil.example', why: 'a scheme and a host' },
  { endpoint: 'https://user:secret@api.example.com', why: 'a scheme and a host' },
  { endpoint: 'https://api.example.com/v2', why: 'a scheme and a host' },
  { endpoint: 'https://api.example.com?x=1', why: 'a scheme and a host' },
  { endpoint: 'ftp://api.example.com', why: 'a scheme and a host' },
  { endpoint: 'api.example.com', why: 'a scheme and a host' },
  { endpoint: '', why: 'a scheme and a host' },
])('$endpoint is refused: $why', ({ endpoint, why }) => {
  const checked = checkEndpoint(endpoint, allowed)
  expect(checked.ok).toBe(false)
  if (checked.ok) return
  expect(checked.message).toContain(why)
  expect(checked.message).not.toContain('secret')
})

test('an empty allow-list allows nothing', () => {
  expect(checkEndpoint('https://api.example.com', []).ok).toBe(false)
})
