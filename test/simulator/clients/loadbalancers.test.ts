import { expect, test } from 'vitest'
import { floatingIpsClient } from './floatingips.ts'
import { loadBalancerOperations, loadBalancersClient } from './loadbalancers.ts'
import { networksClient } from './networks.ts'
import { expectCalled, refused, service, slugAsDeployed } from './service.ts'
import { vmsClient } from './vms.ts'

test.each(slugAsDeployed)('a stranger creates load balancers and lists them, %o', async (way) => {
  const { wire, aside, elsewhere, called, billingAccount } = await service(way)
  const balancers = loadBalancersClient(wire)
  expect(await balancers.list()).toEqual([])
  const networks = networksClient(aside)
  const [network] = await networks.list()
  const vm = await vmsClient(aside).create({
    ...{ name: 'web', os_name: 'debian', os_version: '12', disks: '10', vcpu: 1, ram: 1024 },
    ...{ username: 'web', password: 'Secret123', billing_account_id: billingAccount },
    reserve_public_ip: false,
  })
  const wish = {
    display_name: 'front',
    billing_account_id: billingAccount,
    network_uuid: network?.uuid ?? '',
    rules: [
      { source_port: 80, target_port: 8080 },
      { source_port: 443, target_port: 8443 },
    ],
    targets: [{ target_uuid: vm.uuid, target_type: 'vm' as const }],
  }
  await balancers.create({ ...wish, reserve_public_ip: false })
  const [first] = await balancers.list()
  expect(first).toMatchObject({
    network_uuid: network?.uuid,
    billing_account_id: billingAccount,
    is_deleted: false,
    forwarding_rules: wish.rules,
    targets: [{ target_uuid: vm.uuid, target_ip_address: vm.private_ipv4 }],
  })
  expect((await networks.get(network?.uuid ?? '')).resources_count).toBe(2)
  const ips = floatingIpsClient(aside)
  expect(await ips.list()).toEqual([])

  // The flag also comes in words; the address is found by whom it is assigned to.
  await balancers.create({ ...wish, rules: [], targets: [], reserve_public_ip: 'true' })
  const second = (await balancers.list({ all: true })).find(({ uuid }) => uuid !== first?.uuid)
  expect(second).toMatchObject({ forwarding_rules: [], targets: [] })
  expect((await ips.list()).map((ip) => ip.assigned_to)).toEqual([second?.uuid])

  const there = loadBalancersClient(elsewhere)
  if (way.profile === 'documented') await refused(there.list(), /no route/)
  else expect(await there.list()).toEqual([])
  expectCalled(called, loadBalancerOperations)
})
