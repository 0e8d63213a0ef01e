import { expect, test } from 'vitest'
import { operations } from '../operations.ts'
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
  const table = operations.map(({ name }) => name.replace(/:\w+/g, ':'))
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
  expect(all.map((name) => name.replace(/\{\w+\}/g, ':')).sort()).toEqual(table.sort())
  expect(all).toHaveLength(61)
})
