import { expect, test } from 'vitest'
import { objectStorageClient, objectStorageOperations } from './objectstorage.ts'
import { expectCalled, refused, service, withoutSlug } from './service.ts'

test.each(withoutSlug)('a stranger keeps buckets, %o', async (way) => {
  const { as, called, simulator } = await service(way)
  const { control } = simulator
  const storage = objectStorageClient(as(control.createAccount({ billingAccounts: [31, 32] }).apiKey))
  expect((await storage.address()).url).toMatch(/^https:/)

  const logs = await storage.createBucket('logs-2', 31)
  expect(logs).toMatchObject({ name: 'logs-2', billing_account_id: 31, num_objects: 0, size_bytes: 0 })
  await storage.createBucket('media', 31)
  expect(await storage.getBucket('logs-2')).toEqual(logs)
  expect(await storage.changeBillingAccount('logs-2', 32)).toMatchObject({ billing_account_id: 32 })
  expect((await storage.buckets()).map(({ name }) => name)).toEqual(['logs-2', 'media'])
  expect((await storage.buckets(32)).map(({ name }) => name)).toEqual(['logs-2'])

  // Names are unique across all users.
  const other = objectStorageClient(as(control.createAccount().apiKey))
  await refused(other.createBucket('media', 2003), /taken/)
  await refused(other.getBucket('media'), /Bucket/)
  await refused(storage.createBucket('No_Name', 31), /name/)
  await refused(storage.createBucket('free'), /billing_account_id/)

  control.mutate({ do: 'setBucket', bucket: 'media', set: { objects: 1, sizeBytes: 5 } })
  expect(await storage.getBucket('media')).toMatchObject({ num_objects: 1, size_bytes: 5 })
  await refused(storage.deleteBucket('media'), /not empty/)
  await storage.deleteBucket('logs-2')
  await refused(storage.getBucket('logs-2'), /Bucket/)
  for (const operation of called) expect(objectStorageOperations).toContain(operation)
})

test.each(withoutSlug)('a stranger keeps keys, %o', async (way) => {
  const { wire, called } = await service(way)
  const storage = objectStorageClient(wire)
  const user = await storage.user()
  expect(user.s3Credentials).toHaveLength(1)
  expect(await storage.user()).toEqual(user)
  const before = await storage.keys()
  expect(before).toEqual(user.s3Credentials)

  const after = await storage.createKey()
  const [made, ...others] = after.filter(
    (key) => !before.some(({ accessKey }) => accessKey === key.accessKey),
  )
  expect([made?.userId, others]).toEqual([user.userId, []])
  await storage.deleteKey(made?.accessKey ?? '')
  expect(await storage.keys()).toEqual(before)
  await refused(storage.deleteKey(made?.accessKey ?? ''), /[Kk]ey/)

  await storage.address()
  await storage.createBucket('b-1', 2001)
  await storage.changeBillingAccount('b-1', 2001)
  await storage.getBucket('b-1')
  await storage.buckets()
  await storage.deleteBucket('b-1')
  expectCalled(called, objectStorageOperations)
})
