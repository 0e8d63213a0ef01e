import { describe, expect, test } from 'vitest'
import {
  createAccessKey,
  deleteAccessKey,
  listAccessKeys,
  makeStorageUser,
} from '../../../src/cloud/accesskeys.ts'
import { createToken, deleteToken, listTokens, updateToken } from '../../../src/cloud/tokens.ts'
import { contract } from './contract.ts'
import { send } from './recorder.ts'

const pairs = [
  { accessKey: 'A1', secretKey: 'one', userId: 'u' },
  { accessKey: 'A2', secretKey: 'two', userId: 'u' },
]
const reveal = expect.any(Function) as () => string
const keys = [
  { id: 'A1', reveal },
  { id: 'A2', reveal },
]
const tokens = [
  {
    id: 5,
    user_id: 9,
    billing_account_id: 7,
    consumer_id: 'c-5',
    gateway_id: 'g-5',
    description: 'ci',
    restricted: true,
    token: 'secret',
    created_at: '2024-01-02 03:04:05',
    updated_at: null,
  },
]
const records = [
  {
    id: 5,
    description: 'ci',
    billingAccount: 7,
    restricted: true,
    consumerID: 'c-5',
    createdAt: '2024-01-02 03:04:05',
    reveal,
  },
]
const wish = { description: 'build server', billingAccount: 7, restricted: true }

describe('key pairs', () => {
  contract([
    {
      name: 'list',
      call: listAccessKeys,
      line: 'GET /v1/storage/user/keys',
      reply: pairs,
      result: keys,
      mutation: false,
    },
    {
      name: 'list: the object storage has no user',
      call: listAccessKeys,
      line: 'GET /v1/storage/user/keys',
      status: 404,
      reply: { message: 'Storage account not found.' },
      result: undefined,
      mutation: false,
    },
    {
      name: 'make the user: a GET that changes something',
      call: (client) => makeStorageUser(client, send()),
      line: 'GET /v1/storage/user',
      reply: { userId: 'u', maxBuckets: 100, s3Credentials: pairs },
      result: keys,
      mutation: true,
    },
    {
      name: 'create answers with all of them',
      call: (client) => createAccessKey(client, send()),
      line: 'POST /v1/storage/user/keys',
      reply: pairs,
      result: keys,
      mutation: true,
    },
    {
      name: 'delete says which in the form',
      call: (client) => deleteAccessKey(client, 'A1', send()),
      line: 'DELETE /v1/storage/user/keys',
      form: 'access_key=A1',
      reply: '',
      result: undefined,
      mutation: true,
    },
  ])
})

describe('tokens', () => {
  contract([
    {
      name: 'list',
      call: listTokens,
      line: 'GET /v1/user-resource/token/list',
      reply: tokens,
      result: records,
      mutation: false,
    },
    {
      name: 'create answers with all of them',
      call: (client) => createToken(client, wish, send()),
      line: 'POST /v1/user-resource/token',
      form: 'description=build%20server&billing_account_id=7&restricted=true',
      reply: tokens,
      result: records,
      mutation: true,
    },
    {
      name: 'create: tied to none and not restricted, which is never said with a word',
      call: (client) => createToken(client, { ...wish, billingAccount: 0, restricted: false }, send()),
      line: 'POST /v1/user-resource/token',
      form: 'description=build%20server&billing_account_id=0',
      reply: tokens,
      result: records,
      mutation: true,
    },
    {
      name: 'change always sends the billing account',
      call: (client) => updateToken(client, 5, { ...wish, restricted: false }, send()),
      line: 'PATCH /v1/user-resource/token',
      form: 'token_id=5&description=build%20server&billing_account_id=7',
      reply: { success: true },
      result: undefined,
      mutation: true,
    },
    {
      name: 'delete',
      call: (client) => deleteToken(client, 5, send()),
      line: 'DELETE /v1/user-resource/token',
      form: 'token_id=5',
      reply: { success: true },
      result: undefined,
      mutation: true,
    },
  ])
})

test('a record that is written down has no secret', () => {
  expect(JSON.stringify({ id: 'A1', reveal: () => 'one' })).toBe('{"id":"A1"}')
})
