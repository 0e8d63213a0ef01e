/** The account of the stories of this process. */
import { SETTLE_MS, SYNC_MS } from './durations.ts'
import { ENDPOINT, type World } from './world.ts'

/** The spec of the CloudAccount that every story has. */
export function accountSpecOf({ billingAccount }: World): Readonly<Record<string, unknown>> {
  return {
    tokenSecretRef: { name: 'cloud-token', key: 'apikey' },
    endpoint: ENDPOINT,
    billingAccount,
    syncIntervalSeconds: SYNC_MS / 1_000,
    settleSeconds: SETTLE_MS / 1_000,
    limits: { requestsPerSecond: 1_000 },
  }
}
