import { expect, test } from 'vitest'
import { networkOperations, networksClient } from './networks.ts'
import { expectCalled, refused, service, slugAsDeployed } from './service.ts'
import { vmsClient } from './vms.ts'

test.each(slugAsDeployed)('a stranger keeps private networks, %o', async (way) => {
  const { wire, called, billingAccount, elsewhere } = await service(way)
  const networks = networksClient(wire)
  const [first, ...none] = await networks.list()
  if (first === undefined) throw new Error('no default network')
  expect(none).toEqual([])
  expect(first).toMatchObject({ is_default: true, vm_uuids: [], resources_count: 0 })
  // Without a name the default network is returned, and nothing is made.
  expect(await networks.create()).toEqual(first)

  const back = await networks.create('back end & more')
  expect(back).toMatchObject({ name: 'back end & more', is_default: false })
  expect(await networks.list()).toEqual([first, back])
  expect(await networks.get(back.uuid)).toEqual(back)
  expect(await networks.rename(back.uuid, 'storage')).toMatchObject({ uuid: back.uuid, name: 'storage' })

  expect(await networks.makeDefault(back.uuid)).toMatchObject({ name: 'storage', is_default: true })
  expect((await networks.list()).map((network) => network.is_default)).toEqual([false, true])
  await refused(networks.delete(back.uuid), /default/i)

  const vms = vmsClient(wire)
  const vm = await vms.create({
    ...{ name: 'db', os_name: 'debian', os_version: '12', disks: '10', vcpu: 1, ram: 1024 },
    ...{ username: 'db', password: 'Secret123', billing_account_id: billingAccount },
    network_uuid: first.uuid,
    reserve_public_ip: false,
  })
  expect(await networks.get(first.uuid)).toMatchObject({ vm_uuids: [vm.uuid], resources_count: 1 })
  await refused(networks.delete(first.uuid), /resources/)
  await vms.delete(vm.uuid)
  await networks.delete(first.uuid)
  expect((await networks.list()).map(({ uuid }) => uuid)).toEqual([back.uuid])
  await refused(networks.get(first.uuid), /[Nn]etwork/)

  const there = networksClient(elsewhere)
  if (way.profile === 'documented') await refused(there.list(), /no route/)
  else expect((await there.list()).map(({ uuid }) => uuid)).not.toContain(back.uuid)
  expectCalled(called, networkOperations)
})

test.each(slugAsDeployed)('the first network of an account without one becomes default, %o', async (way) => {
  const { as, simulator } = await service(way)
  const bare = () => networksClient(as(simulator.control.createAccount({ defaultNetwork: false }).apiKey))
  const named = bare()
  expect(await named.list()).toEqual([])
  expect(await named.create('mine')).toMatchObject({ name: 'mine', is_default: true })
  expect(await bare().create()).toMatchObject({ name: 'Default network', is_default: true })
})
