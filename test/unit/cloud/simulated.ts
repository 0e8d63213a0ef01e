/** A simulated service of one profile, with a client of a fresh account, for the length of a `describe`. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { CloudClient } from '../../../src/cloud/client.ts'
import type { CloudErrorClass } from '../../../src/cloud/errors.ts'
import { listNetworks } from '../../../src/cloud/networks.ts'
import type { NewVm } from '../../../src/cloud/vms.ts'
import { startSimulator } from '../../../src/simulator/server.ts'
import type { RunningSimulator } from '../../../src/simulator/server.ts'
import { testClient } from './recorder.ts'

export const profiles = ['extended', 'documented'] as const

export interface Simulated {
  readonly simulator: RunningSimulator
  readonly client: CloudClient
  readonly at: string
  readonly billingAccount: number
  /** Where networks and load balancers live: by location in the extended profile only. */
  readonly scope: string | undefined
  /** The account's default network. */
  readonly network: string
}

/** Call it inside a `describe`; the answer is good inside its tests. */
export function simulated(profile: (typeof profiles)[number]): () => Simulated {
  let rig: Simulated | undefined
  beforeAll(async () => {
    const simulator = await startSimulator({ profile })
    const { apiKey, billingAccount } = simulator.control.createAccount()
    const client = testClient(simulator.url, { apiKey })
    const at = simulator.location
    const scope = profile === 'extended' ? at : undefined
    const networks = await listNetworks(client, scope)
    const network = networks.find((row) => row.isDefault === true)?.uuid ?? ''
    rig = { simulator, client, at, billingAccount, scope, network }
  })
  afterAll(async () => {
    await rig?.client.close()
    await rig?.simulator.stop()
  })
  return () => {
    if (rig === undefined) throw new Error('the simulator has not started')
    return rig
  }
}

/** A VM that can be made, with what a test wants otherwise. */
export function newVm({ network, billingAccount }: Simulated, more: Partial<NewVm> = {}): NewVm {
  return {
    name: 'web 1',
    networkUUID: network,
    reservePublicIP: false,
    vcpus: 1,
    memoryMiB: 1024,
    osName: 'ubuntu',
    osVersion: '24.04',
    bootDiskGiB: 20,
    username: 'ops',
    password: 'Passw0rd-99',
    description: 'web k8s-mark',
    billingAccount,
    ...more,
  }
}

/** What to match an error of a call that was sent with. */
export function failed(cloudClass: CloudErrorClass, more: object = {}): object {
  return { class: cloudClass, sent: true, ...more }
}

/** What an exact read shows after the delete: a tombstone where the service keeps them, else absent. */
export async function expectGone(read: Promise<{ readonly deleted?: boolean }>): Promise<void> {
  const seen = await read.then(
    (record) => record.deleted,
    (error: unknown) => error,
  )
  if (seen === true) return
  expect(seen).toMatchObject(failed('absent'))
}
