import { describe, expect, test } from 'vitest'
import { billing, errorText, made, open, profiles, rows, vmForm, type Profile } from './kit.ts'

const noRoute = 'no route and no API found with those values'

/** The body of a refusal by the gateway. */
const bodyOf = (profile: Profile, text: string) =>
  profile === 'extended' ? { message: text } : { errors: { Error: text } }

describe.each(profiles)('the gateway, %s', (profile) => {
  test('without a key: 401 in JSON', async () => {
    const api = await open({ profile })
    const response = await fetch(`${api.simulator.url}/v1/user-resource/user`)
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual(bodyOf(profile, 'No API key found in request'))
  })

  test('with a wrong key: 403', async () => {
    const api = await open({ profile })
    const answer = await api.as('wrong').get('/user-resource/user')
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual(bodyOf(profile, 'Invalid authentication credentials'))
  })

  test.each([
    '/nowhere/user-resource/vm/list',
    '/user-resource/vms',
    '/user-resource',
    '',
    '/jkt01',
    '/jkt01/jkt01/user-resource/vm/list',
    '/user-resource/vm/list/',
    '/jkt01/user-resource/user',
    '/jkt01/storage/bucket/list',
    '/jkt01/user-resource/token/list',
  ])('%s is no route', async (path) => {
    const api = await open({ profile })
    const answer = await api.get(path)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(bodyOf(profile, noRoute))
  })

  test('a path needs its version', async () => {
    const api = await open({ profile })
    const response = await fetch(`${api.simulator.url}/user-resource/user`, {
      headers: { apikey: api.simulator.apiKey },
    })
    expect(response.status).toBe(404)
  })

  test('a known path with a wrong method: 405', async () => {
    const api = await open({ profile })
    const answer = await api.bare('PUT', '/user-resource/vm/list')
    expect(answer.status).toBe(405)
    expect(answer.body).toEqual(bodyOf(profile, 'Method not allowed'))
  })

  test.each([
    '/user-resource/vm/list',
    '/user-resource/host_pool/list',
    '/storage/disks',
    '/network/ip_addresses',
  ])('%s takes a location slug', async (path) => {
    const api = await open({ profile })
    rows(await api.get(path))
    rows(await api.get(`/sgp01${path}`))
  })

  test.each(['/network/networks', '/network/load_balancers', '/config/locations'])(
    '%s takes a slug only as deployed',
    async (path) => {
      const api = await open({ profile })
      rows(await api.get(path))
      const answer = await api.get(`/sgp01${path}`)
      expect(answer.status).toBe(profile === 'extended' ? 200 : 404)
    },
  )

  test.each(['/network/networks/', '/network/ip_addresses/', '/network/load_balancers/'])(
    '%s with a trailing slash, as deployed',
    async (path) => {
      const api = await open({ profile })
      expect((await api.get(path)).status).toBe(profile === 'extended' ? 200 : 404)
    },
  )

  test('answers carry a correlation id', async () => {
    const api = await open({ profile })
    const first = await api.get('/user-resource/user')
    const second = await api.get('/user-resource/user')
    expect(first.headers.get('x-correlation-id')).toMatch(/^[0-9a-f]{32}$/)
    expect(second.headers.get('x-correlation-id')).not.toBe(first.headers.get('x-correlation-id'))
  })

  test('a body over the limit: 413', async () => {
    const api = await open({ profile })
    const answer = await api.form(
      'POST',
      '/user-resource/vm',
      vmForm({ description: 'x'.repeat(9 * 2 ** 20) }),
    )
    expect(answer.status).toBe(413)
  })
})

describe.each(profiles)('encodings, %s', (profile) => {
  test('a plus in a form stays a plus; %20 is a space', async () => {
    const api = await open({ profile })
    const type = 'application/x-www-form-urlencoded'
    const plus = await api.raw('PATCH', '/user-resource/user/profile', type, 'first_name=a+b&last_name=c%20d')
    expect(made(plus)).toMatchObject({ first_name: 'a+b', last_name: 'c d' })
  })

  test('multipart form fields are form fields', async () => {
    const api = await open({ profile })
    const body = '--b\r\nContent-Disposition: form-data; name="first_name"\r\n\r\nA + b\r\n--b--\r\n'
    const answer = await api.raw(
      'PATCH',
      '/user-resource/user/profile',
      'multipart/form-data; boundary=b',
      body,
    )
    expect(made(answer)).toMatchObject({ first_name: 'A + b' })
  })

  test('text beyond ASCII survives', async () => {
    const api = await open({ profile })
    const answer = await api.form('PATCH', '/user-resource/user/profile', {
      first_name: 'Õnne & Söhne = 100%',
    })
    expect(made(answer)).toMatchObject({ first_name: 'Õnne & Söhne = 100%' })
  })

  test('a JSON field named twice is refused; text that only looks like one is not', async () => {
    const api = await open({ profile })
    const post = (body: string) => api.raw('POST', '/network/ip_addresses', 'application/json', body)
    const account = `"billing_account_id": ${billing}`
    const twice = await post(`{${account}, "name": "a", "n\\u0061me": "b"}`)
    expect([twice.status, errorText(twice)]).toEqual([400, 'name: Given more than once'])
    const text = String.raw`x", "name": "y \ {[`
    expect(made(await post(`{${account}, "name": ${JSON.stringify(text)}}`))).toMatchObject({ name: text })
    made(await post(`{${account}, "other": {"name": 1}, "more": [{"name": 2}], "name": "z"}`))
  })

  test('malformed JSON is refused', async () => {
    const api = await open({ profile })
    const answer = await api.raw('POST', '/network/ip_addresses', 'application/json', '{"billing')
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/JSON/)
  })

  test('a form sent where JSON is read is ignored', async () => {
    const api = await open({ profile })
    const answer = await api.form('POST', '/network/ip_addresses', { billing_account_id: billing })
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/billing_account_id/)
  })

  test('JSON sent to the disks is ignored, with a misleading refusal', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', '/storage/disks', { size_gb: 10, billing_account_id: billing })
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/billing_account_id/)
    expect(rows(await api.get('/storage/disks'))).toEqual([])
  })

  test('a VM can be created with a JSON body, as deployed', async () => {
    const api = await open({ profile })
    const answer = await api.json('POST', '/user-resource/vm', vmForm())
    expect(answer.status).toBe(profile === 'extended' ? 200 : 400)
  })
})

describe.each(profiles)('error bodies, %s', (profile) => {
  const cases = [
    ['vm', 'GET', '/user-resource/vm?uuid=x', { errors: { Error: 'No such virtual machine exists: x' } }],
    ['vm field', 'GET', '/user-resource/vm', { errors: { uuid: 'This field is required' } }],
    ['disk', 'GET', '/storage/disks/x', { message: 'Disk not found' }],
    ['network', 'GET', '/network/network/x', { message: 'Network UUID is invalid.' }],
    ['floating ip', 'GET', '/network/ip_addresses/1.2.3.4', { message: 'Ip address 1.2.3.4 was not found.' }],
    ['bucket', 'GET', '/storage/bucket?name=none', { message: 'Bucket not found' }],
  ] as const

  test.each(cases)('of the %s family', async (_family, method, path, deployed) => {
    const api = await open({ profile })
    const answer = await api.bare(method, path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    if (profile === 'extended') expect(answer.body).toEqual(deployed)
    else expect(answer.body).toEqual({ errors: { Error: expect.any(String) as unknown } })
  })

  test('a test can choose status and text of a refusal', async () => {
    const api = await open({ profile })
    api.simulator.control.setRule('refusals', { diskUnknown: { status: 410, text: 'Gone for good' } })
    const answer = await api.get('/storage/disks/x')
    expect(answer.status).toBe(410)
    expect(errorText(answer)).toBe('Gone for good')
  })
})
