/** What the tests of the kube layer share: a tiny kind of their own, connections, and waiting for a condition. */
import { inject } from 'vitest'
import { systemClock } from '../../../src/loop/clock.ts'
import { loadCredentials } from '../../../src/kube/credentials.ts'
import type { KubeObject, ResourceType } from '../../../src/kube/object.ts'
import { createKubeClient, type KubeClient } from '../../../src/kube/requests.ts'
import { createKubeTransport, type KubeTransport } from '../../../src/kube/transport.ts'
import type { Resource } from '../../../src/api/object.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts'

export type Widget = Resource<{ readonly size?: number; readonly owner?: string }, { readonly seen?: number }>

export interface Connection {
  readonly transport: KubeTransport
  readonly client: KubeClient
  readonly metrics: Metrics
}

export function connect(kubeconfig: string): Connection {
  const metrics = createMetrics()
  const common = { credentials: loadCredentials({ kubeconfig }), clock: systemClock, log: silentLog, metrics }
  const transport = createKubeTransport(common)
  return { transport, client: createKubeClient({ ...common, transport }), metrics }
}

export function connectAdmin(): Connection {
  return connect(inject('controlPlane').adminKubeconfig)
}

/** A free name for this test alone. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${systemClock.randomHex(4)}`
}

export async function createNamespace({ transport }: Connection): Promise<string> {
  const name = uniqueName('kube')
  await post(transport, '/api/v1/namespaces', { metadata: { name } })
  return name
}

/** A resource type of a group of its own; `install` creates its CRD and waits until it is served. */
export function widgetType(): ResourceType {
  return { group: `${uniqueName('kube')}.example.com`, version: 'v1', plural: 'widgets', kind: 'Widget' }
}

export async function install({ transport, client }: Connection, type: ResourceType): Promise<void> {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const spec = { type: 'object', properties: { size: { type: 'integer' }, owner: { type: 'string' } } }
  const status = { type: 'object', properties: { seen: { type: 'integer', maximum: 1_000 } } }
  await post(transport, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${type.plural}.${type.group}` },
    spec: {
      group: type.group,
      scope: 'Namespaced',
      names: { plural: type.plural, kind: type.kind, singular: 'widget', listKind: 'WidgetList' },
      versions: [
        {
          name: type.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { ...open, properties: { spec, status } } },
        },
      ],
    },
  })
  await eventually(async () => {
    for await (const page of client.list(type)) return page.items.length === 0
    return false
  })
}

export async function createWidget(
  { transport }: Connection,
  type: ResourceType,
  namespace: string,
  name: string,
  more: { readonly spec?: Widget['spec']; readonly metadata?: object } = {},
): Promise<Widget> {
  const raw = await post(
    transport,
    `/apis/${type.group}/${type.version}/namespaces/${namespace}/${type.plural}`,
    {
      apiVersion: `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { name, ...more.metadata },
      spec: more.spec ?? {},
    },
  )
  return raw as Widget
}

/** A merge patch of the main resource by someone else than the operator. */
export async function edit({ transport }: Connection, type: ResourceType, object: KubeObject, patch: object) {
  return (await transport.send({
    method: 'PATCH',
    path: pathOf(type, object),
    contentType: 'application/merge-patch+json',
    body: patch,
    verb: 'patch',
    resource: type.plural,
  })) as Widget
}

export async function remove(
  { transport }: Connection,
  type: ResourceType,
  object: KubeObject,
): Promise<void> {
  await transport.send({
    method: 'DELETE',
    path: pathOf(type, object),
    verb: 'delete',
    resource: type.plural,
  })
}

function pathOf(type: ResourceType, { metadata }: KubeObject): string {
  const within = metadata.namespace === '' ? '' : `/namespaces/${metadata.namespace}`
  return `/apis/${type.group}/${type.version}${within}/${type.plural}/${metadata.name}`
}

export function post(transport: KubeTransport, path: string, body: object): Promise<unknown> {
  return transport.send({ method: 'POST', path, body, verb: 'create', resource: 'test' })
}

/** Resolves once `condition` holds; it may throw until then. Fails with its last error after `limitMs`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  limitMs = 30_000,
  pauseMs = 20,
): Promise<void> {
  const until = systemClock.monotonic() + limitMs
  let last: unknown
  while (systemClock.monotonic() < until) {
    try {
      if (await condition()) return
      last = undefined
    } catch (error) {
      last = error
    }
    await systemClock.sleep(pauseMs)
  }
  throw new Error(`still not so after ${limitMs} ms: ${condition.toString()}`, { cause: last })
}
