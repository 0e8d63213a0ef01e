/** The simulator without any socket: requests in, outcomes out. For rigs that run everything in one process. */
import { systemClock, type Clock } from '../loop/clock.ts'
import { createCallLog, type Call } from './calls.ts'
import { createControl, type SimulatorControl } from './control.ts'
import { createFaults } from './faults.ts'
import { createHolds } from './holds.ts'
import { exchange, type Service } from './http/exchange.ts'
import { serve, type Served, type ServeRequest } from './http/serve.ts'
import { createReadFaults } from './lists.ts'
import { createOverlaps } from './overlaps.ts'
import { routes } from './routes/routes.ts'
import { defaultLocation } from './state/locations.ts'
import type { Profile } from './state/model.ts'
import { newWorld } from './state/world.ts'
import { stoppable } from './stoppable.ts'
import type { Timing } from './timing.ts'

export interface SimulatorSettings {
  /** 'extended' when absent. */
  profile?: Profile
  /** 'instant' when absent. */
  timing?: Timing
  /** The same seed, clock and calls give the same ids and times; 1 when absent. */
  seed?: number
  clock?: Clock
  /** Key of the first account; drawn from the seed when absent. */
  apiKey?: string
}

export interface Simulator {
  /** Carries one request through, with every fault and hold; the promise never rejects. */
  serve: (request: ServeRequest) => Promise<Served>
  control: SimulatorControl
  /** Calls back with every finished call; returns the function that ends it. */
  listen(listener: (call: Call) => void): () => void
  apiKey: string
  location: string
  /** Ends every wait: operations under way are done at once, nothing comes later. */
  stop(): void
}

export function createSimulator(settings: SimulatorSettings = {}): Simulator {
  const { clock, stop } = stoppable(settings.clock ?? systemClock)
  const log = createCallLog(clock)
  const service: Service = {
    world: newWorld(settings.profile ?? 'extended', settings.seed ?? 1),
    clock,
    timing: settings.timing ?? 'instant',
    routes,
    log,
    faults: createFaults(),
    holds: createHolds(clock),
    readFaults: createReadFaults(),
    overlaps: createOverlaps(),
    tally: { preconditionsViolated: 0, mutations: {}, calls: {} },
  }
  const control = createControl(service, clock)
  const { apiKey } = control.createAccount(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey })
  return {
    serve: (request) => serve((raw) => exchange(service, raw), request),
    control,
    listen: (listener) => log.listen(listener),
    apiKey,
    location: defaultLocation,
    stop,
  }
}
