/** The simulated service of a run: carries requests out, keeps the history's facts of each, and shows reads awry. */
import type { WireRequest } from '../../../src/cloud/wire.ts'
import type { Clock } from '../../../src/loop/clock.ts'
import type { Call } from '../../../src/simulator/calls.ts'
import type { SimulatorControl } from '../../../src/simulator/control.ts'
import type { Served } from '../../../src/simulator/http/serve.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { Profile } from '../../../src/simulator/state/model.ts'
import type { CallEntry } from '../history.ts'
import type { Timing } from '../../../src/simulator/timing.ts'
import type { ReadTrouble } from '../plan.ts'

export type ServiceRequest = Pick<WireRequest, 'method' | 'path' | 'headers' | 'body'>

export interface CloudService {
  readonly control: SimulatorControl
  readonly location: string
  /** Asks the service and fills the entry in; never rejects. */
  carryOut(request: ServiceRequest, entry: CallEntry): Promise<Served>
  /** What the next read of this path shows. */
  distort(trouble: ReadTrouble, entry: CallEntry): void
  /** Data tokens lost since the last call of this. */
  newlyLost(): readonly string[]
}

export interface CloudServiceOptions {
  readonly profile: Profile
  readonly seed: number
  readonly clock: Clock
  /** Milliseconds since the start of the run. */
  readonly now: () => number
  /** Absent: a tenth of the real times. */
  readonly timing?: Timing
}

/** A tenth of the real times: a machine takes 3.3 s to make. */
const TIMING = { scale: 0.1 }

export function createCloudService(options: CloudServiceOptions): CloudService {
  const { now, ...settings } = options
  const simulator = createSimulator({ timing: TIMING, ...settings })
  const { control, location } = simulator
  const open = new Map<number, CallEntry>()
  let asked = 0
  let lostSoFar = 0
  let violatedSoFar = 0

  function newlyLost(): readonly string[] {
    const { lostDataTokens } = control.counters()
    const fresh = lostDataTokens.slice(lostSoFar)
    lostSoFar = lostDataTokens.length
    return fresh
  }

  simulator.listen((call: Call) => {
    const entry = open.get(call.seq)
    if (entry === undefined) return
    open.delete(call.seq)
    entry.path = call.path
    entry.query = call.query
    entry.body = call.body
    entry.doneAt = now()
    if (typeof call.status === 'number') entry.status = call.status
    if (call.effect !== undefined) entry.effect = call.effect
    if (!entry.mutation) return
    entry.lost = newlyLost()
    const { preconditionsViolated } = control.counters()
    entry.violated = preconditionsViolated - violatedSoFar
    violatedSoFar = preconditionsViolated
  })

  return {
    control,
    location,
    carryOut: (request, entry) => {
      asked += 1
      open.set(asked, entry)
      entry.arrivedAt = now()
      return simulator.serve({
        method: request.method,
        target: request.path,
        headers: request.headers,
        ...(request.body !== undefined && { body: request.body }),
      })
    },
    distort: (trouble, entry) => {
      const { method, path } = entry
      const on = { method, path, point: 'before' as const }
      if (typeof trouble === 'object') {
        const lagReads = { forMs: trouble.lagMs, ...(trouble.everything && { of: '*' }) }
        control.addFault({ ...on, action: { lagReads } })
      } else if (trouble === 'shuffle') control.addFault({ ...on, action: { shuffle: true } })
      else if (trouble === 'repeat') control.addFault({ ...on, action: { repeat: true } })
      else control.addFault({ ...on, action: { listOmit: { forCalls: 1 } } })
    },
    newlyLost,
  }
}
