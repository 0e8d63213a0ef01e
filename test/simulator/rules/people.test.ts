/** Rules on users, tokens and locations. */
import { describe, expect, test } from 'vitest'
import { billing, made, open, profiles, rows, type Api, type Form } from '../kit.ts'

const token = '/user-resource/token'

/** The token that a create adds. */
async function created(api: Api, fields: Form) {
  const added = rows(await api.form('POST', token, fields)).at(-1)
  return added ?? expect.fail('no token')
}

async function updated(api: Api, id: unknown, fields: Form) {
  expect((await api.form('PATCH', token, { token_id: Number(id), ...fields })).status).toBe(200)
  const found = rows(await api.get(`${token}/list`)).find((row) => row['id'] === id)
  return found ?? expect.fail('no token')
}

describe.each(profiles)('the profile, %s', (profile) => {
  test.each([
    ['first_name', 'Ada'],
    ['last_name', 'de la Cruz'],
    ['phone_number', 'ext. 12 (ask twice)'],
    ['personal_id_number', '00-11 X'],
  ])('%s changes alone', async (field, value) => {
    const api = await open({ profile })
    const before = made(await api.get('/user-resource/user'))['profile_data'] as object
    const answer = made(await api.form('PATCH', '/user-resource/user/profile', { [field]: value }))
    expect(answer).toEqual({ ...before, [field]: value, updated_at: answer['updated_at'] })
  })

  test('a change of nothing is a change too', async () => {
    const api = await open({ profile })
    const before = made(await api.get('/user-resource/user'))['profile_data'] as object
    expect(made(await api.form('PATCH', '/user-resource/user/profile', {}))).toMatchObject({
      ...before,
      updated_at: expect.any(String) as unknown,
    })
  })
})

describe.each(profiles)('tokens, %s', (profile) => {
  test('a new token is tied to no billing account unless one is given', async () => {
    const api = await open({ profile })
    expect(await created(api, {})).toMatchObject({ billing_account_id: 0 })
    expect(await created(api, { billing_account_id: billing })).toMatchObject({ billing_account_id: billing })
  })

  test('a new token is restricted only where that is asked for', async () => {
    const api = await open({ profile })
    const account = { billing_account_id: billing }
    expect(await created(api, account)).toMatchObject({ restricted: false })
    expect(await created(api, { ...account, restricted: false })).toMatchObject({ restricted: false })
    expect(await created(api, { ...account, restricted: true })).toMatchObject({ restricted: true })
  })

  test('a new token has its description', async () => {
    const api = await open({ profile })
    expect(await created(api, { description: 'for the build' })).toMatchObject({
      description: 'for the build',
    })
  })

  test('a new token is registered at the gateway', async () => {
    const api = await open({ profile })
    const [one, two] = [await created(api, {}), await created(api, {})]
    for (const field of ['consumer_id', 'gateway_id', 'token']) {
      expect(one[field]).toBeTruthy()
      expect(one[field]).not.toBe(two[field])
    }
  })

  test('creating answers with all tokens of the caller', async () => {
    const api = await open({ profile })
    await created(api, {})
    const answered = rows(await api.form('POST', token, {}))
    expect(answered).toHaveLength(3)
    expect(rows(await api.get(`${token}/list`))).toEqual(answered)
  })

  test('an update ties the token to no billing account unless one is given', async () => {
    const api = await open({ profile })
    const { id } = await created(api, { billing_account_id: billing })
    expect(await updated(api, id, { billing_account_id: billing })).toMatchObject({
      billing_account_id: billing,
    })
    expect(await updated(api, id, {})).toMatchObject({ billing_account_id: 0 })
  })

  test('an update describes the token', async () => {
    const api = await open({ profile })
    const { id } = await created(api, { description: 'old' })
    expect(await updated(api, id, {})).toMatchObject({ description: 'old' })
    expect(await updated(api, id, { description: 'new' })).toMatchObject({ description: 'new' })
  })

  test('an update restricts the token only where the parameter is there', async () => {
    const api = await open({ profile })
    const { id } = await created(api, { billing_account_id: billing })
    const account = { billing_account_id: billing }
    expect(await updated(api, id, account)).toMatchObject({ restricted: false })
    expect(await updated(api, id, { ...account, restricted: 'false' })).toMatchObject({ restricted: true })
  })

  test.each(['PATCH', 'DELETE'])('%s takes the token by its number', async (method) => {
    const api = await open({ profile })
    const missing = await api.form(method, token, {})
    expect([missing.status, missing.text]).toEqual([400, expect.stringContaining('token_id')])
    const { id } = await created(api, {})
    expect((await api.form(method, token, { token_id: Number(id) })).status).toBe(200)
  })
})

describe.each(profiles)('locations, %s', (profile) => {
  test('their slugs are those of the paths', async () => {
    const api = await open({ profile })
    const locations = rows(await api.get('/config/locations'))
    expect(locations.length).toBeGreaterThan(1)
    for (const { slug } of locations) rows(await api.get(`/${String(slug)}/user-resource/vm/list`))
  })

  test('they have an order', async () => {
    const api = await open({ profile })
    const order = rows(await api.get('/config/locations')).map((location) => location['order_nr'])
    expect(order).toEqual([1, 2, 3])
  })
})
