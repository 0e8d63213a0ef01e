/** The coordination.k8s.io/v1 Lease object: reading it and writing the next one. Decides nothing. */
import { rfc3339Micro, type Clock } from '../loop/clock.ts'
import { isKubeError, KubeError } from './errors.ts'
import type { ResourceType } from './object.ts'
import { objectPath } from './paths.ts'
import { isReadable, isRecord } from './project.ts'
import type { SendKube } from './transport.ts'

export interface LeaseRecord {
  readonly uid: string
  readonly resourceVersion: string
  /** Empty when nobody holds it. */
  readonly holder: string
  readonly durationMs: number
  readonly acquireTime: string
  readonly transitions: number
}

export interface LeaseObject {
  /** Undefined when there is none yet. */
  read(): Promise<LeaseRecord | undefined>
  /** Makes `holder` the holder, or renews it. `known` is what this builds on: a `conflict` when it has changed since. */
  hold(known: LeaseRecord | undefined, holder: string, durationMs: number): Promise<LeaseRecord>
  /** Leaves the lease without a holder, so that nobody has to wait for its end. */
  clear(known: LeaseRecord): Promise<void>
}

const LEASES: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }

/** A lease is small and the next attempt near: longer waiting is of no use. */
const REQUEST_MS = 5_000

export interface LeaseObjectOptions {
  readonly send: SendKube
  readonly clock: Clock
  readonly namespace: string
  readonly name: string
  /** Ends requests in flight. */
  readonly signal?: AbortSignal
}

export function leaseObject(o: LeaseObjectOptions): LeaseObject {
  const { send, clock, namespace, name } = o
  const common = {
    resource: 'leases',
    timeoutMs: REQUEST_MS,
    ...(o.signal !== undefined && { signal: o.signal }),
  }

  function body(known: LeaseRecord | undefined, spec: Readonly<Record<string, unknown>>) {
    const guard = known === undefined ? {} : { uid: known.uid, resourceVersion: known.resourceVersion }
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace, ...guard },
      spec: { ...spec, renewTime: rfc3339Micro(clock.now()) },
    }
  }

  async function replace(known: LeaseRecord, spec: Readonly<Record<string, unknown>>): Promise<LeaseRecord> {
    const path = objectPath(LEASES, namespace, name)
    return readRecord(await send({ ...common, method: 'PUT', path, body: body(known, spec), verb: 'update' }))
  }

  return {
    read: async () => {
      try {
        const path = objectPath(LEASES, namespace, name)
        return readRecord(await send({ ...common, method: 'GET', path, verb: 'get' }))
      } catch (error) {
        if (isKubeError(error, 'notFound') && error.about === name) return undefined
        throw error
      }
    },

    hold: async (known, holder, durationMs) => {
      const renewing = known?.holder === holder
      const spec = {
        holderIdentity: holder,
        leaseDurationSeconds: Math.ceil(durationMs / 1000),
        acquireTime: renewing ? known.acquireTime : rfc3339Micro(clock.now()),
        leaseTransitions: (known?.transitions ?? 0) + (known === undefined || renewing ? 0 : 1),
      }
      if (known !== undefined) return replace(known, spec)
      const path = objectPath(LEASES, namespace)
      return readRecord(
        await send({ ...common, method: 'POST', path, body: body(known, spec), verb: 'create' }),
      )
    },

    clear: async (known) => {
      const { acquireTime, transitions } = known
      await replace(known, {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        acquireTime,
        leaseTransitions: transitions,
      })
    },
  }
}

function readRecord(raw: unknown): LeaseRecord {
  if (!isReadable(raw)) throw new KubeError('unclear', 'leases: an answer that is no lease')
  const { uid, resourceVersion } = raw.metadata
  const spec = isRecord(raw['spec']) ? raw['spec'] : {}
  const { holderIdentity, leaseDurationSeconds, acquireTime, leaseTransitions } = spec
  return {
    uid: uid as string,
    resourceVersion: resourceVersion as string,
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    durationMs: (typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 0) * 1000,
    acquireTime: typeof acquireTime === 'string' ? acquireTime : rfc3339Micro(0),
    transitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
  }
}
