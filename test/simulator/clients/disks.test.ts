import { expect, test } from 'vitest'
import { diskOperations, disksClient } from './disks.ts'
import { expectCalled, bothForms, refused, service } from './service.ts'

test.each(bothForms)('a stranger keeps block storage disks, %o', async (way) => {
  const { as, elsewhere, called, simulator } = await service(way)
  const account = simulator.control.createAccount({ billingAccounts: [31, 32] })
  const disks = disksClient(as(account.apiKey))

  const empty = await disks.create({ size_gb: '12', billing_account_id: 31 })
  expect(empty).toMatchObject({
    status: 'Active',
    size_gb: 12,
    billing_account_id: 31,
    source_image_type: 'EMPTY',
  })
  const image = await disks.create({
    billing_account_id: 31,
    source_image_type: 'OS_BASE',
    source_image: 'ubuntu_22.04',
  })
  expect(image).toMatchObject({ source_image_type: 'OS_BASE', source_image: 'ubuntu_22.04' })
  const copy = await disks.create({
    size_gb: '20',
    billing_account_id: 31,
    source_image_type: 'DISK',
    source_image: empty.uuid,
  })
  expect(copy).toMatchObject({ size_gb: 20, source_image: empty.uuid })
  const [snapshot = ''] = simulator.control.mutate({ do: 'snapshotDisk', disk: empty.uuid }).ids
  const restored = await disks.create({
    billing_account_id: 31,
    source_image_type: 'SNAPSHOT',
    source_image: snapshot,
  })
  expect(restored).toMatchObject({ size_gb: 12, source_image_type: 'SNAPSHOT' })
  await refused(disks.create({ billing_account_id: 31, source_image_type: 'DISK' }), /source_image/)

  const rows = await disks.list()
  expect(rows.map(({ uuid }) => uuid)).toEqual([empty, image, copy, restored].map(({ uuid }) => uuid))
  const full = await disks.get(empty.uuid)
  expect(full.snapshots).toEqual([expect.objectContaining({ uuid: snapshot, sizeGb: 12 })])
  expect(full).toEqual(rows[0])

  const moved = await disks.changeBillingAccount(empty.uuid, 32)
  expect(moved).toMatchObject({ uuid: empty.uuid, billing_account_id: 32 })
  await refused(disks.changeBillingAccount(empty.uuid, 33), /billing_account_id/)

  expect(await disksClient(elsewhere).list()).toEqual([])
  for (const { uuid } of rows) await disks.delete(uuid)
  expect(await disks.list()).toEqual([])
  await refused(disks.delete(empty.uuid), /Disk not found/)
  expectCalled(called, diskOperations)
})
