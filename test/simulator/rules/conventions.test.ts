/** Rules on requests and answers as such: paths, locations, encodings, error bodies. */
import { describe, expect, test } from 'vitest'
import { billing, made, newDisk, newVm, open, profiles, readVm, rows, vmForm, type Api } from '../kit.ts'
import { operations } from '../operations.ts'

describe.each(profiles)('paths and locations, %s', (profile) => {
  test('without a slug a path means the default location', async () => {
    const api = await open({ profile })
    const location = rows(await api.get('/config/locations')).find((row) => row['is_default'] === true)
    const uuid = await newVm(api)
    const slug = String(location?.['slug'])
    expect(made(await api.get(`/${slug}/user-resource/vm?uuid=${uuid}`))).toEqual(await readVm(api, uuid))
  })

  test.each(['/user-resource/vm/list', '/storage/disks', '/network/ip_addresses'])(
    'a slug names the location of what is listed: %s',
    async (path) => {
      const api = await open({ profile })
      made(await api.form('POST', '/tll01/user-resource/vm', vmForm()))
      expect(rows(await api.get(`/tll01${path}`))).toHaveLength(1)
      expect(rows(await api.get(`/sgp01${path}`))).toEqual([])
      expect(rows(await api.get(path))).toEqual([])
    },
  )

  test('resource pools are those of the location', async () => {
    const api = await open({ profile })
    const names = async (prefix: string) =>
      rows(await api.get(`${prefix}/user-resource/host_pool/list`)).map((pool) => pool['uuid'])
    expect(await names('/sgp01')).not.toEqual(await names('/tll01'))
  })

  test('no list shows the VMs of all locations', async () => {
    const api = await open({ profile })
    for (const slug of ['jkt01', 'sgp01', 'tll01'])
      made(await api.form('POST', `/${slug}/user-resource/vm`, vmForm()))
    for (const prefix of ['', '/jkt01', '/sgp01', '/tll01'])
      expect(rows(await api.get(`${prefix}/user-resource/vm/list`))).toHaveLength(1)
  })

  test('an unknown slug is no location', async () => {
    const api = await open({ profile })
    expect((await api.get('/mars01/user-resource/vm/list')).status).toBe(404)
  })

  test('the slug stands behind the version, not before it', async () => {
    const { simulator } = await open({ profile })
    const headers = { apikey: simulator.apiKey }
    const status = async (path: string) => (await fetch(simulator.url + path, { headers })).status
    expect(await status('/v1/sgp01/storage/disks')).toBe(200)
    expect(await status('/sgp01/v1/storage/disks')).toBe(404)
    expect(await status('/v2/storage/disks')).toBe(404)
  })
})

describe.each(profiles)('requests and answers, %s', (profile) => {
  test('form fields are read from a form body', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api, { name: 'a & b = 100%' })
    expect(await readVm(api, uuid)).toMatchObject({ name: 'a & b = 100%' })
  })

  test('form fields are not read from the query', async () => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    expect((await api.bare('DELETE', `/user-resource/vm?uuid=${uuid}`)).status).toBe(400)
    expect((await api.form('DELETE', '/user-resource/vm', { uuid })).status).toBe(200)
  })

  test('a JSON body needs its content type', async () => {
    const api = await open({ profile })
    const body = JSON.stringify({ billing_account_id: billing })
    expect((await api.raw('POST', '/network/ip_addresses', 'text/plain', body)).status).toBe(400)
    const typed = await api.raw('POST', '/network/ip_addresses', 'application/json', body)
    expect(typed.status).toBeLessThan(300)
  })

  test('query parameters are not read from the body', async () => {
    const api = await open({ profile })
    made(await api.form('PUT', '/storage/bucket', { name: 'some-bucket', billing_account_id: billing }))
    expect((await api.form('DELETE', '/storage/bucket', { name: 'some-bucket' })).status).toBe(400)
    expect((await api.bare('DELETE', '/storage/bucket?name=some-bucket')).status).toBe(204)
    const network = await api.json('POST', '/network/network', { name: 'in the body' })
    expect(made(network)).toMatchObject({ name: 'Default network' })
  })

  test('answers with a body are JSON and say so', async () => {
    const api = await open({ profile })
    const answers = [
      await api.get('/user-resource/user'),
      await api.get('/storage/disks/none'),
      await api.get('/nowhere'),
      await api.as('unknown').get('/user-resource/user'),
    ]
    for (const { headers, body } of answers) {
      expect(headers.get('content-type')).toBe('application/json')
      expect(body).toBeDefined()
    }
  })

  test.each(['1.5', '-1', '1e3', '0x10', ' 5', 'many'])(
    'a whole number is written in digits: not %j',
    async (size) => {
      const api = await open({ profile })
      const form = { size_gb: size, billing_account_id: billing }
      const answer = await api.form('POST', '/storage/disks', form)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('size_gb')])
    },
  )

  test.each(['true', 'false', 'True', 'False'])('true or false in a form: %s', async (word) => {
    const api = await open({ profile })
    const uuid = await newVm(api, { backup: word })
    expect(await readVm(api, uuid)).toMatchObject({ backup: word.toLowerCase() === 'true' })
  })
})

test('documented: every refusal has the one error body', async () => {
  const api = await open({ profile: 'documented' })
  const uuid = 'f0000000-0000-4000-8000-000000000000'
  let refused = 0
  for (const { method, path } of operations) {
    const answer = await api.bare(method, path.replace(/:\w+/g, uuid))
    if (answer.status < 300) continue
    refused += 1
    expect([path, answer.body]).toEqual([path, { errors: { Error: expect.any(String) as unknown } }])
  }
  expect(refused).toBeGreaterThan(40)
})

describe('documented: read to the letter', () => {
  const address = (api: Api, body: object) => api.json('POST', '/network/ip_addresses', body)

  test('a JSON number may not be quoted', async () => {
    const api = await open({ profile: 'documented' })
    const answer = await address(api, { billing_account_id: String(billing) })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('billing_account_id')])
  })

  test('a JSON string may not be a number', async () => {
    const api = await open({ profile: 'documented' })
    const answer = await address(api, { billing_account_id: billing, name: 5 })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('name')])
  })

  test('an empty value is a value', async () => {
    const api = await open({ profile: 'documented' })
    expect((await api.form('POST', '/storage/disks', { size_gb: 5, billing_account_id: '' })).status).toBe(
      400,
    )
    expect((await api.get('/storage/bucket/list?billing_account_id=')).status).toBe(400)
  })
})

describe('extended: read as deployed', () => {
  test('an empty value counts as not given', async () => {
    const api = await open()
    await newDisk(api)
    expect(rows(await api.get('/network/ip_addresses?billing_account_id=&vm_uuid='))).toEqual([])
    const form = { size_gb: 5, billing_account_id: billing, source_image_type: '', source_image: '' }
    expect(made(await api.form('POST', '/storage/disks', form))).toMatchObject({ source_image_type: 'EMPTY' })
  })

  test('a JSON number may be quoted', async () => {
    const api = await open()
    const body = { billing_account_id: String(billing) }
    expect(made(await api.json('POST', '/network/ip_addresses', body))).toMatchObject({
      billing_account_id: billing,
    })
  })
})
