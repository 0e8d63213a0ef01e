/** Networks, floating IPs and load balancers against the simulated service, in both of its profiles. */
import { describe, expect, test } from 'vitest'
import {
  assignFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  getFloatingIp,
  listFloatingIps,
  unassignFloatingIp,
  updateFloatingIp,
} from '../../../src/cloud/floatingips.ts'
import {
  addRule,
  addTarget,
  createLoadBalancer,
  deleteLoadBalancer,
  getLoadBalancer,
  listLoadBalancers,
  removeRule,
  removeTarget,
  renameLoadBalancer,
  setLoadBalancerBillingAccount,
} from '../../../src/cloud/loadbalancers.ts'
import {
  createNetwork,
  deleteNetwork,
  getNetwork,
  listNetworks,
  makeDefault,
  renameNetwork,
} from '../../../src/cloud/networks.ts'
import { createVm, deleteVm } from '../../../src/cloud/vms.ts'
import { send } from './recorder.ts'
import { expectGone, failed, newVm, profiles, simulated } from './simulated.ts'

describe.each(profiles)('the %s profile', (profile) => {
  const extended = profile === 'extended'
  const rig = simulated(profile)

  test('a reserved address appears with its VM, nameless, and stays behind', async () => {
    const { client, at } = rig()
    const { uuid } = await createVm(client, at, newVm(rig(), { reservePublicIP: true }), send())
    const [ip] = (await listFloatingIps(client, at)).filter((row) => row.assignedTo === uuid)
    if (ip === undefined) throw new Error('no address')
    expect(ip.name ?? '').toBe('')
    await deleteVm(client, at, uuid, send())
    expect(await getFloatingIp(client, at, ip.address)).not.toHaveProperty('assignedTo')
    await deleteFloatingIp(client, at, ip.address, send())
  })

  test('a network through its life', async () => {
    const { client, scope, network } = rig()
    const { uuid } = await createNetwork(client, scope, 'app net-mark', send())
    expect(await getNetwork(client, scope, uuid)).toMatchObject({
      name: 'app net-mark',
      isDefault: false,
      vmUUIDs: [],
    })
    expect((await renameNetwork(client, scope, uuid, 'other net', send())).name).toBe('other net')
    expect((await makeDefault(client, scope, uuid, send())).isDefault).toBe(true)
    await expect(deleteNetwork(client, scope, uuid, send())).rejects.toMatchObject(failed('refused'))
    await makeDefault(client, scope, network, send())
    await deleteNetwork(client, scope, uuid, send())
    await expect(getNetwork(client, scope, uuid)).rejects.toMatchObject(failed('absent'))
    expect((await listNetworks(client, scope)).map((row) => row.uuid)).toEqual([network])
  })

  test('whether networks and load balancers take a slug shows by a read', async () => {
    const { client, at } = rig()
    if (extended) {
      expect((await listNetworks(client, at)).length).toBeGreaterThan(0)
      expect(await listLoadBalancers(client, at)).toEqual([])
    } else {
      await expect(listNetworks(client, at)).rejects.toMatchObject({ missingRoute: true })
      await expect(listLoadBalancers(client, at)).rejects.toMatchObject({ missingRoute: true })
    }
  })

  test('a floating IP through its life', async () => {
    const { client, at, billingAccount } = rig()
    const { address, id } = await createFloatingIp(client, at, { billingAccount, name: 'web-mark' }, send())
    expect(await getFloatingIp(client, at, address)).toMatchObject({
      id,
      address,
      name: 'web-mark',
      billingAccount,
    })
    expect((await updateFloatingIp(client, at, address, { name: 'new-mark' }, send())).name).toBe('new-mark')
    const vm = await createVm(client, at, newVm(rig()), send())
    const assigned = await assignFloatingIp(client, at, address, { vmUUID: vm.uuid }, send())
    expect(assigned).toMatchObject({ assignedTo: vm.uuid, assignedType: 'virtual_machine' })
    const again = assignFloatingIp(client, at, address, { vmUUID: vm.uuid }, send())
    await expect(again).rejects.toMatchObject(failed('refused'))
    expect(await unassignFloatingIp(client, at, address, send())).not.toHaveProperty('assignedTo')
    await deleteVm(client, at, vm.uuid, send())
    await deleteFloatingIp(client, at, address, send())
    await expectGone(getFloatingIp(client, at, address))
    expect((await listFloatingIps(client, at)).map((row) => row.id)).not.toContain(id)
  })

  test('a load balancer: create and list everywhere', async () => {
    const { client, at, billingAccount, scope, network } = rig()
    const vm = await createVm(client, at, newVm(rig()), send())
    const made = await createLoadBalancer(
      client,
      scope,
      {
        displayName: 'front-mark',
        billingAccount,
        networkUUID: network,
        reservePublicIP: false,
        rules: [{ sourcePort: 80, targetPort: 8080 }],
        targetVmUUIDs: [vm.uuid],
      },
      send(),
    )
    const [listed] = await listLoadBalancers(client, scope)
    expect(listed).toMatchObject({
      networkUUID: network,
      billingAccount,
      rules: [{ sourcePort: 80, targetPort: 8080 }],
      targets: [{ uuid: vm.uuid, type: 'vm' }],
    })
    if (made !== undefined) expect(made.uuid).toBe(listed?.uuid)
    expect(listed?.showsName).toBe(extended)
    const uuid = listed?.uuid ?? ''
    if (!extended) {
      const missing = failed('refused', { missingRoute: true })
      await expect(deleteLoadBalancer(client, scope, uuid, send())).rejects.toMatchObject(missing)
      await expect(addTarget(client, scope, uuid, vm.uuid, send())).rejects.toMatchObject(missing)
      return
    }
    expect((await renameLoadBalancer(client, scope, uuid, 'other', send())).displayName).toBe('other')
    await setLoadBalancerBillingAccount(client, scope, uuid, billingAccount, send())
    await removeTarget(client, scope, uuid, vm.uuid, send())
    await addRule(client, scope, uuid, { sourcePort: 443, targetPort: 8443 }, send())
    const { rules = [], targets } = await getLoadBalancer(client, scope, uuid)
    expect(targets).toEqual([])
    expect(rules.map((rule) => rule.sourcePort).sort()).toEqual([443, 80])
    await removeRule(client, scope, uuid, rules.find((rule) => rule.sourcePort === 80)?.uuid ?? '', send())
    await addTarget(client, scope, uuid, vm.uuid, send())
    const changed = await getLoadBalancer(client, scope, uuid)
    expect(changed).toMatchObject({ rules: [{ sourcePort: 443 }], targets: [{ uuid: vm.uuid }] })

    const ip = await createFloatingIp(client, at, { billingAccount, name: 'front' }, send())
    const assigned = await assignFloatingIp(client, at, ip.address, { loadBalancerUUID: uuid }, send())
    expect(assigned.assignedTo).toBe(uuid)
    await unassignFloatingIp(client, at, ip.address, send())
    await deleteFloatingIp(client, at, ip.address, send())

    await deleteLoadBalancer(client, scope, uuid, send())
    await expectGone(getLoadBalancer(client, scope, uuid))
    expect(await listLoadBalancers(client, scope)).toEqual([])
  })
})
