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
  const fields = Object.entries(world) as [string, unknown][]
  return JSON.stringify(
    Object.fromEntries(
      fields.map(([name, value]) => [name, value instanceof Map ? { map: [...value] } : value]),
    ),
  )
}

/** Reads what dumpWorld wrote. Operations which were running then are over. Throws when it is no such text. */
export function loadWorld(text: string): World {
  const dumped = JSON.parse(text) as unknown
  const model = Object.entries(newWorld('extended', 1)) as [keyof World, unknown][]
  const world = Object.fromEntries(
    model.map(([name, sample]) => [name, loadField(dumped, name, sample)]),
  ) as unknown as World
  for (const vm of world.vms.values()) {
    if (!vm.busy || !underway.includes(vm.status)) continue
    vm.busy = false
    vm.status = vm.status === 'stopping' ? 'stopped' : 'running'
  }
  return world
}

/** A VM that is busy with anything else was made so by a test, and stays so. */
const underway = ['creating', 'starting', 'stopping', 'reinstalling', 'rebuilding']

function loadField(dumped: unknown, name: string, sample: unknown): unknown {
  const value = isObject(dumped) ? dumped[name] : undefined
  const wanted = sample instanceof Map ? isMap(value) : typeof value === typeof sample && value !== null
  if (!wanted) throw new Error(`not a state of the simulator: ${name} is missing`)
  return isMap(value) ? new Map(value.map) : value
}

function isMap(value: unknown): value is { map: [unknown, unknown][] } {
  return isObject(value) && Array.isArray(value['map'])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
