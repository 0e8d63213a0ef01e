import { expect, test } from 'vitest'
import { locationOperations, locationsClient } from './locations.ts'
import { expectCalled, refused, service, slugAsDeployed } from './service.ts'

test.each(slugAsDeployed)('a stranger finds the locations, %o', async (way) => {
  const { wire, called, simulator } = await service(way)
  const locations = await locationsClient(wire).list()
  expect(locations.filter((location) => location.is_default).map(({ slug }) => slug)).toEqual([
    simulator.location,
  ])
  expect(new Set(locations.map(({ slug }) => slug)).size).toBe(locations.length)
  expect(locations.map(({ order_nr }) => order_nr)).toEqual(locations.map((_location, index) => index + 1))
  expectCalled(called, locationOperations)
})

test('the interface has no slug before config', async () => {
  const { elsewhere } = await service({ profile: 'documented', slug: '' })
  await refused(locationsClient(elsewhere).list(), /no route/)
})
