/** Every duration of the pipeline in milliseconds, so that tests can scale them. Settle and sync times are the account's. */
export interface Durations {
  /** First delay while the cloud is expected to show an effect; grows with the operation's age. */
  readonly pollMs: number
  readonly pollMaxMs: number
  /** An intent older than this when its request could leave is not sent. */
  readonly intentMs: number
  /** A change without an intent that was not answered holds what it names for so long, or the settle time if that is less. */
  readonly unansweredMs: number
  /** A call that certainly did not leave is repeated after this, jittered. */
  readonly notSentMs: number
  /** A refused spec is tried again; quota sooner. */
  readonly refusedMs: number
  readonly quotaMs: number
  /** Fields that list rows lack are read exactly this often, spread. */
  readonly exactMs: number
  /** A Secret someone waits for is read this often. */
  readonly secretWaitMs: number
  /** Longest wait for the store to show our own write, then the object is read uncached. */
  readonly ownWriteMs: number
  /** User, locations, pools and the object-storage address are read again. */
  readonly accountMs: number
  /** The new count of a repeated event is written this long after it rose, with all that came in between. */
  readonly eventCountMs: number
  /** Multiplies every account's settleSeconds and syncIntervalSeconds. */
  readonly accountScale: number
}

export const DEFAULT_DURATIONS: Durations = {
  pollMs: 1_000,
  pollMaxMs: 30_000,
  intentMs: 10_000,
  // The time limit of a change: a service that still works on one has let its caller go by then.
  unansweredMs: 120_000,
  notSentMs: 2_000,
  refusedMs: 3_600_000,
  quotaMs: 600_000,
  exactMs: 3_600_000,
  secretWaitMs: 30_000,
  ownWriteMs: 5_000,
  accountMs: 3_600_000,
  eventCountMs: 60_000,
  accountScale: 1,
}
