import { expect, test } from 'vitest'
import { disksClient } from './disks.ts'
import { floatingIpsClient } from './floatingips.ts'
import { networksClient } from './networks.ts'
import { expectCalled, bothForms, refused, service, type ServiceUnderTest } from './service.ts'
import { vmOperations, vmsClient } from './vms.ts'

test.each(bothForms)('a stranger keeps virtual machines, %o', async (way) => {
  const tried = await service(way)
  const { wire, elsewhere, called, simulator } = tried
  await life(tried)
  await power(tried)
  await systems(tried)
  await replicas(tried)
  await dataDisks(tried)
  await publicAddress(tried)

  const vms = vmsClient(wire)
  expect(await vmsClient(elsewhere).list()).toEqual([])
  for (const { uuid } of await vms.list()) await vms.delete(uuid)
  expect(await vms.list()).toEqual([])
  expect(simulator.control.inventory().vms).toEqual([])
  expectCalled(called, vmOperations)
})

const image = { os_name: 'ubuntu', os_version: '22.04', disks: '20' }
const login = { username: 'someone', password: 'Secret123' }
const size = { vcpu: 2, ram: 2048 }

/** A VM without a public address. */
async function plainVm({ wire, billingAccount }: ServiceUnderTest, name: string) {
  return vmsClient(wire).create({
    ...{ ...image, ...login, ...size, name },
    billing_account_id: billingAccount,
    reserve_public_ip: false,
  })
}

async function life({ wire, aside, billingAccount }: ServiceUnderTest): Promise<void> {
  const vms = vmsClient(wire)
  const pools = await vms.pools()
  expect(pools.filter((pool) => pool.is_default_designated)).toHaveLength(1)
  const pool = pools.at(-1)
  const network = await networksClient(aside).create('of its own')
  const vm = await vms.create({
    ...{ ...image, ...login, ...size, name: 'web 1' },
    public_key: 'ssh-ed25519 AAAAC3 someone@example.com',
    description: 'front + end',
    backup: true,
    billing_account_id: billingAccount,
    designated_pool_uuid: pool?.uuid ?? '',
    network_uuid: network.uuid,
    cloud_init: JSON.stringify({ runcmd: ['echo a + b & c'] }),
  })
  expect(vm).toMatchObject({
    ...{ name: 'web 1', description: 'front + end', status: 'running', backup: true, vcpu: 2, memory: 2048 },
    ...{ os_name: 'ubuntu', os_version: '22.04', username: 'someone', billing_account: billingAccount },
    designated_pool_uuid: pool?.uuid,
  })
  expect(vm.storage.map((disk) => [disk.primary, disk.size])).toEqual([[true, 20]])
  expect(await vms.get(vm.uuid)).toEqual(vm)
  expect((await vms.list()).map(({ uuid }) => uuid)).toEqual([vm.uuid])
  expect((await networksClient(aside).get(network.uuid)).vm_uuids).toEqual([vm.uuid])
  const [ip] = await floatingIpsClient(wire).list({ vm_uuid: vm.uuid })
  expect(ip?.assigned_to_private_ip).toBe(vm.private_ipv4)

  expect(await vms.toggleBackup(vm.uuid)).toMatchObject({ backup: false })
  expect(await vms.setPassword(vm.uuid, 'other', 'Another123')).toBe(true)
  expect(await vms.get(vm.uuid)).toMatchObject({ username: 'other' })
  await vms.delete(vm.uuid)
  expect(await vms.list()).toEqual([])
  await refused(vms.delete(vm.uuid), new RegExp(`${vm.uuid}"`))
}

async function power(tried: ServiceUnderTest): Promise<void> {
  const vms = vmsClient(tried.wire)
  const { uuid } = await plainVm(tried, 'power')
  expect(await vms.modify(uuid, { name: 'renamed' })).toMatchObject({ name: 'renamed', status: 'running' })
  await refused(vms.modify(uuid, { ram: 4096 }), /stopped/)
  expect(await vms.stop(uuid)).toMatchObject({ status: 'stopped' })
  expect(await vms.modify(uuid, { ram: 4096, vcpu: 4 })).toMatchObject({ memory: 4096, vcpu: 4 })
  await refused(vms.setPassword(uuid, 'other', 'Another123'), /running/)
  await vms.start(uuid)
  expect(await vms.get(uuid)).toMatchObject({ status: 'running' })
  expect(await vms.stop(uuid, true)).toMatchObject({ status: 'stopped' })
  await vms.rescueStart(uuid)
  expect(await vms.get(uuid)).toMatchObject({ status: 'running' })
  await refused(vms.start('00000000-0000-4000-8000-000000000000'), /00000000-0000-4000-8000-000000000000"/)
}

async function systems(tried: ServiceUnderTest): Promise<void> {
  const vms = vmsClient(tried.wire)
  const { uuid } = await plainVm(tried, 'systems')
  const contents = () =>
    tried.simulator.control.inventory().disks.find((disk) => disk['attachedTo'] === uuid)?.['dataToken']
  const before = contents()
  expect(await vms.reinstall(uuid, { os_name: 'debian', os_version: '12' })).toMatchObject({
    os_name: 'debian',
    os_version: '12',
  })
  const debian = contents()
  // The variant names the image in one.
  expect(await vms.reinstall(uuid, { base_os_image: 'ubuntu_24.04' })).toMatchObject({
    os_name: 'ubuntu',
    os_version: '24.04',
  })
  // Either defaults to what the VM has.
  expect(await vms.reinstall(uuid, {})).toMatchObject({ os_name: 'ubuntu', os_version: '24.04' })
  expect(new Set([before, debian, contents()]).size).toBe(3)
  const twin = await vms.clone(uuid, 'twin')
  expect(twin).toMatchObject({ name: 'twin', os_version: '24.04', vcpu: 2, memory: 2048 })
  expect(twin.uuid).not.toBe(uuid)
}

async function replicas(tried: ServiceUnderTest): Promise<void> {
  const { wire, billingAccount, simulator } = tried
  const vms = vmsClient(wire)
  const vm = await plainVm(tried, 'source')
  const item = await vms.createReplica(vm.uuid)
  const [replica] = item.replica
  if (replica === undefined) throw new Error('no replica')
  expect(item.uuid).toBe(vm.storage[0]?.uuid)
  expect(replica).toMatchObject({ master_uuid: item.uuid, size: 20, type: 'snapshot' })
  expect(replica.uuid.slice(0, 36)).toBe(item.uuid)
  expect(await vms.replicas(vm.uuid)).toEqual([replica])
  expect(await vms.replicas(vm.uuid, 'backup')).toEqual([])
  simulator.control.mutate({ do: 'addReplica', vm: vm.uuid, type: 'backup' })
  expect(await vms.replicas(vm.uuid, 'backup')).toHaveLength(1)
  expect(await vms.rebuild(vm.uuid, replica.uuid)).toMatchObject({ uuid: vm.uuid, status: 'running' })
  const copy = await vms.create({
    ...{ ...login, ...size, name: 'copy', source_uuid: vm.uuid, source_replica: replica.uuid },
    billing_account_id: billingAccount,
    reserve_public_ip: false,
  })
  expect(copy).toMatchObject({ os_name: 'ubuntu', os_version: '22.04', storage: [{ size: 20 }] })
  expect(await vms.deleteReplica(replica.uuid)).toBe(true)
  expect(await vms.replicas(vm.uuid)).toEqual([])
  await refused(vms.rebuild(vm.uuid, replica.uuid), /replica/)
}

async function dataDisks(tried: ServiceUnderTest): Promise<void> {
  const { wire, billingAccount } = tried
  const vms = vmsClient(wire)
  const disks = disksClient(wire)
  const vm = await plainVm(tried, 'data')
  const shown = async () => (await vms.get(vm.uuid)).storage.map((disk) => [disk.uuid, disk.size])
  const [boot] = vm.storage
  const added = await vms.addDisk(vm.uuid, 30)
  expect(added).toMatchObject({ primary: false, size: 30, replica: [] })
  expect(await disks.get(added.uuid)).toMatchObject({ size_gb: 30, source_image_type: 'EMPTY' })
  expect(await vms.resizeDisk(vm.uuid, added.uuid, 40)).toMatchObject({ uuid: added.uuid, size: 40 })
  await refused(vms.resizeDisk(vm.uuid, added.uuid, 39), /shrink/)
  expect(await shown()).toEqual([
    [boot?.uuid, 20],
    [added.uuid, 40],
  ])
  expect(await vms.detachDisk(vm.uuid, added.uuid)).toBe(true)
  expect(await shown()).toEqual([[boot?.uuid, 20]])
  expect(await vms.attachDisk(vm.uuid, added.uuid)).toMatchObject({ uuid: added.uuid, size: 40 })
  expect(await vms.deleteDisk(vm.uuid, added.uuid)).toBe(true)
  await refused(vms.deleteDisk(vm.uuid, boot?.uuid ?? ''), /primary/)
  expect(await shown()).toEqual([[boot?.uuid, 20]])

  const free = await disks.create({
    billing_account_id: billingAccount,
    source_image_type: 'OS_BASE',
    source_image: 'debian_12',
  })
  const booted = await vms.create({
    ...{ ...login, ...size, name: 'from a disk', disks: '', disk_uuid: free.uuid },
    billing_account_id: billingAccount,
    reserve_public_ip: false,
  })
  expect(booted.storage).toEqual([expect.objectContaining({ uuid: free.uuid, primary: true })])
}

async function publicAddress(tried: ServiceUnderTest): Promise<void> {
  const vms = vmsClient(tried.wire)
  const ips = floatingIpsClient(tried.wire)
  const vm = await plainVm(tried, 'address')
  expect(await vms.reservePublicIp(vm.uuid)).toMatchObject({ uuid: vm.uuid })
  const [ip] = await ips.list({ vm_uuid: vm.uuid })
  expect(ip?.assigned_to).toBe(vm.uuid)
  expect(await vms.releasePublicIp(vm.uuid)).toMatchObject({ uuid: vm.uuid })
  expect(await ips.list({ vm_uuid: vm.uuid })).toEqual([])
  expect((await ips.get(ip?.address ?? '')).assigned_to).toBeNull()
}
