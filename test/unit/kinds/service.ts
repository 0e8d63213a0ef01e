/** Kinds against the simulated service, without the pipeline: plan, act, read, until the plan is done. */
import type { CloudAccount } from '../../../src/api/account.ts'
import { createConnections, sessionFor } from '../../../src/kinds/account/act.ts'
import { readAccount } from '../../../src/kinds/account/seen.ts'
import { systemClock } from '../../../src/loop/clock.ts'
import type {
  CallContext,
  CloudResource,
  KindDefinition,
  Memory,
  Patch,
  ReadContext,
  Seen,
} from '../../../src/reconcile/kind.ts'
import { markerOf } from '../../../src/reconcile/marker.ts'
import { needed } from '../../../src/reconcile/needed.ts'
import type { StepBase } from '../../../src/reconcile/plan.ts'
import type { Session } from '../../../src/reconcile/session.ts'
import { startSimulator, type RunningSimulator } from '../../../src/simulator/server.ts'
import { createLog } from '../../../src/telemetry/log.ts'

export const marker = markerOf('cluster', 'uid')

export interface Service {
  readonly simulator: RunningSimulator
  readonly session: Session
  readonly location: string
  readonly apiKey: string
  stop(): Promise<void>
}

/** A simulated service with one user, and a session for it. */
export async function startService(profile: 'extended' | 'documented'): Promise<Service> {
  const simulator = await startSimulator({ profile })
  const { apiKey, billingAccount } = simulator.control.createAccount()
  const account: CloudAccount = {
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: {
      name: 'default',
      namespace: 'shop',
      uid: 'account',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      tokenSecretRef: { name: 'token', key: 'apikey' },
      endpoint: simulator.url,
      billingAccount,
      limits: { requestsPerSecond: 1_000 },
    },
  }
  const log = createLog({ level: 'silent' })
  const connections = createConnections({ clock: systemClock, scale: 1, observeCall: () => undefined, log })
  const connection = connections.open(account, simulator.url, apiKey)
  const session = sessionFor(account, connection, await readAccount(connection.client), 1)
  return {
    simulator,
    session,
    location: simulator.location,
    apiKey,
    stop: async () => {
      await connections.closeAll()
      await simulator.stop()
    },
  }
}

/** Reads begun from now on. */
export function reading<Status>(service: Service, status?: Status): ReadContext<Status> {
  const { session, location } = service
  return { session, location, status, freshness: { startedAfter: systemClock.monotonic() } }
}

function calling<Status>(service: Service, status: Status | undefined): CallContext<Status> {
  const { session, location } = service
  const send = { operationID: systemClock.randomHex(4), beforeDispatch: () => undefined }
  return { session, location, marker, send, status, secretValue: () => undefined, isOwned: () => false }
}

const STEPS_MAX = 20

export interface Start<R, Want, S, Status> {
  /** Absent: it is to be deleted. */
  readonly want?: Want
  readonly seen?: S | undefined
  readonly status?: Status
  readonly object?: R
}

export interface Walked<S, Status> {
  readonly seen: S | undefined
  readonly status: Status
  readonly did: readonly string[]
}

/**
 * Carries out `planned` step by step, with an exact read after each, and checks that what each step was to bring about is
 * seen. `gone`: the last step deleted it.
 */
export async function walk<
  R extends CloudResource,
  Want,
  S extends Seen,
  Step extends StepBase,
  Status extends object,
>(
  service: Service,
  kind: KindDefinition<R, Want, S, Step, Status>,
  from: NoInfer<Start<R, Want, S, Status>>,
): Promise<Walked<S, Status>> {
  let { seen } = from
  let status = from.status ?? ({} as Status)
  const did: string[] = []
  const memory = (): Memory<Status> => ({ status, appliedBefore: false })
  for (let count = 0; count < STEPS_MAX; count++) {
    const plan = from.want
      ? kind.plan(from.want, seen, memory())
      : kind.planGone(needed(seen), memory(), needed(from.object))
    const [step] = plan.steps
    if (step === undefined) return { seen, status, did }
    did.push(step.do)
    const facts = kind.facts(step, seen)
    const operation = { id: 'op', verb: step.do, issuedAt: '', details: { ...facts.details } }
    const answer = await kind.act(calling(service, status), step, from.want, seen)
    const id = needed(answer ?? seen).id
    status = applied(status, { id } as unknown as Patch<Status>)
    if (answer) status = applied(status, kind.report(answer, memory(), from.want))
    const read = await kind.reads.exact(reading(service, status), id)
    if (facts.nature === 'destroy') return { seen: read, status, did }
    seen = needed(read)
    if (!kind.effect(operation, seen)) throw new Error(`${step.do} shows no effect`)
    status = applied(status, kind.report(seen, memory(), from.want))
  }
  throw new Error(`no end after ${did.join(', ')}`)
}

function applied<Status extends object>(status: Status, patch: Patch<Status>): Status {
  const fields = Object.entries({ ...status, ...patch }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields) as Status
}
