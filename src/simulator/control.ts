/** How a test looks into the simulator and turns it, in code; the admin port offers the same over HTTP. */
import type { Clock } from '../loop/clock.ts'
import type { Call, CallQuery } from './calls.ts'
import { applyChange, type Change, type ChangeResult } from './changes.ts'
import type { Fault } from './faults.ts'
import type { HoldWish, Release } from './holds.ts'
import type { Service, Tally } from './http/exchange.ts'
import { inventoryOf, type Inventory } from './inventory.ts'
import { createAccount, type NewAccount } from './state/accounts.ts'
import type { Quota } from './state/model.ts'
import type { Rules } from './state/rules.ts'
import { dumpWorld, loadWorld } from './state/world.ts'
import { checkAccount, checkChange, checkFault, checkHold, checkQuotaWish, checkRule } from './wishes.ts'

export interface NewAccountResult {
  apiKey: string
  userId: number
  billingAccount: number
}

export interface Counters extends Tally {
  /** Names of disk and bucket contents that are gone: `disk/<uuid>/<n>`, `bucket/<name>/<n>`. */
  lostDataTokens: string[]
  /** Two changes in flight at once on one resource, each as 'METHOD path: id'. */
  overlaps: string[]
}

export interface QuotaWish extends Quota {
  /** Absent: every account there is. */
  apiKey?: string
}

export interface SimulatorControl {
  createAccount(wish?: NewAccount): NewAccountResult
  /** Returns the fault's id. */
  addFault(fault: Fault): string
  /** Takes all faults away, and what lagging or omitting ones left behind. */
  clearFaults(): void
  calls(query?: CallQuery): Call[]
  /** Everything alive, of one account or of all; sorted, plain, without secrets. */
  inventory(apiKey?: string): Inventory
  counters(): Counters
  setRule<Name extends keyof Rules>(rule: Name, value: Rules[Name]): void
  setQuota(wish: QuotaWish): void
  /** Changes something behind the operator's back, as a person in the console would. */
  mutate(change: Change): ChangeResult
  dump(): string
  load(state: string): void
  hold(wish: HoldWish): { id: string }
  /** Whether a request has reached the hold. */
  held(id: string): boolean
  /** Rejects after the time. */
  waitHeld(id: string, timeoutMs: number): Promise<void>
  release(id: string, how?: Release): void
}

export function createControl(service: Service, clock: Clock): SimulatorControl {
  return {
    createAccount: (wish = {}) => {
      checkAccount(service.world, wish)
      const { account, token } = createAccount(service.world, wish, clock.now())
      return { apiKey: token.secret, userId: account.userId, billingAccount: account.billingAccounts[0] ?? 0 }
    },
    addFault: (fault) => {
      checkFault(fault)
      return service.faults.add(fault)
    },
    clearFaults: () => {
      service.faults.clear()
      service.readFaults.clear()
    },
    calls: (query) => service.log.list(query),
    inventory: (apiKey) => inventoryOf(service.world, apiKey),
    counters: () => ({
      preconditionsViolated: service.tally.preconditionsViolated,
      mutations: { ...service.tally.mutations },
      calls: { ...service.tally.calls },
      lostDataTokens: [...service.world.lostDataTokens],
      overlaps: service.overlaps.seen(),
    }),
    setRule: (rule, value) => {
      checkRule(rule, value)
      service.world.rules[rule] = value
    },
    setQuota: (wish) => {
      checkQuotaWish(service.world, wish)
      const { apiKey, ...quota } = wish
      const { accounts, tokens, secrets } = service.world
      const only = apiKey === undefined ? undefined : tokens.get(secrets.get(apiKey) ?? -1)?.userId
      for (const account of accounts.values())
        if (apiKey === undefined || account.userId === only) account.quota = { ...account.quota, ...quota }
    },
    mutate: (change) => {
      checkChange(change)
      return applyChange(service.world, change, clock.now())
    },
    dump: () => dumpWorld(service.world),
    load: (state) => {
      service.world = loadWorld(state)
      service.readFaults.clear()
    },
    hold: (wish) => {
      checkHold(wish)
      return service.holds.hold(wish)
    },
    held: (id) => service.holds.held(id),
    waitHeld: (id, timeoutMs) => service.holds.waitHeld(id, timeoutMs),
    release: (id, how = 'answer') => service.holds.release(id, how),
  }
}
