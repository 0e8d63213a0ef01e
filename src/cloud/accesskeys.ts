/**
 * Key pairs of the object storage's user. Every list holds every secret: values are behind a function, so that no log, status
 * or message can hold one by accident, and no answer of this file is ever logged.
 */
import { orAbsent } from './absent.ts'
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { AccessKeyRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { accessKeySchema, storageUserKeysSchema } from './schemas.ts'

const route = 'storage/user/keys'

/** All key pairs; undefined: the object storage has no user yet. */
export async function listAccessKeys(
  client: CloudClient,
  options?: ReadOptions,
): Promise<readonly AccessKeyRecord[] | undefined> {
  const read = client.read(
    {
      family: 'objectStorage',
      method: 'GET',
      route,
      exact: { kind: 'storageUser', id: 'user' },
      answer: rows(accessKeySchema),
    },
    options,
  )
  return orAbsent(read)
}

/** Makes the user with a first key pair where there is none: a change, although it is a GET. Answers with the user's pairs. */
export function makeStorageUser(client: CloudClient, send: Send): Promise<readonly AccessKeyRecord[]> {
  return client.change(
    { family: 'objectStorage', method: 'GET', route: 'storage/user', answer: record(storageUserKeysSchema) },
    send,
  )
}

/** Makes one more key pair. Answers with all of them, in no stated order: which one is new tells only the difference. */
export function createAccessKey(client: CloudClient, send: Send): Promise<readonly AccessKeyRecord[]> {
  return client.change(
    { family: 'objectStorage', method: 'POST', route, answer: rows(accessKeySchema) },
    send,
  )
}

/** Makes a key pair invalid at once. */
export function deleteAccessKey(client: CloudClient, accessKey: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'objectStorage',
      method: 'DELETE',
      route,
      texts: { access_key: accessKey },
      form: { access_key: accessKey },
      exact: { kind: 'accessKey', id: accessKey },
      answer: ignored,
    },
    send,
  )
}
