/**
 * One sequence of requests, for the model and for a real API server: both must answer the same. What differs by nature
 * (uids, versions, times, words) is taken out; how versions and generations move is kept.
 */
import { API_VERSION, FINALIZER } from '../../../src/api/group.ts'
import { kindSchemas } from '../../../src/api/kinds.ts'
import { isKubeError } from '../../../src/kube/errors.ts'
import type { KubeRequest, KubeTransport } from '../../../src/kube/transport.ts'
import { isObject } from './objects.ts'

/** A step and what came of it. */
export type Answered = readonly [step: string, outcome: unknown]

const { plural } = kindSchemas.CloudDisk
const MERGE = 'application/merge-patch+json'

type Ask = Pick<KubeRequest, 'method' | 'path'> & Partial<Pick<KubeRequest, 'body' | 'query' | 'contentType'>>
type Body = Readonly<Record<string, unknown>>

/** Needs a namespace with nothing of ours in it. */
export async function conformance(transport: KubeTransport, namespace: string): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  const root = `/apis/${API_VERSION}/namespaces/${namespace}/${plural}`
  const core = `/api/v1/namespaces/${namespace}`
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`

  const send = ({ method, ...rest }: Ask): Promise<unknown> =>
    transport.send({ method, ...rest, verb: method.toLowerCase(), resource: 'conformance' })
  const step = async (name: string, ask: Ask): Promise<Body> => {
    try {
      const body = await send(ask)
      answers.push([name, shown(body)])
      return isObject(body) ? body : {}
    } catch (error) {
      if (!isKubeError(error)) throw error
      const { class: kind, status, reason, about, causes } = error
      const fields = kind === 'invalid' ? [...new Set(causes?.map((each) => each.field))] : undefined
      answers.push([name, { kind, status, reason, about, fields }])
      return {}
    }
  }
  const get = (name: string) => send({ method: 'GET', path: `${root}/${name}` }) as Promise<Body>
  const disk = (name: string, spec: Body, metadata: Body = {}) => ({
    apiVersion: API_VERSION,
    kind: 'CloudDisk',
    metadata: { name, ...metadata },
    spec,
  })
  const create = (body: Body): Ask => ({ method: 'POST', path: root, body })
  const patch = (name: string, body: Body): Ask => ({
    method: 'PATCH',
    path: `${root}/${name}`,
    body,
    contentType: MERGE,
  })
  const putStatus = (name: string, metadata: Body, status: Body): Ask => ({
    method: 'PUT',
    path: `${root}/${name}/status`,
    body: { apiVersion: API_VERSION, kind: 'CloudDisk', metadata: { name, ...metadata }, status },
  })
  const same = (name: string, before: Body, after: Body): void =>
    void answers.push([
      name,
      { kept: metaOf(before)['resourceVersion'] === metaOf(after)['resourceVersion'] },
    ])

  await step('get what is not there', { method: 'GET', path: `${root}/data` })
  await step('get of an unknown resource', {
    method: 'GET',
    path: `/apis/${API_VERSION}/namespaces/${namespace}/gadgets/x`,
  })
  const made = await step('create', create(disk('data', { sizeGiB: 10 })))
  await step('create again', create(disk('data', { sizeGiB: 10 })))
  await step('create with a spec that breaks the schema', create(disk('zero', { sizeGiB: 0 })))

  const { uid, resourceVersion } = metaOf(made)
  const status = { observedGeneration: 1, id: 'd-1', sizeGiB: 10 }
  const written = await step('put status', putStatus('data', { uid, resourceVersion }, status))
  const current = metaOf(written)['resourceVersion']
  same('put status changes the version', made, written)
  same(
    'put the same status',
    written,
    await step('same', putStatus('data', { uid, resourceVersion: current }, status)),
  )
  await step('put status with a stale version', putStatus('data', { uid, resourceVersion }, status))
  await step('put status without a version', putStatus('data', { uid }, status))
  const other = '11111111-1111-4111-8111-111111111111'
  await step('put status of another uid', putStatus('data', { uid: other, resourceVersion: current }, status))
  await step('put status of nobody', putStatus('nobody', { uid, resourceVersion: current }, status))

  const listed = await step('list', { method: 'GET', path: root, query: { limit: 500 } })
  const events = watching(transport, root, String(metaOf(listed)['resourceVersion']))
  const held = { metadata: { uid, resourceVersion: current, finalizers: [FINALIZER] } }
  await step('put a finalizer on', patch('data', held))
  await step('finalizer with a stale version', patch('data', held))
  await step('finalizer of another uid', patch('data', { metadata: { uid: other, finalizers: [] } }))
  const before = await get('data')
  same('patch that changes nothing', before, await step('nothing', patch('data', { spec: { sizeGiB: 10 } })))
  await step('edit the spec', patch('data', { spec: { sizeGiB: 20 } }))
  await step('annotate', patch('data', { metadata: { annotations: { note: 'x' } } }))
  await step('patch of the status is ignored', patch('data', { status: { id: 'd-2' } }))
  await step('edit a frozen field', patch('data', { spec: { location: 'elsewhere' } }))
  await step('shrink', patch('data', { spec: { sizeGiB: 5 } }))
  await step('shrink to what exists', patch('data', { spec: { sizeGiB: 10 } }))
  await step(
    'wipe the status',
    putStatus('data', { uid, resourceVersion: metaOf(await get('data'))['resourceVersion'] }, {}),
  )

  await step('create another', create(disk('logs', { sizeGiB: 1 })))
  const first = await step('first page', { method: 'GET', path: root, query: { limit: 1 } })
  const position = metaOf(first)['continue']
  await step('second page', { method: 'GET', path: root, query: { limit: 1, continue: String(position) } })
  const far = { resourceVersion: '999999999999', resourceVersionMatch: 'NotOlderThan' }
  await step('list from the future', { method: 'GET', path: root, query: { limit: 500, ...far } })

  await step('delete what nothing holds', { method: 'DELETE', path: `${root}/logs` })
  await step('delete what is held', { method: 'DELETE', path: `${root}/data` })
  await step('delete it again', { method: 'DELETE', path: `${root}/data` })
  await step(
    'another finalizer while leaving',
    patch('data', { metadata: { finalizers: [FINALIZER, 'x.dev/y'] } }),
  )
  const leaving = metaOf(await get('data'))['resourceVersion']
  await step(
    'put status while leaving',
    putStatus('data', { uid, resourceVersion: leaving }, { observedGeneration: 4 }),
  )
  await step('take the finalizer off', patch('data', { metadata: { finalizers: [] } }))
  await step('get what is gone', { method: 'GET', path: `${root}/data` })
  answers.push(['what a watch showed', await events.until('DELETED', 'data')])

  const secret = { metadata: { name: 'token' }, data: { key: 'dmFsdWU=' } }
  await step('create a secret', { method: 'POST', path: `${core}/secrets`, body: secret })
  await step('get a secret', { method: 'GET', path: `${core}/secrets/token` })
  const lease = { metadata: { name: 'lead' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }
  const taken = await step('create a lease', { method: 'POST', path: leases, body: lease })
  const renew = (holderIdentity: string): Ask => ({
    method: 'PUT',
    path: `${leases}/lead`,
    body: {
      metadata: {
        name: 'lead',
        uid: metaOf(taken)['uid'],
        resourceVersion: metaOf(taken)['resourceVersion'],
      },
      spec: { holderIdentity, leaseDurationSeconds: 15 },
    },
  })
  await step('take a lease', renew('b'))
  await step('take a lease that was taken', renew('c'))
  await step('get a namespace', { method: 'GET', path: '/api/v1/namespaces/kube-system' })
  return answers
}

/** Follows a list; `until` ends with the events up to the first of a type about a name. */
function watching(transport: KubeTransport, path: string, resourceVersion: string) {
  const stop = new AbortController()
  const stream = transport.watch({
    path,
    query: { watch: true, resourceVersion, timeoutSeconds: 300 },
    resource: 'conformance',
    signal: stop.signal,
  })
  return {
    until: async (type: string, name: string): Promise<unknown> => {
      const seen: unknown[] = []
      let rest = ''
      for await (const chunk of await stream) {
        const lines = `${rest}${Buffer.from(chunk).toString('utf8')}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const event = JSON.parse(line) as { readonly type: string; readonly object: Body }
          seen.push([event.type, shown(event.object)])
          if (event.type === type && metaOf(event.object)['name'] === name) {
            stop.abort()
            return seen
          }
        }
      }
      return seen
    },
  }
}

function metaOf(body: Body): Body {
  return isObject(body['metadata']) ? body['metadata'] : {}
}

/** Chosen by the server as it likes. */
const DRAWN = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'continue',
  'selfLink',
])
const LEFT_OUT = new Set(['managedFields', 'namespace'])

/** Without what differs by nature: of drawn values only whether they are there. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown)
  if (!isObject(value)) return value
  // What else is in a namespace object, or in labels that the server adds, is not of interest.
  if (value['kind'] === 'Namespace') return { kind: 'Namespace', name: metaOf(value)['name'] }
  const fields = Object.entries(value).filter(([field]) => !LEFT_OUT.has(field))
  return Object.fromEntries(
    fields
      .map(([field, part]) => [field, DRAWN.has(field) ? part !== '' : shown(part)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
