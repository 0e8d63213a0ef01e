import { expect, test } from 'vitest'
import { diskOperations } from './disks.ts'
import { floatingIpOperations } from './floatingips.ts'
import { loadBalancerOperations } from './loadbalancers.ts'
import { locationOperations } from './locations.ts'
import { networkOperations } from './networks.ts'
import { objectStorageOperations } from './objectstorage.ts'
import { tokenOperations } from './tokens.ts'
import { userOperations } from './user.ts'
import { vmOperations } from './vms.ts'

// Each family's own test asserts that it called every one of its operations.
test('the clients have all 61 operations of the interface', () => {
  const families = {
    user: userOperations,
    tokens: tokenOperations,
    locations: locationOperations,
    vms: vmOperations,
    disks: diskOperations,
    objectStorage: objectStorageOperations,
    networks: networkOperations,
    floatingIps: floatingIpOperations,
    loadBalancers: loadBalancerOperations,
  }
  const all = Object.values(families).flat()
  expect(new Set(all).size).toBe(all.length)
  expect(all).toHaveLength(61)
})
