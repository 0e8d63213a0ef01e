/** Rules on object storage: buckets, the storage user, its keys. */
import { describe, expect, test } from 'vitest'
import { billing, idOf, made, open, profiles, rows, type Api } from '../kit.ts'

const bucket = '/storage/bucket'
const keys = '/storage/user/keys'

const put = (api: Api, name: string, billing_account_id = billing) =>
  api.form('PUT', bucket, { name, billing_account_id })

describe.each(profiles)('buckets, %s', (profile) => {
  test('a bucket needs a name', async () => {
    const api = await open({ profile })
    const answer = await api.form('PUT', bucket, { billing_account_id: billing })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('name')])
  })

  test.each(['ab', 'x'.repeat(64), 'Upper', 'under_score', '-first', 'last-', 'a..b', '10.0.0.1', 'a b'])(
    'not a name for a bucket: %s',
    async (name) => {
      const api = await open({ profile })
      const answer = await put(api, name)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('name')])
    },
  )

  test.each(['abc', 'x'.repeat(63), '1st', 'with.dots-and-hyphens'])(
    'a name for a bucket: %s',
    async (name) => {
      const api = await open({ profile })
      expect(made(await put(api, name))).toMatchObject({ name })
    },
  )

  test('a name is taken for all users', async () => {
    const api = await open({ profile })
    made(await put(api, 'taken'))
    const other = api.simulator.control.createAccount()
    expect((await put(api.as(other.apiKey), 'taken', other.billingAccount)).status).toBe(409)
    expect((await put(api, 'taken')).status).toBe(409)
  })

  test.each(['GET', 'DELETE'])('%s takes the name from the query', async (method) => {
    const api = await open({ profile })
    made(await put(api, 'by-name'))
    expect((await api.bare(method, bucket)).status).toBe(400)
    expect((await api.bare(method, `${bucket}?name=by-name`)).status).toBe(method === 'GET' ? 200 : 204)
  })

  test.each(['name', 'billing_account_id'])('a change needs %s', async (field) => {
    const api = await open({ profile })
    made(await put(api, 'mine'))
    const fields = field === 'name' ? { billing_account_id: billing } : { name: 'mine' }
    const answer = await api.form('PATCH', bucket, fields)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
  })

  test('a change sets the billing account', async () => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    const before = made(await put(own, 'mine', 5))
    const after = made(await own.form('PATCH', bucket, { name: 'mine', billing_account_id: 6 }))
    expect(after).toEqual({ ...before, billing_account_id: 6, modified_at: after['modified_at'] })
  })

  test('the list can be of one billing account', async () => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    for (const account of [5, 6]) await put(own, `of-${account}`, account)
    const names = async (query: string) =>
      rows(await own.get(`${bucket}/list${query}`)).map((row) => row['name'])
    expect(await names('')).toEqual(['of-5', 'of-6'])
    expect(await names('?billing_account_id=6')).toEqual(['of-6'])
    expect(await names('?billing_account_id=7')).toEqual([])
  })

  test('a bucket with objects stays', async () => {
    const api = await open({ profile })
    made(await put(api, 'full'))
    const fill = (objects: number) =>
      api.simulator.control.mutate({ do: 'setBucket', bucket: 'full', set: { objects } })
    fill(1)
    const refused = await api.bare('DELETE', `${bucket}?name=full`)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('not empty')])
    expect(made(await api.get(`${bucket}?name=full`))).toMatchObject({ num_objects: 1 })
    fill(0)
    expect((await api.bare('DELETE', `${bucket}?name=full`)).status).toBe(204)
  })

  test('no more buckets than the user may have', async () => {
    const api = await open({ profile })
    const most = Number(made(await api.get('/storage/user'))['maxBuckets'])
    api.simulator.control.mutate({ do: 'create', kind: 'bucket', count: most })
    const answer = await put(api, 'one-too-many')
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(String(most))])
  })
})

describe.each(profiles)('the storage user, %s', (profile) => {
  test('the address of the object storage is a URL', async () => {
    const api = await open({ profile })
    expect(URL.canParse(idOf(made(await api.get('/storage/api/s3')), 'url'))).toBe(true)
  })

  test('asking for the user makes it and its first key, once', async () => {
    const api = await open({ profile })
    const user = made(await api.get('/storage/user'))
    expect(user['s3Credentials']).toHaveLength(1)
    expect(made(await api.get('/storage/user'))).toEqual(user)
  })

  test('a new key comes with all the others', async () => {
    const api = await open({ profile })
    await api.get('/storage/user')
    const before = rows(await api.get(keys))
    const after = rows(await api.bare('POST', keys))
    expect(after).toHaveLength(2)
    expect(after).toEqual(expect.arrayContaining(before))
  })

  test('a key is deleted by its access key', async () => {
    const api = await open({ profile })
    const [first] = made(await api.get('/storage/user'))['s3Credentials'] as Record<string, unknown>[]
    const access_key = idOf(first ?? {}, 'accessKey')
    expect((await api.form('DELETE', keys, {})).text).toContain('access_key')
    const answer = await api.form('DELETE', keys, { access_key })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(rows(await api.get(keys))).toEqual([])
  })
})
