/** Times of the rig's account, in milliseconds: short, so that a run ends in minutes of virtual time. */
export const SETTLE_MS = 60_000
export const SYNC_MS = 60_000
