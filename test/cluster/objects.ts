/** The objects of one namespace as the API server has them, and every status that is ever written there. */
import { KINDS, type Kind } from '../../src/api/group.ts'
import { loadCredentials } from '../../src/kube/credentials.ts'
import { startReflector } from '../../src/kube/reflector.ts'
import { createKubeClient } from '../../src/kube/requests.ts'
import { Store } from '../../src/kube/store.ts'
import { createKubeTransport } from '../../src/kube/transport.ts'
import { systemClock } from '../../src/loop/clock.ts'
import { resourceType } from '../../src/reconcile/resource.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { brokenRules, type StatusBearer } from '../support/status-rules.ts'
import type { AnyObject } from './story.ts'

export interface WatchedObjects {
  /** Read from the API server now. */
  get(kind: Kind, name: string): Promise<AnyObject | undefined>
  /** Every status there was, as JSON. */
  statuses(): readonly string[]
  /** The rules that a status broke. */
  stop(): Promise<readonly string[]>
}

export function watchObjects(kubeconfig: string, namespace: string): WatchedObjects {
  const clock = systemClock
  const credentials = loadCredentials({ kubeconfig, clock })
  const transport = createKubeTransport({ credentials, clock, log: silentLog })
  const client = createKubeClient({ credentials, clock, log: silentLog, transport })
  const abort = new AbortController()
  const broken = new Set<string>()
  const statuses = new Set<string>()
  const reflectors = KINDS.map((kind) => {
    const store = new Store()
    store.subscribe(({ object }) => {
      statuses.add(JSON.stringify((object as StatusBearer).status ?? {}))
      for (const rule of brokenRules(object as StatusBearer)) {
        broken.add(
          `${kind} ${object.metadata.name}: ${rule}: ${JSON.stringify((object as StatusBearer).status?.conditions)}`,
        )
      }
    })
    return startReflector({
      client,
      transport,
      type: resourceType(kind),
      store,
      namespace,
      clock,
      log: silentLog,
      signal: abort.signal,
    })
  })
  return {
    get: async (kind, name) =>
      (await client.get(resourceType(kind), namespace, name)) as unknown as AnyObject | undefined,
    statuses: () => [...statuses],
    stop: async () => {
      abort.abort()
      await Promise.all(reflectors.map((each) => each.stopped))
      await client.close()
      return [...broken]
    },
  }
}
