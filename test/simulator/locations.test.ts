import { describe, expect, test } from 'vitest'
import { open, profiles, rows } from './kit.ts'

describe.each(profiles)('locations and pools, %s', (profile) => {
  test('exactly one location is the default', async () => {
    const api = await open({ profile })
    const locations = rows(await api.get('/config/locations'))
    const defaults = locations.filter((location) => location['is_default'] === true)
    expect(defaults.map((location) => location['slug'])).toEqual([api.simulator.location])
    expect(locations.every((location) => 'is_published' in location)).toBe(profile === 'extended')
  })

  test('pools belong to a location, one is designated by default', async () => {
    const api = await open({ profile })
    const pools = rows(await api.get('/user-resource/host_pool/list'))
    expect(pools.map((pool) => pool['is_default_designated'])).toEqual([true, false])
    const [there] = rows(await api.get('/sgp01/user-resource/host_pool/list'))
    expect(pools.map((pool) => pool['uuid'])).not.toContain(there?.['uuid'])
  })
})
