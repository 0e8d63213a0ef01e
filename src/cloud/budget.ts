/**
 * The request budget of one client: a slot per call in flight and a rate, shared by three lanes.
 *
 * Each lane keeps a reserve of the slots that the others cannot take, so a slow create never holds the slot that a quick
 * change needs. Rate and slots are dealt by stride: of ten, changes get nine before a waiting read gets one.
 */
import type { Clock } from '../loop/clock.ts'
import type { Lane } from './request.ts'

export interface Limits {
  readonly requestsPerSecond: number
  readonly maxInFlight: number
}

export interface Slot {
  release(): void
}

export interface Budget {
  /** Resolves when the call may go; the slot is held until released. Rejects only with BudgetClosed. */
  acquire(lane: Lane): Promise<Slot>
  /** No call of this lane starts for so long; an earlier, longer pause stays. */
  pause(lane: Lane, forMs: number): void
  /** Rejects all that wait and all that come. */
  close(): void
}

/** The client is closing. */
export class BudgetClosed extends Error {
  override readonly name = 'BudgetClosed'
}

interface Waiter {
  readonly grant: (slot: Slot) => void
  readonly reject: (error: BudgetClosed) => void
}

interface LaneState {
  readonly lane: Lane
  readonly stride: number
  readonly reserve: number
  readonly waiting: Waiter[]
  inFlight: number
  /** Stride scheduling: the lane that is furthest behind goes first, by its share. */
  position: number
  pausedUntil: number
}

/** Shares of a lane under contention: of 13 requests 9 changes, 3 slow changes, 1 read. */
const shares = { change: 9, slow: 3, poll: 1 } as const

/** Everything runs on the clock: rate and pauses are exact under a manual one. */
export function createBudget(clock: Clock, limits: Limits): Budget {
  const max = Math.max(1, Math.floor(limits.maxInFlight))
  const perMs = Math.max(limits.requestsPerSecond, 0.001) / 1000
  const burst = Math.max(1, limits.requestsPerSecond)
  const reserve = max < 3 ? 0 : Math.max(1, Math.floor(max / 10))
  const lanes: readonly LaneState[] = (['change', 'slow', 'poll'] as const).map((lane) => ({
    lane,
    stride: 1 / shares[lane],
    reserve,
    waiting: [],
    inFlight: 0,
    position: 0,
    pausedUntil: 0,
  }))
  let tokens = burst
  let filledAt = clock.monotonic()
  let position = 0
  let closed = false
  let cancelTimer: (() => void) | undefined

  function refill(now: number): void {
    tokens = Math.min(burst, tokens + (now - filledAt) * perMs)
    filledAt = now
  }

  function hasRoom(state: LaneState): boolean {
    const kept = lanes
      .filter((other) => other !== state)
      .map((other) => Math.max(other.inFlight, other.reserve))
      .reduce((sum, slots) => sum + slots, 0)
    return state.inFlight + kept < max
  }

  /** A lane that could not go for a while (idle, paused, full) has saved up one turn at most. */
  function place(state: LaneState): number {
    return Math.max(state.position, position - state.stride)
  }

  function nextLane(now: number): LaneState | undefined {
    return lanes
      .filter((state) => state.waiting.length > 0 && state.pausedUntil <= now && hasRoom(state))
      .reduce<LaneState | undefined>(
        (best, state) => (best === undefined || place(state) < place(best) ? state : best),
        undefined,
      )
  }

  function slotOf(state: LaneState): Slot {
    let held = true
    return {
      release: () => {
        if (!held) return
        held = false
        state.inFlight -= 1
        pump()
      },
    }
  }

  function pump(): void {
    cancelTimer?.()
    cancelTimer = undefined
    const now = clock.monotonic()
    refill(now)
    for (let state = nextLane(now); state !== undefined && tokens >= 1; state = nextLane(now)) {
      tokens -= 1
      state.inFlight += 1
      position = Math.max(position, place(state))
      state.position = place(state) + state.stride
      state.waiting.shift()?.grant(slotOf(state))
    }
    const wakeMs = wakeAfter(now)
    if (wakeMs !== undefined) cancelTimer = clock.after(wakeMs, pump)
  }

  /** Milliseconds until the rate or the end of a pause lets somebody go; undefined when only a release can. */
  function wakeAfter(now: number): number | undefined {
    const paused = lanes
      .filter((state) => state.waiting.length > 0 && state.pausedUntil > now)
      .map((state) => state.pausedUntil - now)
    if (nextLane(now) !== undefined) paused.push((1 - tokens) / perMs)
    return paused.length === 0 ? undefined : Math.max(1, Math.ceil(Math.min(...paused)))
  }

  const stateOf = (lane: Lane) => lanes.find((state) => state.lane === lane)

  return {
    acquire: (lane) =>
      new Promise((grant, reject) => {
        const state = stateOf(lane)
        if (closed || state === undefined) {
          reject(new BudgetClosed('the client is closed'))
          return
        }
        // A lane that was idle starts level with the others: it has saved nothing up.
        if (state.waiting.length === 0) state.position = Math.max(state.position, position)
        state.waiting.push({ grant, reject })
        pump()
      }),
    pause: (lane, forMs) => {
      const state = stateOf(lane)
      if (state === undefined) return
      state.pausedUntil = Math.max(state.pausedUntil, clock.monotonic() + forMs)
      pump()
    },
    close: () => {
      closed = true
      cancelTimer?.()
      cancelTimer = undefined
      for (const waiter of lanes.flatMap((state) => state.waiting.splice(0))) {
        waiter.reject(new BudgetClosed('the client is closed'))
      }
    },
  }
}
