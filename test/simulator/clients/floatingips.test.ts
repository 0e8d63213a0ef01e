import { expect, test } from 'vitest'
import { floatingIpOperations, floatingIpsClient } from './floatingips.ts'
import { expectCalled, bothForms, refused, service } from './service.ts'
import { vmsClient } from './vms.ts'

test.each(bothForms)('a stranger keeps floating IPs, %o', async (way) => {
  const { as, elsewhere, aside, called, simulator } = await service(way)
  const account = simulator.control.createAccount({ billingAccounts: [31, 32] })
  const wire = as(account.apiKey)
  const ips = floatingIpsClient(wire)
  expect(await ips.list()).toEqual([])

  const front = await ips.create({ billing_account_id: 31, name: 'front door' })
  expect(front).toMatchObject({ name: 'front door', billing_account_id: 31, is_deleted: false })
  const plain = await ips.create({ billing_account_id: 31 })
  expect([plain.name ?? '', plain.assigned_to ?? null]).toEqual(['', null])
  expect(await ips.list()).toEqual([front, plain])
  expect(await ips.get(front.address)).toEqual(front)
  expect(await ips.change(front.address, { name: 'renamed' })).toMatchObject({
    id: front.id,
    name: 'renamed',
    billing_account_id: 31,
  })
  expect(await ips.change(front.address, { billing_account_id: 32 })).toMatchObject({
    name: 'renamed',
    billing_account_id: 32,
  })
  expect((await ips.list({ billing_account_id: 32 })).map(({ id }) => id)).toEqual([front.id])

  const vms = vmsClient(wire)
  const vm = await vms.create({
    ...{ name: 'web', os_name: 'debian', os_version: '12', disks: '10', vcpu: 1, ram: 1024 },
    ...{ username: 'web', password: 'Secret123', billing_account_id: 31, reserve_public_ip: false },
  })
  expect(await ips.assign(front.address, vm.uuid)).toMatchObject({
    assigned_to: vm.uuid,
    assigned_to_resource_type: 'virtual_machine',
    assigned_to_private_ip: vm.private_ipv4,
  })
  expect((await ips.list({ vm_uuid: vm.uuid })).map(({ id }) => id)).toEqual([front.id])
  await refused(ips.assign(front.address, vm.uuid), /assigned/)
  const free = await ips.unassign(front.address)
  expect(free).toMatchObject({ id: front.id, assigned_to: null })
  expect(await ips.list({ vm_uuid: vm.uuid })).toEqual([])

  expect(await floatingIpsClient(elsewhere).list()).toEqual([])
  expect(await floatingIpsClient(aside).list()).toEqual([]) // another account's
  await ips.delete(front.address)
  await refused(ips.get(front.address), /not found/)
  expect((await ips.list()).map(({ id }) => id)).toEqual([plain.id])
  expectCalled(called, floatingIpOperations)
})
