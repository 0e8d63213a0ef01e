/** Object storage. */
import { expect } from 'vitest'
import { billing, idOf, made, rows, type Api } from '../kit.ts'
import { idsOf, type Exercises } from './exercise.ts'

const bucket = '/storage/bucket'
const keys = '/storage/user/keys'

const newBucket = async (api: Api, name: string, billing_account_id = billing) =>
  made(await api.form('PUT', bucket, { name, billing_account_id }))

export const objectExercises = {
  'GET /storage/api/s3': async ({ api }) => {
    expect(URL.canParse(idOf(made(await api.get('/storage/api/s3')), 'url'))).toBe(true)
  },
  'PUT /storage/bucket': async ({ api }) => {
    const record = await newBucket(api, 'my-logs')
    expect(record).toMatchObject({ name: 'my-logs', billing_account_id: billing, num_objects: 0 })
    expect(rows(await api.get(`${bucket}/list`))).toEqual([record])
  },
  'PATCH /storage/bucket': async ({ api }) => {
    const own = api.as(api.simulator.control.createAccount({ billingAccounts: [5, 6] }).apiKey)
    await newBucket(own, 'mine', 5)
    const changed = made(await own.form('PATCH', bucket, { name: 'mine', billing_account_id: 6 }))
    expect(changed).toMatchObject({ name: 'mine', billing_account_id: 6 })
    expect(made(await own.get(`${bucket}?name=mine`))).toEqual(changed)
  },
  'DELETE /storage/bucket': async ({ api }) => {
    await newBucket(api, 'short-lived')
    const answer = await api.bare('DELETE', `${bucket}?name=short-lived`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(rows(await api.get(`${bucket}/list`))).toEqual([])
  },
  'GET /storage/bucket': async ({ api }) => {
    const record = await newBucket(api, 'my-logs')
    await newBucket(api, 'another')
    expect(made(await api.get(`${bucket}?name=my-logs`))).toEqual(record)
  },
  'GET /storage/bucket/list': async ({ api }) => {
    expect(rows(await api.get(`${bucket}/list`))).toEqual([])
    await newBucket(api, 'one')
    await newBucket(api, 'two')
    expect(idsOf(rows(await api.get(`${bucket}/list`)), 'name')).toEqual(['one', 'two'])
  },
  'GET /storage/user': async ({ api }) => {
    const user = made(await api.get('/storage/user'))
    expect(user['s3Credentials']).toHaveLength(1)
    expect(made(await api.get('/storage/user'))).toEqual(user)
  },
  'GET /storage/user/keys': async ({ api }) => {
    const user = made(await api.get('/storage/user'))
    expect(rows(await api.get(keys))).toEqual(user['s3Credentials'])
  },
  'POST /storage/user/keys': async ({ api }) => {
    const [first] = made(await api.get('/storage/user'))['s3Credentials'] as unknown[]
    const all = rows(await api.bare('POST', keys))
    expect(all).toHaveLength(2)
    expect(all).toContainEqual(first)
    expect(rows(await api.get(keys))).toEqual(all)
  },
  'DELETE /storage/user/keys': async ({ api }) => {
    await api.get('/storage/user')
    const [kept, gone] = rows(await api.bare('POST', keys))
    const answer = await api.form('DELETE', keys, { access_key: idOf(gone ?? {}, 'accessKey') })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(rows(await api.get(keys))).toEqual([kept])
  },
} satisfies Partial<Exercises>
