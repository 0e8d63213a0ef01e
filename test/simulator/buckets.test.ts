import { describe, expect, test } from 'vitest'
import { billing, errorText, made, open, profiles, rows } from './kit.ts'

describe.each(profiles)('buckets, %s', (profile) => {
  test('a bucket is put by name and read back', async () => {
    const api = await open({ profile })
    const bucket = made(
      await api.form('PUT', '/storage/bucket', { name: 'my-logs', billing_account_id: billing }),
    )
    expect(bucket).toMatchObject({
      name: 'my-logs',
      billing_account_id: billing,
      num_objects: 0,
      size_bytes: 0,
      is_suspended: false,
    })
    expect(bucket['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
    expect(made(await api.get('/storage/bucket?name=my-logs'))).toEqual(bucket)
    expect(rows(await api.get('/storage/bucket/list'))).toEqual([bucket])
  })

  test('names are unique across all users', async () => {
    const api = await open({ profile })
    const other = api.simulator.control.createAccount()
    made(await api.form('PUT', '/storage/bucket', { name: 'taken', billing_account_id: billing }))
    const fields = { name: 'taken', billing_account_id: other.billingAccount }
    expect((await api.as(other.apiKey).form('PUT', '/storage/bucket', fields)).status).toBe(409)
    expect(
      (await api.form('PUT', '/storage/bucket', { name: 'taken', billing_account_id: billing })).status,
    ).toBe(409)
    expect((await api.as(other.apiKey).get('/storage/bucket?name=taken')).status).toBe(404)
  })

  test.each(['ab', 'Upper', '-start', 'end-', 'a..b', '192.168.1.1', 'under_score', 'x'.repeat(64)])(
    'the name %s breaks the naming rules',
    async (name) => {
      const api = await open({ profile })
      const answer = await api.form('PUT', '/storage/bucket', { name, billing_account_id: billing })
      expect(answer.status).toBe(400)
      expect(errorText(answer)).toMatch(/name/)
    },
  )

  test('a global token needs a billing account', async () => {
    const api = await open({ profile })
    const answer = await api.form('PUT', '/storage/bucket', { name: 'my-logs' })
    expect(answer.status).toBe(400)
    expect(errorText(answer)).toMatch(/billing_account_id/)
  })

  test('a restricted token has its own billing account and may name no other', async () => {
    const api = await open({ profile })
    const { apiKey } = api.simulator.control.createAccount({ restrictedTo: 77, billingAccounts: [77, 78] })
    const own = api.as(apiKey)
    expect(made(await own.form('PUT', '/storage/bucket', { name: 'mine' }))).toMatchObject({
      billing_account_id: 77,
    })
    expect((await own.form('PUT', '/storage/bucket', { name: 'other', billing_account_id: 78 })).status).toBe(
      400,
    )
  })

  test('the billing account changes, and filters the list', async () => {
    const api = await open({ profile })
    const two = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    await two.form('PUT', '/storage/bucket', { name: 'first', billing_account_id: 5 })
    await two.form('PUT', '/storage/bucket', { name: 'second', billing_account_id: 5 })
    const changed = await two.form('PATCH', '/storage/bucket', { name: 'second', billing_account_id: 6 })
    expect(made(changed)).toMatchObject({ name: 'second', billing_account_id: 6 })
    const listed = rows(await two.get('/storage/bucket/list?billing_account_id=6'))
    expect(listed.map((bucket) => bucket['name'])).toEqual(['second'])
    const foreign = await two.form('PATCH', '/storage/bucket', {
      name: 'second',
      billing_account_id: billing,
    })
    expect(foreign.status).toBe(400)
  })

  test('only an empty bucket can be deleted', async () => {
    const api = await open({ profile })
    const { control } = api.simulator
    await api.form('PUT', '/storage/bucket', { name: 'my-logs', billing_account_id: billing })
    control.mutate({ do: 'setBucket', bucket: 'my-logs', set: { objects: 3, sizeBytes: 3000 } })
    const refused = await api.bare('DELETE', '/storage/bucket?name=my-logs')
    expect(refused.status).toBe(400)
    expect(made(await api.get('/storage/bucket?name=my-logs'))).toMatchObject({
      num_objects: 3,
      size_bytes: 3000,
    })
    control.mutate({ do: 'setBucket', bucket: 'my-logs', set: { objects: 0 } })
    const answer = await api.bare('DELETE', '/storage/bucket?name=my-logs')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await api.get('/storage/bucket?name=my-logs')).status).toBe(404)
    expect(control.counters()).toMatchObject({ preconditionsViolated: 1, lostDataTokens: [] })
  })

  test('a freed name can be taken again, and its age shows it', async () => {
    const api = await open({ profile })
    const fields = { name: 'again', billing_account_id: billing }
    await api.form('PUT', '/storage/bucket', fields)
    const [before] = api.simulator.control.inventory().buckets
    await api.bare('DELETE', '/storage/bucket?name=again')
    await api.form('PUT', '/storage/bucket', fields)
    const [after] = api.simulator.control.inventory().buckets
    expect(after?.['dataToken']).not.toBe(before?.['dataToken'])
  })
})

describe.each(profiles)('the object storage user, %s', (profile) => {
  test('the S3 address is one URL', async () => {
    const api = await open({ profile })
    expect(made(await api.get('/storage/api/s3'))).toEqual({
      url: expect.stringMatching(/^https:\/\//) as unknown,
    })
  })

  test('there are no keys before the user is asked for, and asking makes it with one pair', async () => {
    const api = await open({ profile })
    const before = await api.get('/storage/user/keys')
    if (profile === 'extended') expect(before.status).toBe(404)
    else expect(rows(before)).toEqual([])
    const user = made(await api.get('/storage/user'))
    expect(user).toMatchObject({ suspended: 0, caps: [], subusers: [], swiftCredentials: [] })
    expect(user['maxBuckets']).toBeGreaterThan(0)
    expect(user['s3Credentials']).toHaveLength(1)
    expect(made(await api.get('/storage/user'))).toEqual(user)
    expect(rows(await api.get('/storage/user/keys'))).toEqual(user['s3Credentials'])
  })

  test('a new key comes in the list of all, first or last', async () => {
    const api = await open({ profile })
    await api.get('/storage/user')
    const [only] = rows(await api.get('/storage/user/keys'))
    const two = rows(await api.bare('POST', '/storage/user/keys'))
    const three = rows(await api.bare('POST', '/storage/user/keys'))
    expect(two[1]).toEqual(only)
    expect(three.slice(0, 2)).toEqual(two)
  })

  test('a first key makes the user; as deployed the user must be there', async () => {
    const api = await open({ profile })
    const answer = await api.bare('POST', '/storage/user/keys')
    if (profile === 'extended') expect(answer.status).toBe(404)
    else expect(made(await api.get('/storage/user'))['s3Credentials']).toEqual(rows(answer))
  })

  test('a deleted key is gone, an unknown one is refused', async () => {
    const api = await open({ profile })
    await api.get('/storage/user')
    const [key] = rows(await api.get('/storage/user/keys'))
    const fields = { access_key: String(key?.['accessKey']) }
    const answer = await api.form('DELETE', '/storage/user/keys', fields)
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(rows(await api.get('/storage/user/keys'))).toEqual([])
    expect((await api.form('DELETE', '/storage/user/keys', fields)).status).toBe(404)
  })
})
