import { afterAll, beforeAll, beforeEach, afterEach, expect, inject, test } from 'vitest'
import { systemClock } from '../../../src/loop/clock.ts'
import { objectKey } from '../../../src/kube/object.ts'
import { startReflector, type Reflector, type ReflectorOptions } from '../../../src/kube/reflector.ts'
import { Store, type Change } from '../../../src/kube/store.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import {
  connect,
  connectAdmin,
  createNamespace,
  createWidget,
  edit,
  eventually,
  install,
  post,
  remove,
  widgetType,
  type Connection,
  type Widget,
} from './cluster.ts'

const admin = connectAdmin()
const type = widgetType()
let namespace = ''
let stop: AbortController
const reflectors: Reflector[] = []

beforeAll(() => install(admin, type))
afterAll(() => admin.client.close())
beforeEach(async () => {
  stop = new AbortController()
  namespace = await createNamespace(admin)
})
afterEach(async () => {
  stop.abort()
  await Promise.all(reflectors.splice(0).map(({ stopped }) => stopped))
})

function reflect(connection: Connection, more: Partial<ReflectorOptions<Widget>> = {}) {
  const store = new Store<Widget>({
    owner: (object) => (object.spec.owner === undefined ? [] : [object.spec.owner]),
  })
  const changes: Change<Widget>[] = []
  store.subscribe((change) => changes.push(change))
  const { client, transport, metrics } = connection
  const common = {
    client,
    transport,
    metrics,
    type,
    store,
    clock: systemClock,
    log: silentLog,
    signal: stop.signal,
  }
  const reflector = startReflector({ ...common, namespace, ...more })
  reflectors.push(reflector)
  const seen = () => changes.map(({ kind, object }) => `${kind} ${object.metadata.name}`)
  return { store, changes, seen, reflector }
}

async function restarts(connection: Connection, reason: string): Promise<number> {
  const found = new RegExp(`watch_restarts_total{resource="widgets",reason="${reason}"} (\\d+)`)
  return Number(found.exec(await connection.metrics.text())?.[1] ?? 0)
}

test('what exists is listed, what happens is seen, and the problem goes', async () => {
  await createWidget(admin, type, namespace, 'a', { spec: { owner: 'x' } })
  const { store, seen, reflector } = reflect(admin)
  expect(reflector.problem()).toBe('the first list is not in yet')
  expect(store.synced).toBe(false)
  await reflector.synced
  expect(store.synced).toBe(true)
  expect(reflector.problem()).toBeUndefined()
  const b = await createWidget(admin, type, namespace, 'b', { spec: { owner: 'x' } })
  await eventually(() => store.byIndex('owner', 'x').length === 2)
  await edit(admin, type, b, { spec: { owner: 'y' } })
  await eventually(() => store.byIndex('owner', 'y').length === 1)
  expect(store.byIndex('owner', 'x').map(objectKey)).toEqual([`${namespace}/a`])
  await remove(admin, type, b)
  await eventually(() => store.get(`${namespace}/b`) === undefined)
  expect(seen()).toEqual(['added a', 'added b', 'changed b', 'deleted b'])
})

test('objects in the store are frozen and without managedFields', async () => {
  await createWidget(admin, type, namespace, 'listed')
  const { store } = reflect(admin)
  await eventually(() => store.synced)
  await createWidget(admin, type, namespace, 'watched')
  await eventually(() => store.size === 2)
  for (const object of store.list()) {
    expect(Object.isFrozen(object.spec)).toBe(true)
    expect(object.metadata).not.toHaveProperty('managedFields')
  }
})

test('an own write has been seen once the store has reached its version', async () => {
  const created = await createWidget(admin, type, namespace, 'a')
  const { store } = reflect(admin)
  await eventually(() => store.synced)
  const written = await admin.client.putStatus<Widget>(type, created, { seen: 7 })
  await eventually(() => store.atLeast(written.metadata.resourceVersion))
  expect(store.get(`${namespace}/a`)?.status).toEqual({ seen: 7 })
})

test('the other namespaces are not read', async () => {
  const other = await createNamespace(admin)
  await createWidget(admin, type, other, 'a')
  const one = reflect(admin)
  const all = reflect(admin, { namespace: '' })
  await eventually(() => one.store.synced && all.store.synced)
  expect(one.store.size).toBe(0)
  expect(all.store.get(`${other}/a`)).toBeDefined()
})

test('streams that end by themselves are resumed: each change is seen once and nothing is listed again', async () => {
  const own = connectAdmin()
  const { store, seen } = reflect(own, { durations: { watchMinMs: 1_000, watchMaxMs: 1_000 } })
  await eventually(() => store.synced)
  const expected: string[] = []
  // Changes all the time until several streams have ended.
  for (let n = 0; (await restarts(own, 'ended')) < 3; n += 1) {
    const object = await createWidget(own, type, namespace, `w${n}`)
    await edit(own, type, object, { spec: { size: n } })
    expected.push(`added w${n}`, `changed w${n}`)
  }
  await eventually(() => seen().length >= expected.length)
  expect(seen()).toEqual(expected)
  const text = await own.metrics.text()
  expect(text).toContain('kube_requests_total{verb="list",resource="widgets",outcome="ok"} 1\n')
  stop.abort()
  await own.client.close()
})

test('delete and create of the same name is a deletion and an addition', async () => {
  const first = await createWidget(admin, type, namespace, 'a')
  const { store, changes } = reflect(admin)
  await eventually(() => store.synced)
  await remove(admin, type, first)
  const second = await createWidget(admin, type, namespace, 'a')
  await eventually(() => changes.length >= 3)
  expect(changes.map(({ kind, object }) => [kind, object.metadata.uid])).toEqual([
    ['added', first.metadata.uid],
    ['deleted', first.metadata.uid],
    ['added', second.metadata.uid],
  ])
})

test('a missing CRD is named as the problem; once it is there, everything goes on', async () => {
  const later = widgetType()
  const durations = { deniedMs: 200 }
  const { store, reflector } = reflect(admin, { type: later, durations })
  await eventually(() => reflector.problem()?.includes('is the CRD installed?') === true)
  expect(store.synced).toBe(false)
  await install(admin, later)
  await createWidget(admin, later, namespace, 'a')
  await eventually(() => store.synced && store.size === 1)
  expect(reflector.problem()).toBeUndefined()
})

test('a CRD that is deleted and comes back: the old objects go, the new ones come', async () => {
  const passing = widgetType()
  await install(admin, passing)
  await createWidget(admin, passing, namespace, 'old')
  const durations = { deniedMs: 200, backoffMs: 50, backoffMaxMs: 200 }
  const { store } = reflect(admin, { type: passing, durations })
  await eventually(() => store.size === 1)
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${passing.plural}.${passing.group}`
  await admin.transport.send({ method: 'DELETE', path, verb: 'delete', resource: 'crds' })
  await eventually(() => store.size === 0)
  await eventually(() => install(admin, passing).then(() => true))
  await createWidget(admin, passing, namespace, 'new')
  await eventually(() => store.get(`${namespace}/new`) !== undefined)
  expect(store.size).toBe(1)
})

test('forbidden: it waits long, says so, counts it, and goes on once it is allowed', async () => {
  const tenant = connect(inject('controlPlane').tenantKubeconfig)
  const { store, reflector } = reflect(tenant, { durations: { deniedMs: 1_000 } })
  await eventually(() => reflector.problem()?.includes('cannot list resource') === true)
  const refusedAt = systemClock.monotonic()
  await eventually(async () => (await restarts(tenant, 'forbidden')) >= 2)
  expect(systemClock.monotonic() - refusedAt).toBeGreaterThan(400)
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  await post(admin.transport, `${rbac}/roles`, {
    metadata: { name: 'widgets' },
    rules: [{ apiGroups: [type.group], resources: ['widgets'], verbs: ['list', 'watch'] }],
  })
  await post(admin.transport, `${rbac}/rolebindings`, {
    metadata: { name: 'widgets' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'widgets' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tenant' }],
  })
  await eventually(() => store.synced)
  await createWidget(admin, type, namespace, 'a')
  await eventually(() => store.size === 1)
  expect(reflector.problem()).toBeUndefined()
  stop.abort()
  await tenant.client.close()
})
