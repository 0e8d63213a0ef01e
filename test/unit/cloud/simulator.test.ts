/** VMs, disks, buckets and what accounts see, against the simulated service, in both of its profiles. */
import { describe, expect, test } from 'vitest'
import {
  createBucket,
  deleteBucket,
  getBucket,
  getS3,
  listBuckets,
  setBucketBillingAccount,
} from '../../../src/cloud/buckets.ts'
import {
  createDisk,
  deleteDisk,
  getDisk,
  listDisks,
  renameDisk,
  setDiskBillingAccount,
} from '../../../src/cloud/disks.ts'
import { getFloatingIp, listFloatingIps } from '../../../src/cloud/floatingips.ts'
import { getLoadBalancer } from '../../../src/cloud/loadbalancers.ts'
import { listLocations } from '../../../src/cloud/locations.ts'
import { getNetwork } from '../../../src/cloud/networks.ts'
import { getUser } from '../../../src/cloud/user.ts'
import { attachDisk, detachDisk, growDisk } from '../../../src/cloud/vm-storage.ts'
import { listPools } from '../../../src/cloud/pools.ts'
import { createVm, deleteVm, getVm, listVms, updateVm } from '../../../src/cloud/vms.ts'
import { setPassword, startVm, stopVm, toggleBackup } from '../../../src/cloud/vm-operations.ts'
import { send, testClient } from './recorder.ts'
import { expectGone, failed, newVm, profiles, simulated } from './simulated.ts'

const unknown = '99999999-1111-4222-8333-0123456789ab'

describe.each(profiles)('the %s profile', (profile) => {
  const extended = profile === 'extended'
  const rig = simulated(profile)

  test('user, locations, pools, object storage address', async () => {
    const { client, at } = rig()
    expect((await getUser(client)).id).toBeGreaterThan(0)
    const locations = await listLocations(client)
    expect(locations.map(({ slug }) => slug)).toContain(at)
    expect(locations.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect((await listPools(client, at)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect((await getS3(client)).url).toMatch(/^https?:/)
  })

  test('a wrong slug is a missing route, a wrong key is denied: neither says that anything is gone', async () => {
    const { simulator, client, at } = rig()
    const noRoute = failed('refused', { status: 404, missingRoute: true, field: 'route' })
    await expect(getVm(client, 'nowhere1', unknown)).rejects.toMatchObject(noRoute)
    await expect(getDisk(client, 'nowhere1', unknown)).rejects.toMatchObject(noRoute)
    await expect(listFloatingIps(client, 'nowhere1')).rejects.toMatchObject(noRoute)
    const stranger = testClient(simulator.url, { apiKey: 'not-a-key' })
    await expect(getVm(stranger, at, unknown)).rejects.toMatchObject(failed('denied', { status: 403 }))
    await stranger.close()
  })

  test('what was never there is absent', async () => {
    const { client, at, scope } = rig()
    await expect(getVm(client, at, unknown)).rejects.toMatchObject(failed('absent'))
    await expect(getDisk(client, at, unknown)).rejects.toMatchObject(failed('absent'))
    await expect(getNetwork(client, scope, unknown)).rejects.toMatchObject(failed('absent'))
    await expect(getFloatingIp(client, at, '203.0.113.250')).rejects.toMatchObject(failed('absent'))
    await expect(getBucket(client, 'no-such-bucket')).rejects.toMatchObject(failed('absent'))
    await expect(deleteVm(client, at, unknown, send())).rejects.toMatchObject(failed('absent'))
    await expect(startVm(client, at, unknown, send())).rejects.toMatchObject(failed('absent'))
    await expect(deleteDisk(client, at, unknown, send())).rejects.toMatchObject(failed('absent'))
    await expect(getLoadBalancer(client, scope, unknown)).rejects.toMatchObject(
      extended ? failed('absent') : failed('refused', { missingRoute: true }),
    )
  })

  test('a VM through its life', async () => {
    const { client, at, billingAccount, scope, network } = rig()
    const cloudInit = JSON.stringify({ runcmd: ['echo a+b c'] })
    const { uuid } = await createVm(client, at, newVm(rig(), { cloudInit }), send())
    const vm = await getVm(client, at, uuid)
    expect(vm).toMatchObject({ name: 'web 1', vcpus: 1, memoryMiB: 1024, status: 'running', deleted: false })
    expect(vm).toMatchObject({
      description: 'web k8s-mark',
      billingAccount,
      osName: 'ubuntu',
      osVersion: '24.04',
    })
    expect(vm.storage).toMatchObject([{ sizeGiB: 20, primary: true }])
    expect((await listVms(client, at)).map((row) => row.uuid)).toContain(uuid)
    expect((await getNetwork(client, scope, network)).vmUUIDs).toContain(uuid)
    expect((await listFloatingIps(client, at)).filter((ip) => ip.assignedTo === uuid)).toEqual([])

    expect((await updateVm(client, at, uuid, { name: 'web 2' }, send())).name).toBe('web 2')
    await expect(updateVm(client, at, uuid, { vcpus: 2 }, send())).rejects.toMatchObject(failed('refused'))
    await setPassword(client, at, uuid, { username: 'ops', password: 'Other-Passw0rd' }, send())
    expect((await toggleBackup(client, at, uuid, send())).backups).toBe(true)
    expect((await stopVm(client, at, uuid, { force: false }, send())).status).toBe('stopped')
    const stopped = setPassword(client, at, uuid, { username: 'ops', password: 'Other-Passw0rd' }, send())
    await expect(stopped).rejects.toMatchObject(failed('refused'))
    const grown = await updateVm(client, at, uuid, { vcpus: 2, memoryMiB: 2048 }, send())
    expect(grown).toMatchObject({ vcpus: 2, memoryMiB: 2048 })
    await startVm(client, at, uuid, send())
    expect((await getVm(client, at, uuid)).status).toBe('running')

    await deleteVm(client, at, uuid, send())
    await expectGone(getVm(client, at, uuid))
    expect((await listVms(client, at)).map((row) => row.uuid)).not.toContain(uuid)
  })

  test('a disk through its life, on a VM and off it', async () => {
    const { client, at, billingAccount } = rig()
    const named = extended ? { displayName: 'data 1' } : {}
    const { uuid } = await createDisk(client, at, { sizeGiB: 10, billingAccount, ...named }, send())
    const disk = await getDisk(client, at, uuid)
    expect(disk).toMatchObject({
      sizeGiB: 10,
      billingAccount,
      status: 'Active',
      sourceType: 'EMPTY',
      showsName: extended,
    })
    expect(disk.displayName).toBe(extended ? 'data 1' : undefined)
    if (extended) expect((await renameDisk(client, at, uuid, 'data 2', send())).displayName).toBe('data 2')
    expect((await setDiskBillingAccount(client, at, uuid, billingAccount, send())).billingAccount).toBe(
      billingAccount,
    )

    const vm = await createVm(client, at, newVm(rig()), send())
    expect((await attachDisk(client, at, vm.uuid, uuid, send())).uuid).toBe(uuid)
    expect((await getVm(client, at, vm.uuid)).storage?.map((row) => row.uuid)).toContain(uuid)
    expect((await growDisk(client, at, vm.uuid, uuid, 20, send())).sizeGiB).toBe(20)
    await expect(growDisk(client, at, vm.uuid, uuid, 5, send())).rejects.toMatchObject(failed('refused'))
    await detachDisk(client, at, vm.uuid, uuid, send())
    expect((await getVm(client, at, vm.uuid)).storage?.map((row) => row.uuid)).not.toContain(uuid)
    await deleteVm(client, at, vm.uuid, send())

    expect((await getDisk(client, at, uuid)).sizeGiB).toBe(20)
    const copy = await createDisk(client, at, { billingAccount, source: { type: 'DISK', id: uuid } }, send())
    expect(await getDisk(client, at, copy.uuid)).toMatchObject({
      sizeGiB: 20,
      sourceType: 'DISK',
      source: uuid,
    })
    await deleteDisk(client, at, copy.uuid, send())
    await deleteDisk(client, at, uuid, send())
    await expectGone(getDisk(client, at, uuid))
    expect((await listDisks(client, at)).map((row) => row.uuid)).not.toContain(uuid)
  })

  test('a bucket through its life', async () => {
    const { client, billingAccount } = rig()
    const name = `logs-${profile}`
    expect(await createBucket(client, { name, billingAccount }, send())).toMatchObject({
      name,
      billingAccount,
    })
    await expect(createBucket(client, { name, billingAccount }, send())).rejects.toMatchObject({
      class: 'refused',
      status: 409,
      nameTaken: true,
    })
    expect(await getBucket(client, name)).toMatchObject({ name, objects: 0, sizeBytes: 0, suspended: false })
    expect((await setBucketBillingAccount(client, name, billingAccount, send())).billingAccount).toBe(
      billingAccount,
    )
    expect((await listBuckets(client)).map((row) => row.name)).toEqual([name])
    await deleteBucket(client, name, send())
    await expect(getBucket(client, name)).rejects.toMatchObject(failed('absent'))
    expect(await listBuckets(client)).toEqual([])
  })

  test('every change carried its operation id', () => {
    const { simulator } = rig()
    const changes = simulator.control.calls().filter((call) => call.method !== 'GET')
    expect(changes.length).toBeGreaterThan(20)
    expect(new Set(changes.map((call) => call.operationId))).toEqual(new Set(['op-1']))
  })
})
