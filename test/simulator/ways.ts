/** The two ways to tell a simulator something: in code, and over the admin port. */
import { createAdminClient, type AdminClient } from '../../src/simulator/admin-client.ts'
import type { SimulatorControl } from '../../src/simulator/control.ts'
import type { Api } from './kit.ts'

export type Told = Omit<AdminClient, 'events' | 'held' | 'waitHeld' | 'release'>

export const ways: readonly [string, (api: Api) => Told][] = [
  ['in code', ({ simulator }) => inCode(simulator.control)],
  ['over the admin port', ({ simulator }) => createAdminClient(simulator.adminUrl)],
]

function inCode(control: SimulatorControl): Told {
  return {
    createAccount: (wish) => later(() => control.createAccount(wish)),
    addFault: (fault) => later(() => control.addFault(fault)),
    clearFaults: () => later(() => control.clearFaults()),
    calls: (query) => later(() => control.calls(query)),
    inventory: (apiKey) => later(() => control.inventory(apiKey)),
    counters: () => later(() => control.counters()),
    setRule: (rule, value) => later(() => control.setRule(rule, value)),
    setQuota: (wish) => later(() => control.setQuota(wish)),
    mutate: (change) => later(() => control.mutate(change)),
    dump: () => later(() => control.dump()),
    load: (state) => later(() => control.load(state)),
    hold: (wish) => later(() => control.hold(wish)),
  }
}

/** What throws becomes a promise that rejects. */
function later<T>(run: () => T): Promise<T> {
  return Promise.resolve().then(run)
}
