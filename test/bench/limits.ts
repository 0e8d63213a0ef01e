/** What the simulator may take, at most: `npm run bench:simulator` fails when one is broken. */
export const limits = {
  /** The list of 10,000 VMs, from request to last byte, the best of ten. */
  listOf10000VmsMs: 300,
  /** Resident memory of a simulator that was asked for 50,000 objects one by one. */
  rssOf50000ObjectsMiB: 200,
  /** The slowest of 200 creates that are in flight at once in real time; one alone takes 33 s. */
  slowestOf200CreatesMs: 36_000,
  /** A list while those are in flight: another tenth to half a second is the service's own pace. */
  listMeanwhileMs: 1000,
} as const
