/** The profile: what leaves, and that the number in it is compared without being shown. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMaxBuckets } from '../../../src/cloud/buckets.ts'
import type { CloudClient } from '../../../src/cloud/client.ts'
import { getUser, updateProfile } from '../../../src/cloud/user.ts'
import { send, startRecorder, testClient, type Recorder } from './recorder.ts'

let recorder: Recorder
let client: CloudClient
beforeAll(async () => {
  recorder = await startRecorder()
  client = testClient(recorder.url)
})
afterAll(async () => {
  await client.close()
  await recorder.stop()
})

const NUMBER = '3171-0001-7'

test('a number is compared, and is in no text that is made of the record', async () => {
  const profile = { first_name: 'Ann', last_name: null, phone_number: 62, personal_id_number: NUMBER }
  recorder.respond(() => ({ status: 200, body: { id: 9, profile_data: profile } }))
  const user = await getUser(client)
  expect(user.profile).toMatchObject({ firstName: 'Ann', lastName: '', phoneNumber: '62' })
  expect(user.profile?.hasPersonalIDNumber?.(NUMBER)).toBe(true)
  expect(user.profile?.hasPersonalIDNumber?.('0')).toBe(false)
  expect(JSON.stringify(user)).not.toContain(NUMBER)
})

test('what the service leaves out is unknown', async () => {
  recorder.respond(() => ({ status: 200, body: { id: 9, profile_data: { first_name: 'Ann' } } }))
  expect((await getUser(client)).profile).toEqual({ firstName: 'Ann' })
})

test('only what is given is sent, and a refusal does not repeat the number', async () => {
  recorder.requests.length = 0
  recorder.respond(() => ({ status: 200, body: { first_name: 'Ann' } }))
  await updateProfile(client, { firstName: 'Ann', personalIDNumber: NUMBER }, send())
  expect(recorder.requests).toMatchObject([
    {
      method: 'PATCH',
      url: '/v1/user-resource/user/profile',
      body: `first_name=Ann&personal_id_number=${NUMBER}`,
    },
  ])
  recorder.respond(() => ({ status: 400, body: { errors: { personal_id_number: `${NUMBER} is wrong` } } }))
  const refused = updateProfile(client, { personalIDNumber: NUMBER }, send())
  await expect(refused).rejects.toMatchObject({
    class: 'refused',
    text: 'personal_id_number: [hidden] is wrong',
  })
})

test('the number of buckets is asked for only where the storage has a user', async () => {
  const asked = async (keys: unknown) => {
    recorder.requests.length = 0
    recorder.respond(({ url }) => ({ status: 200, body: url.endsWith('/keys') ? keys : { maxBuckets: 7 } }))
    const max = await readMaxBuckets(client)
    return [max, recorder.requests.map(({ url }) => url)]
  }
  expect(await asked([])).toEqual([undefined, ['/v1/storage/user/keys']])
  expect(await asked([{ accessKey: 'a', secretKey: 's' }])).toEqual([
    7,
    ['/v1/storage/user/keys', '/v1/storage/user'],
  ])
})
