/** The requests the operator makes, typed. Writes carry uid and resourceVersion, so none lands on another object. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { KubeCredentials } from './credentials.ts'
import { isKubeError, KubeError } from './errors.ts'
import { listPages, type ListOptions, type ListPage } from './list.ts'
import { apiVersion, type KubeObject, type ResourceType, type Secret, type SecretWish } from './object.ts'
import { objectPath } from './paths.ts'
import { isRecord, project } from './project.ts'
import { createKubeTransport, type KubeTransport } from './transport.ts'

/** The body of an events.k8s.io/v1 Event; see events.ts. */
export type EventBody = Readonly<Record<string, unknown>>

/** Every method rejects with a KubeError. Nothing is repeated by itself. */
export interface KubeClient {
  /** Uncached. Undefined only when the server says that this very object does not exist. Empty namespace: cluster-scoped. */
  get<T extends KubeObject>(type: ResourceType, namespace: string, name: string): Promise<T | undefined>
  /** Pages with a yield between them; a 410 on a later page restarts the list once. */
  list<T extends KubeObject>(type: ResourceType, o?: ListOptions): AsyncIterable<ListPage<T>>
  /**
   * PUT of the whole status, with the uid and resourceVersion of `object`. Returns the object as it now is; a `conflict` also when
   * it landed on the state of a restored server, as does `setFinalizers`.
   */
  putStatus<T extends KubeObject>(type: ResourceType, object: T, status: unknown): Promise<T>
  /** Merge patch of the full list, with the uid and resourceVersion of `object`; another uid is a `conflict`. */
  setFinalizers<T extends KubeObject>(
    type: ResourceType,
    object: T,
    finalizers: readonly string[],
  ): Promise<T>
  getSecret(namespace: string, name: string): Promise<Secret | undefined>
  /** Its texts; binary data is left out. */
  getConfigMap(namespace: string, name: string): Promise<Secret | undefined>
  /** POST without, PUT with a resourceVersion; a Secret that exists or changed meanwhile is a `conflict`. */
  writeSecret(wish: SecretWish): Promise<void>
  /** POST of an events.k8s.io/v1 Event. */
  createEvent(namespace: string, event: EventBody): Promise<void>
  /** Merge patch of an Event (its series). */
  patchEvent(namespace: string, name: string, patch: EventBody): Promise<void>
  getNamespaceUID(name: string): Promise<string | undefined>
  close(): Promise<void>
}

interface CommonOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
}

/** `transport` is shared with reflectors and lease; without it the client makes its own. `close` closes it either way. */
export type KubeClientOptions =
  | (CommonOptions & { readonly transport: KubeTransport })
  | (CommonOptions & { readonly credentials: KubeCredentials })

const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace' }
const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const EVENTS: ResourceType = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event' }

/** Shown in managedFields. */
const FIELD_MANAGER = 'cloud-operator'
const MERGE_PATCH = 'application/merge-patch+json'

export function createKubeClient(o: KubeClientOptions): KubeClient {
  const transport = 'transport' in o ? o.transport : createKubeTransport(o)
  const { send } = transport

  async function getRaw(type: ResourceType, namespace: string, name: string): Promise<unknown> {
    try {
      const path = objectPath(type, namespace, name)
      return await send({ method: 'GET', path, verb: 'get', resource: type.plural })
    } catch (error) {
      // A missing resource or route is a 404 too; taking it for the object's absence would lose it.
      if (isKubeError(error, 'notFound') && error.reason === 'NotFound' && error.about === name)
        return undefined
      throw error
    }
  }

  return {
    get: async <T extends KubeObject>(type: ResourceType, namespace: string, name: string) => {
      const raw = await getRaw(type, namespace, name)
      return raw === undefined ? undefined : (project(type, raw) as T)
    },

    list: (type, options = {}) => listPages(send, o.clock, type, options),

    putStatus: async <T extends KubeObject>(type: ResourceType, object: T, status: unknown) => {
      const { name, namespace, uid, resourceVersion } = object.metadata
      const raw = await send({
        method: 'PUT',
        path: `${objectPath(type, namespace, name)}/status`,
        query: { fieldManager: FIELD_MANAGER },
        body: {
          apiVersion: apiVersion(type),
          kind: type.kind,
          metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion },
          status,
        },
        verb: 'update',
        resource: `${type.plural}/status`,
      })
      return ofOneHistory(object, project(type, raw) as T, 'status')
    },

    setFinalizers: async <T extends KubeObject>(
      type: ResourceType,
      object: T,
      finalizers: readonly string[],
    ) => {
      const { name, namespace, uid, resourceVersion } = object.metadata
      const raw = await send({
        method: 'PATCH',
        path: objectPath(type, namespace, name),
        query: { fieldManager: FIELD_MANAGER },
        contentType: MERGE_PATCH,
        body: { metadata: { uid, resourceVersion, finalizers } },
        verb: 'patch',
        resource: type.plural,
      })
      return ofOneHistory(object, project(type, raw) as T, 'finalizers')
    },

    getSecret: async (namespace, name) => {
      const raw = await getRaw(SECRETS, namespace, name)
      return raw === undefined ? undefined : readTexts(SECRETS, raw, decoded)
    },

    getConfigMap: async (namespace, name) => {
      const raw = await getRaw(CONFIG_MAPS, namespace, name)
      return raw === undefined ? undefined : readTexts(CONFIG_MAPS, raw, (text) => text)
    },

    writeSecret: async ({ metadata, data }) => {
      const exists = metadata.resourceVersion !== undefined
      await send({
        method: exists ? 'PUT' : 'POST',
        path: objectPath(SECRETS, metadata.namespace, exists ? metadata.name : undefined),
        query: { fieldManager: FIELD_MANAGER },
        body: { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: encoded(data) },
        verb: exists ? 'update' : 'create',
        resource: SECRETS.plural,
      })
    },

    createEvent: async (namespace, event) => {
      const path = objectPath(EVENTS, namespace)
      await send({ method: 'POST', path, body: event, verb: 'create', resource: 'events' })
    },

    patchEvent: async (namespace, name, patch) => {
      await send({
        method: 'PATCH',
        path: objectPath(EVENTS, namespace, name),
        contentType: MERGE_PATCH,
        body: patch,
        verb: 'patch',
        resource: 'events',
      })
    },

    getNamespaceUID: async (name) => {
      const raw = await getRaw(NAMESPACES, '', name)
      return raw === undefined ? undefined : project(NAMESPACES, raw).metadata.uid
    },

    close: () => transport.close(),
  }
}

/**
 * A restored server gives its versions out once more, so that a write can land on another state than the one it was made from. It
 * shows in what the write does not change. Throws a `conflict`.
 */
function ofOneHistory<T extends KubeObject>(before: T, answer: T, writes: 'status' | 'finalizers'): T {
  if (isDeepStrictEqual(unwritten(before, writes), unwritten(answer, writes))) return answer
  const { namespace, name } = before.metadata
  throw new KubeError(
    'conflict',
    `${before.kind} ${namespace}/${name}: the API server was restored to another state than the one this was written for; it is read again`,
  )
}

function unwritten({ metadata, spec, status }: KubeObject, writes: 'status' | 'finalizers'): unknown {
  const { annotations = {}, deletionTimestamp, finalizers = [], generation } = metadata
  const other = writes === 'status' ? finalizers : status
  return { annotations, deletionTimestamp, generation, spec, other }
}

/** Of a Secret or a ConfigMap; `read` turns a value as it was sent into its text. */
function readTexts(type: ResourceType, raw: unknown, read: (value: string) => string): Secret {
  const { metadata } = project(type, raw)
  const sent = isRecord(raw) && isRecord(raw['data']) ? raw['data'] : {}
  const data: Record<string, string> = {}
  for (const [key, value] of Object.entries(sent)) {
    if (typeof value === 'string') data[key] = read(value)
  }
  return { metadata, data }
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

function encoded(data: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(data)
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
}
