/** A session with a simulated account, as kinds use one: their reads and calls go over HTTP to a service of the test's own. */
import { createCloudClient } from '../../src/cloud/client.ts'
import { Inventory } from '../../src/cloud/inventory.ts'
import { listPools } from '../../src/cloud/pools.ts'
import { systemClock } from '../../src/loop/clock.ts'
import type { CallContext, ReadContext } from '../../src/reconcile/kind.ts'
import { markerOf, type Marker } from '../../src/reconcile/marker.ts'
import type { Session } from '../../src/reconcile/session.ts'
import { startSimulator, type RunningSimulator, type SimulatorOptions } from '../../src/simulator/server.ts'

export interface SimulatedAccount {
  readonly service: RunningSimulator
  readonly session: Session
  readonly location: string
  readonly marker: Marker
  /** Reads begun from now on. */
  reading<Status>(status?: Status): ReadContext<Status>
  calling<Status>(secrets?: Readonly<Record<string, string>>): CallContext<Status>
  stop(): Promise<void>
}

export async function simulatedAccount(options: SimulatorOptions = {}): Promise<SimulatedAccount> {
  const service = await startSimulator(options)
  const { location } = service
  const { apiKey, userId, billingAccount } = service.control.createAccount()
  const client = createCloudClient({
    endpoint: service.url,
    apiKey,
    clock: systemClock,
    limits: { requestsPerSecond: 1_000, maxInFlight: 64 },
    settleMs: 60_000,
  })
  const marker = markerOf('cluster', 'uid')
  const session: Session = {
    account: 'default/default',
    client,
    inventory: new Inventory(client, systemClock),
    endpoint: service.url,
    userID: userId,
    billingAccount,
    defaultLocation: location,
    locations: [],
    syncMs: 300_000,
    settleMs: 60_000,
    onDelete: 'Delete',
    capabilities: {},
    memory: {
      descriptions: new Map(),
      storage: new Map(),
      exactReadAt: new Map(),
      unlabelled: new Set(),
      diskDetails: new Map(),
    },
    pools: (place) => listPools(client, place),
    networkScope: () => Promise.resolve(options.profile === 'documented' ? undefined : location),
    loadBalancerScope: () => Promise.resolve(options.profile === 'documented' ? undefined : location),
  }
  let operations = 0
  return {
    service,
    session,
    location,
    marker,
    reading: (status) => ({
      session,
      location,
      freshness: { startedAfter: systemClock.monotonic() },
      status,
    }),
    calling: (secrets = {}) => ({
      session,
      location,
      marker,
      send: { operationID: `operation-${String(++operations)}`, beforeDispatch: () => undefined },
      status: undefined,
      secretValue: (field) => secrets[field],
      isOwned: () => false,
    }),
    stop: async () => {
      await client.close()
      await service.stop()
    },
  }
}
