/** How much faster than in the in-process rig everything goes here: the same plans, with their times divided. */

/** Settling takes 60 s in a plan and 2 s here: longer than anything takes on its way, also on a busy machine. */
const SPEED = 30

/** Milliseconds here for milliseconds of a plan. */
export const realMs = (planMs: number): number => Math.max(1, Math.round(planMs / SPEED))

/** The service takes a tenth of its true times in the in-process rig. */
export const TIMING = { scale: 0.1 / SPEED }

/** The operator's --durations. An intent lives longer than its share: a pass takes its time on a busy machine. */
export const DURATIONS = {
  pollMs: 50,
  pollMaxMs: 500,
  intentMs: 3_000,
  notSentMs: 100,
  refusedMs: 6_000,
  quotaMs: 2_000,
  // Such a read can teach the account something about the service, which it writes down: not in a short rest.
  exactMs: 600_000,
  secretWaitMs: 1_000,
  ownWriteMs: 2_000,
  accountMs: 20_000,
  eventCountMs: 200,
  accountScale: 1 / SPEED,
}

/** Lease, renewal limit and retry: longer than their share too, and pauses of a leader with them. */
export const LEASE_MS = [4_000, 3_000, 400] as const
const LEASE_SPEED = 15_000 / LEASE_MS[0]
export const pauseMs = (planMs: number): number => planMs / LEASE_SPEED

/** Nobody waits longer for an answer that never comes: something on the way gives the connection up. */
export const HANG_MS = 3_000

/** An API server that cannot be reached cannot be reached for so long. */
export const OUTAGE_MS = 1_000
