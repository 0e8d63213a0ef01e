/** A new world, and its text form for dump and load. */
import { defaultRules } from './rules.ts'
import type { Profile, World } from './model.ts'

export function newWorld(profile: Profile, seed: number): World {
  return {
    seed,
    profile,
    drawn: {},
    rules: defaultRules(profile),
    accounts: new Map(),
    tokens: new Map(),
    secrets: new Map(),
    vms: new Map(),
    disks: new Map(),
    buckets: new Map(),
    networks: new Map(),
    floatingIps: new Map(),
    loadBalancers: new Map(),
    freedAddresses: {},
    lostDataTokens: [],
  }
}

/** The whole state as JSON. Holds API keys: for tests only. */
export function dumpWorld(world: World): string {
  return JSON.stringify(world, (_key, value: unknown) => (value instanceof Map ? { map: [...value] } : value))
}

/** Reads what dumpWorld wrote. Operations which were running then are over. */
export function loadWorld(text: string): World {
  const world = JSON.parse(text, (_key, value: unknown) =>
    isMap(value) ? new Map(value.map) : value,
  ) as World
  for (const vm of world.vms.values()) {
    if (!vm.busy) continue
    vm.busy = false
    vm.status = vm.status === 'stopping' ? 'stopped' : 'running'
  }
  return world
}

function isMap(value: unknown): value is { map: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { map?: unknown }).map)
}
