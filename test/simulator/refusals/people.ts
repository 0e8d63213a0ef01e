/** User, tokens, locations and object storage. */
import { billing } from '../kit.ts'
import { account, accountFilter, flag, id, text, type Operation } from './spec.ts'

export const peopleOperations: readonly Operation[] = [
  { name: 'GET /user-resource/user' },
  {
    name: 'PATCH /user-resource/user/profile',
    carrier: 'form',
    parameters: {
      first_name: text(false),
      last_name: text(false),
      phone_number: text(false),
      personal_id_number: text(false),
    },
    right: () => ({ first_name: 'A', last_name: 'B', phone_number: '+1', personal_id_number: '2' }),
  },
  { name: 'GET /user-resource/token/list' },
  {
    name: 'POST /user-resource/token',
    carrier: 'form',
    parameters: { billing_account_id: account(false), description: text(false), restricted: flag },
    right: () => ({ billing_account_id: billing, description: 'x', restricted: true }),
    wrong: () => [
      {
        why: 'restricted to no billing account',
        fields: { billing_account_id: undefined },
        names: ['billing_account_id'],
      },
    ],
  },
  {
    name: 'PATCH /user-resource/token',
    carrier: 'form',
    parameters: { token_id: id('token'), billing_account_id: account(false), description: text(false) },
    right: ({ ownToken }) => ({ token_id: ownToken, billing_account_id: billing, description: 'x' }),
    wrong: () => [
      {
        why: 'restricted to no billing account',
        fields: { billing_account_id: undefined, restricted: 'yes' },
        names: ['billing_account_id'],
      },
    ],
  },
  {
    name: 'DELETE /user-resource/token',
    carrier: 'form',
    parameters: { token_id: id('token') },
    right: ({ ownToken }) => ({ token_id: ownToken }),
  },
  { name: 'GET /config/locations' },
  { name: 'GET /storage/api/s3' },
  {
    name: 'PUT /storage/bucket',
    carrier: 'form',
    parameters: { name: text(), billing_account_id: account() },
    right: () => ({ name: 'new-bucket', billing_account_id: billing }),
    wrong: ({ restrictedKey }) => [
      ...[
        'ab',
        'Upper',
        'under_score',
        '-first',
        'last-',
        'two..dots',
        '192.0.2.1',
        'a b',
        'x'.repeat(64),
      ].map((name) => ({ why: `the name ${name}`, fields: { name }, names: ['name'] })),
      { why: 'a name of its own again', fields: { name: 'own-bucket' }, names: ['Bucket name'], status: 409 },
      { why: "another's name", fields: { name: 'foreign-bucket' }, names: ['Bucket name'], status: 409 },
      {
        why: 'a billing account that the token is not for',
        apiKey: restrictedKey,
        fields: { billing_account_id: 8 },
        names: ['billing_account_id'],
      },
    ],
  },
  {
    name: 'PATCH /storage/bucket',
    carrier: 'form',
    parameters: { name: id('bucket'), billing_account_id: account() },
    right: () => ({ name: 'own-bucket', billing_account_id: billing }),
  },
  {
    name: 'DELETE /storage/bucket',
    carrier: 'query',
    parameters: { name: id('bucket') },
    right: () => ({ name: 'own-bucket' }),
    wrong: () => [{ why: 'not empty', fields: { name: 'full-bucket' }, names: ['Bucket is not empty'] }],
  },
  {
    name: 'GET /storage/bucket',
    carrier: 'query',
    parameters: { name: id('bucket') },
    right: () => ({ name: 'own-bucket' }),
  },
  {
    name: 'GET /storage/bucket/list',
    carrier: 'query',
    parameters: { billing_account_id: accountFilter },
    right: () => ({ billing_account_id: billing }),
  },
  { name: 'GET /storage/user' },
  { name: 'GET /storage/user/keys' },
  { name: 'POST /storage/user/keys' },
  {
    name: 'DELETE /storage/user/keys',
    carrier: 'form',
    parameters: { access_key: id('key') },
    right: ({ accessKey }) => ({ access_key: accessKey }),
  },
]
