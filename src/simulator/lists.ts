/** Lists and reads that lag, omit, shuffle or repeat: what late convergence looks like to a client. */
import { matches, type ArmedFault } from './faults.ts'
import { isObject } from './http/fields.ts'
import { fraction } from './state/ids.ts'
import type { World } from './state/model.ts'

export interface ReadFaults {
  /** Before the call is carried out: remembers the state that later reads shall see. */
  arm(faults: readonly ArmedFault[], world: World, now: number, isRead: boolean): void
  /** After a change: hides what it made from the next lists. */
  hideMade(faults: readonly ArmedFault[], effects: readonly string[]): void
  /** The state that this read sees. */
  worldFor(path: string, world: World, now: number): World
  /** Whether this call may show a list otherwise than it is. */
  distorts(faults: readonly ArmedFault[]): boolean
  /** The answered list as this call shows it. */
  distort(faults: readonly ArmedFault[], rows: unknown[], seq: number, seed: number): unknown[]
  clear(): void
}

export function createReadFaults(): ReadFaults {
  let lags: { fault: string; of: string; until: number; world: World }[] = []
  let hidden: { ids: string[]; left: number }[] = []
  return {
    arm: (faults, world, now, isRead) => {
      lags = lags.filter((lag) => lag.until > now)
      for (const { id, action, path } of faults) {
        if (!('lagReads' in action) || lags.some((lag) => isRead && lag.fault === id)) continue
        const of = action.lagReads.of ?? (isRead ? path : '*')
        lags.push({ fault: id, of, until: now + action.lagReads.forMs, world: structuredClone(world) })
      }
    },
    hideMade: (faults, effects) => {
      const ids = effects.map((effect) => effect.slice(effect.lastIndexOf(' ') + 1))
      for (const { action } of faults)
        if ('listOmit' in action) hidden.push({ ids, left: action.listOmit.forCalls })
    },
    worldFor: (path, world, now) =>
      lags.find((lag) => lag.until > now && matches({ method: '*', path: lag.of }, 'GET', path))?.world ??
      world,
    distorts: (faults) => faults.length > 0 || hidden.some((entry) => entry.left > 0),
    distort: (faults, rows, seq, seed) => {
      hidden = hidden.filter((entry) => entry.left > 0)
      let shown = rows
      for (const entry of hidden) {
        const kept = shown.filter((row) => !isOneOf(row, entry.ids))
        if (kept.length < shown.length) entry.left -= 1
        shown = kept
      }
      return faults.reduce((list, fault) => distortOnce(fault, list, seq, seed), shown)
    },
    clear: () => {
      lags = []
      hidden = []
    },
  }
}

function distortOnce({ action }: ArmedFault, rows: unknown[], seq: number, seed: number): unknown[] {
  if ('listOmit' in action) return rows.slice(0, -1)
  if ('repeat' in action) return [...rows, ...rows.slice(0, 1)]
  if (!('shuffle' in action)) return rows
  return rows
    .map((row, index) => ({ row, place: fraction(seed, `shuffle/${seq}/${index}`) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row)
}

const idFields = ['uuid', 'address', 'name', 'accessKey', 'id']

function isOneOf(row: unknown, ids: readonly string[]): boolean {
  return isObject(row) && idFields.some((field) => field in row && ids.includes(String(row[field])))
}
