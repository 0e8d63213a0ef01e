import { describe, expect, test } from 'vitest'
import { billing, made, open, profiles, rows } from './kit.ts'

describe.each(profiles)('users and profiles, %s', (profile) => {
  test('a user has an id, a name, a state and its profile', async () => {
    const api = await open({ profile })
    const user = made(await api.get('/user-resource/user'))
    expect(user).toMatchObject({ id: 1001, name: 'user1', profile: null, state: {} })
    expect(user['last_activity']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(user['profile_data']).toMatchObject({ user_id: 1001, email: 'user1@example.com' })
  })

  test('a profile changes in what is given; as deployed, empty means not given', async () => {
    const api = await open({ profile })
    const fields = { first_name: 'Ada', phone_number: '+372 55 ', last_name: '' }
    const changed = made(await api.form('PATCH', '/user-resource/user/profile', fields))
    const last = profile === 'extended' ? 'User 1' : ''
    expect(changed).toMatchObject({ first_name: 'Ada', phone_number: '+372 55 ', last_name: last })
    const user = made(await api.get('/user-resource/user'))
    expect(user['profile_data']).toEqual(changed)
  })

  test('a caller sees only its own user', async () => {
    const api = await open({ profile })
    const other = api.simulator.control.createAccount({ email: 'other@example.com' })
    const user = made(await api.as(other.apiKey).get('/user-resource/user'))
    expect(user['id']).toBe(other.userId)
  })
})

describe.each(profiles)('tokens, %s', (profile) => {
  test('a new token comes in the list of all tokens of the caller', async () => {
    const api = await open({ profile })
    const before = rows(await api.get('/user-resource/token/list'))
    const fields = { description: 'ci job', billing_account_id: billing, restricted: true }
    const after = rows(await api.form('POST', '/user-resource/token', fields))
    expect(before).toHaveLength(1)
    expect(after).toHaveLength(2)
    expect(after[1]).toMatchObject({
      user_id: 1001,
      billing_account_id: billing,
      description: 'ci job',
      restricted: true,
      updated_at: null,
    })
    const user = await api.as(String(after[1]?.['token'])).get('/user-resource/user')
    expect(user.status).toBe(200)
  })

  test('without a billing account a token is tied to none, and is not restricted', async () => {
    const api = await open({ profile })
    const [, token] = rows(await api.form('POST', '/user-resource/token', { description: 'x' }))
    expect(token).toMatchObject({ billing_account_id: 0, restricted: false })
  })

  test.each(['true', 'false', 'no'])('restricted=%s in an update restricts', async (restricted) => {
    const api = await open({ profile })
    const [, token] = rows(await api.form('POST', '/user-resource/token', { billing_account_id: billing }))
    const fields = { token_id: Number(token?.['id']), billing_account_id: billing, restricted }
    expect((await api.form('PATCH', '/user-resource/token', fields)).status).toBe(200)
    const [, changed] = rows(await api.get('/user-resource/token/list'))
    expect(changed).toMatchObject({ restricted: true, billing_account_id: billing })
    expect(changed?.['updated_at']).not.toBeNull()
  })

  test('an update without a billing account unties the token', async () => {
    const api = await open({ profile })
    const [, token] = rows(await api.form('POST', '/user-resource/token', { billing_account_id: billing }))
    await api.form('PATCH', '/user-resource/token', {
      token_id: Number(token?.['id']),
      description: 'renamed',
    })
    const [, changed] = rows(await api.get('/user-resource/token/list'))
    expect(changed).toMatchObject({ billing_account_id: 0, description: 'renamed' })
  })

  test('a deleted token opens nothing', async () => {
    const api = await open({ profile })
    const [, token] = rows(await api.form('POST', '/user-resource/token', { description: 'x' }))
    const gone = await api.form('DELETE', '/user-resource/token', { token_id: Number(token?.['id']) })
    expect(gone.status).toBe(200)
    expect(gone.text).toBe(profile === 'extended' ? '{"success":true}' : '')
    expect((await api.as(String(token?.['token'])).get('/user-resource/user')).status).toBe(403)
  })

  test.each([
    ['PATCH', /update.*gateway/],
    ['DELETE', /delete.*gateway/],
  ])('%s of an unknown token fails with the stated form', async (method, text) => {
    const api = await open({ profile })
    const answer = await api.form(method, '/user-resource/token', { token_id: 99 })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ errors: { Error: expect.stringMatching(text) as unknown } })
  })

  test("another account's token is unknown", async () => {
    const api = await open({ profile })
    const other = api.simulator.control.createAccount()
    const [token] = rows(await api.as(other.apiKey).get('/user-resource/token/list'))
    const answer = await api.form('DELETE', '/user-resource/token', { token_id: Number(token?.['id']) })
    expect(answer.status).toBe(400)
  })
})
