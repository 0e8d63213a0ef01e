/** The state of a simulator as its dump says it: what the invariants look at and the generator draws from. */
import type { World } from '../../../src/simulator/state/model.ts'

export type State = World

/** Reads a dump as it is; operations under way stay so. */
export function readState(dump: string): State {
  const parsed = JSON.parse(dump) as Record<string, unknown>
  const entries = Object.entries(parsed).map(([name, value]) => [
    name,
    isMap(value) ? new Map(value.map) : value,
  ])
  return Object.fromEntries(entries) as State
}

/** The dump without the one thing that every call changes: how many calls there were. */
export function withoutCallCount(dump: string): string {
  return dump.replace(/,?"call":\d+/, '')
}

function isMap(value: unknown): value is { map: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { map?: unknown }).map)
}

export function living<T extends { deletedAt: number | null }>(things: ReadonlyMap<unknown, T>): T[] {
  return [...things.values()].filter((thing) => thing.deletedAt === null)
}
