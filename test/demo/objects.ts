/** The custom resources of the demo's namespace as the API server sends them, by the operator's own watch code. */
import { KINDS, type Kind } from '../../src/api/group.ts'
import type { Specs, Statuses } from '../../src/api/kinds.ts'
import type { Resource } from '../../src/api/object.ts'
import type { Condition, Operation } from '../../src/api/shared.ts'
import { loadCredentials } from '../../src/kube/credentials.ts'
import { startReflector } from '../../src/kube/reflector.ts'
import { createKubeClient } from '../../src/kube/requests.ts'
import { Store } from '../../src/kube/store.ts'
import { createKubeTransport } from '../../src/kube/transport.ts'
import { systemClock } from '../../src/loop/clock.ts'
import { resourceType } from '../../src/reconcile/resource.ts'
import { silentLog } from '../../src/telemetry/log.ts'

export type ObjectOf<K extends Kind> = Resource<Specs[K], Statuses[K]>
export type AnyObject = Resource<
  unknown,
  {
    readonly observedGeneration?: number
    readonly id?: string
    readonly conditions?: readonly Condition[]
    readonly operation?: Operation
  }
>

export interface Objects {
  /** In the order of the kinds, then by name. */
  list(): AnyObject[]
  get<K extends Kind>(kind: K, name: string): ObjectOf<K> | undefined
  /** Calls back on every change until the returned function is called. */
  subscribe(listener: () => void): () => void
  stop(): Promise<void>
}

export function watchObjects(kubeconfig: string, namespace: string): Objects {
  const credentials = loadCredentials({ kubeconfig, clock: systemClock })
  const common = { clock: systemClock, log: silentLog }
  const transport = createKubeTransport({ credentials, ...common })
  const client = createKubeClient({ credentials, transport, ...common })
  const abort = new AbortController()
  const stores = new Map(KINDS.map((kind) => [kind, new Store<AnyObject>()]))
  const reflectors = [...stores].map(([kind, store]) =>
    startReflector({
      ...{ client, transport, store, namespace, ...common },
      type: resourceType(kind),
      signal: abort.signal,
    }),
  )
  return {
    list: () => [...stores.values()].flatMap((store) => [...store.list()].sort(byName)),
    get: <K extends Kind>(kind: K, name: string) =>
      stores.get(kind)?.get(`${namespace}/${name}`) as ObjectOf<K> | undefined,
    subscribe: (listener) => {
      const ends = [...stores.values()].map((store) => store.subscribe(listener))
      return () => ends.forEach((end) => end())
    },
    stop: async () => {
      abort.abort()
      await Promise.all(reflectors.map((each) => each.stopped))
      await client.close()
    },
  }
}

export function conditionOf(object: AnyObject, type: Condition['type']): Condition | undefined {
  return object.status?.conditions?.find((each) => each.type === type)
}

/** Whether what the object says of itself is about its present spec, and all is well. */
export function isSettled(object: AnyObject | undefined): boolean {
  return (
    object?.status?.observedGeneration === object?.metadata.generation &&
    object !== undefined &&
    conditionOf(object, 'Ready')?.status === 'True' &&
    conditionOf(object, 'Synced')?.status === 'True'
  )
}

export function nameOf({ kind, metadata }: Pick<AnyObject, 'kind' | 'metadata'>): string {
  return `${kind}/${metadata.name}`
}

function byName(a: AnyObject, b: AnyObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1
}
