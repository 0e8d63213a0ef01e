import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isKubeError, type KubeError } from '../../../src/kube/errors.ts'
import type { ResourceType } from '../../../src/kube/object.ts'
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
  uniqueName,
  widgetType,
  type Widget,
} from './cluster.ts'

const admin = connectAdmin()
const type = widgetType()
let namespace = ''

beforeAll(async () => {
  await install(admin, type)
  namespace = await createNamespace(admin)
})
afterAll(() => admin.client.close())

async function failure(promise: Promise<unknown>): Promise<KubeError> {
  try {
    await promise
  } catch (error) {
    if (isKubeError(error)) return error
    throw error
  }
  throw new Error('it succeeded')
}

const widget = (more: Parameters<typeof createWidget>[4] = {}) =>
  createWidget(admin, type, namespace, uniqueName('w'), more)

describe('get', () => {
  test('gives the object frozen, without managedFields and the last-applied annotation', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":1}', mine: 'kept' }
    const created = await widget({ spec: { size: 3 }, metadata: { annotations } })
    const got = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    expect(got).toMatchObject({ kind: 'Widget', spec: { size: 3 }, metadata: { uid: created.metadata.uid } })
    expect(got?.metadata.annotations).toEqual({ mine: 'kept' })
    expect(got?.metadata).not.toHaveProperty('managedFields')
    expect(Object.isFrozen(got?.spec)).toBe(true)
    expect(Object.isFrozen(got?.metadata.annotations)).toBe(true)
  })

  test('is undefined when the object does not exist', async () => {
    expect(await admin.client.get(type, namespace, 'nobody')).toBeUndefined()
    expect(await admin.client.get(type, 'no-such-namespace', 'nobody')).toBeUndefined()
  })

  test('is an error, not absence, when the resource itself does not exist', async () => {
    const unknown: ResourceType = { ...type, plural: 'gadgets', kind: 'Gadget' }
    expect(await failure(admin.client.get(unknown, namespace, 'nobody'))).toMatchObject({
      class: 'notFound',
      status: 404,
    })
    const noGroup: ResourceType = { ...type, group: 'nobody.example.com' }
    expect(await failure(admin.client.get(noGroup, namespace, 'nobody'))).toMatchObject({ class: 'notFound' })
  })

  test('a cluster-scoped object has an empty namespace', async () => {
    const crds = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
    }
    const crd = await admin.client.get(crds, '', `${type.plural}.${type.group}`)
    expect(crd?.metadata).toMatchObject({ namespace: '', name: `${type.plural}.${type.group}` })
  })

  test('forbidden and unauthorized are told apart', async () => {
    const tenant = connect(inject('controlPlane').tenantKubeconfig)
    expect(await failure(tenant.client.get(type, namespace, 'x'))).toMatchObject({
      class: 'forbidden',
      status: 403,
    })
    await tenant.client.close()
  })
})

describe('list', () => {
  test('1,200 objects come in pages of 500, each of the same version, with turns for others in between', async () => {
    const own = await createNamespace(admin)
    const names = Array.from({ length: 1_200 }, (_, n) => `w${n}`)
    await Promise.all(names.map((name) => createWidget(admin, type, own, name)))
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) setImmediate(count)
    }
    setImmediate(count)
    const pages: { size: number; first: boolean; version: string }[] = []
    const listed = new Set<string>()
    for await (const page of admin.client.list<Widget>(type, { namespace: own })) {
      pages.push({ size: page.items.length, first: page.first, version: page.resourceVersion })
      for (const item of page.items) listed.add(item.metadata.name)
    }
    counting = false
    expect(pages.map(({ size }) => size)).toEqual([500, 500, 200])
    expect(pages.map(({ first }) => first)).toEqual([true, false, false])
    expect(new Set(pages.map(({ version }) => version)).size).toBe(1)
    expect(listed).toEqual(new Set(names))
    expect(turns).toBeGreaterThan(10)
  })

  test('a version that is above the server’s is tooLarge', async () => {
    const list = async () => {
      for await (const page of admin.client.list(type, { notOlderThan: '999999999999' }))
        expect(page).toBeUndefined()
    }
    expect(await failure(list())).toMatchObject({ class: 'tooLarge', status: 504 })
  })

  test('a version that is not above it is served', async () => {
    const created = await widget()
    const versions: string[] = []
    const { resourceVersion } = created.metadata
    for await (const page of admin.client.list(type, { notOlderThan: resourceVersion }))
      versions.push(page.resourceVersion)
    expect(Number(versions[0])).toBeGreaterThanOrEqual(Number(resourceVersion))
  })
})

describe('putStatus', () => {
  test('replaces the whole status and keeps spec, labels and finalizers', async () => {
    const finalizers = ['example.com/hold']
    const created = await widget({ spec: { size: 1 }, metadata: { finalizers, labels: { a: 'b' } } })
    const first = await admin.client.putStatus<Widget>(type, created, { seen: 1 })
    expect(first).toMatchObject({
      spec: { size: 1 },
      status: { seen: 1 },
      metadata: { finalizers, labels: { a: 'b' } },
    })
    const second = await admin.client.putStatus<Widget>(type, first, {})
    expect(second.status).toEqual({})
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion))
    expect(second.metadata.generation).toBe(created.metadata.generation)
  })

  test('an older resourceVersion is a conflict', async () => {
    const created = await widget()
    await admin.client.putStatus(type, created, { seen: 1 })
    expect(await failure(admin.client.putStatus(type, created, { seen: 2 }))).toMatchObject({
      class: 'conflict',
      status: 409,
      reason: 'Conflict',
    })
  })

  test('a re-created object of the same name is a conflict and is not written', async () => {
    const created = await widget()
    await remove(admin, type, created)
    const again = await createWidget(admin, type, namespace, created.metadata.name)
    const withOldUid = { ...again, metadata: { ...again.metadata, uid: created.metadata.uid } }
    expect(await failure(admin.client.putStatus(type, withOldUid, { seen: 1 }))).toMatchObject({
      class: 'conflict',
    })
    const now = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    expect(now?.status).toBeUndefined()
  })

  test('a deleted object is notFound', async () => {
    const created = await widget()
    await remove(admin, type, created)
    expect(await failure(admin.client.putStatus(type, created, { seen: 1 }))).toMatchObject({
      class: 'notFound',
      about: created.metadata.name,
    })
  })

  test('a status against the schema is invalid, with the field named', async () => {
    const created = await widget()
    const error = await failure(admin.client.putStatus(type, created, { seen: 5_000 }))
    expect(error).toMatchObject({ class: 'invalid', status: 422 })
    expect(error.causes?.map((cause) => cause.field)).toContain('status.seen')
  })
})

describe('setFinalizers', () => {
  test('adds, and removes the last one from a deleting object, which then goes', async () => {
    const created = await widget()
    const held = await admin.client.setFinalizers(type, created, ['example.com/hold'])
    expect(held.metadata.finalizers).toEqual(['example.com/hold'])
    await remove(admin, type, held)
    const deleting = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    expect(deleting?.metadata.deletionTimestamp).toBeDefined()
    if (deleting === undefined) return
    await admin.client.setFinalizers(type, deleting, [])
    expect(await admin.client.get(type, namespace, created.metadata.name)).toBeUndefined()
  })

  test('adding one to a deleting object is invalid', async () => {
    const created = await widget({ metadata: { finalizers: ['example.com/other'] } })
    await remove(admin, type, created)
    const deleting = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    if (deleting === undefined) throw new Error('it is gone')
    const adding = admin.client.setFinalizers(type, deleting, ['example.com/other', 'example.com/hold'])
    expect(await failure(adding)).toMatchObject({ class: 'invalid', status: 422 })
  })

  test('an older version, or another uid, is a conflict', async () => {
    const created = await widget()
    await edit(admin, type, created, { spec: { size: 9 } })
    expect(await failure(admin.client.setFinalizers(type, created, ['example.com/hold']))).toMatchObject({
      class: 'conflict',
    })
    const now = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    if (now === undefined) throw new Error('it is gone')
    const other = { ...now, metadata: { ...now.metadata, uid: '00000000-0000-0000-0000-000000000000' } }
    expect(await failure(admin.client.setFinalizers(type, other, ['example.com/hold']))).toMatchObject({
      class: 'conflict',
    })
  })

  test('a finalizer of someone else that came in between is not lost', async () => {
    const created = await widget()
    await edit(admin, type, created, { metadata: { finalizers: ['example.com/other'] } })
    expect(await failure(admin.client.setFinalizers(type, created, ['example.com/hold']))).toMatchObject({
      class: 'conflict',
    })
    const now = await admin.client.get<Widget>(type, namespace, created.metadata.name)
    expect(now?.metadata.finalizers).toEqual(['example.com/other'])
  })
})

test('a Secret comes with its values decoded; a missing one is undefined', async () => {
  await post(admin.transport, `/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: 'token' },
    data: { token: Buffer.from('näh "x"\n').toString('base64'), empty: '' },
  })
  const secret = await admin.client.getSecret(namespace, 'token')
  expect(secret?.data).toEqual({ token: 'näh "x"\n', empty: '' })
  expect(secret?.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
  expect(await admin.client.getSecret(namespace, 'other')).toBeUndefined()
})

test('the UID of kube-system identifies the cluster', async () => {
  await eventually(async () => (await admin.client.getNamespaceUID('kube-system')) !== undefined)
  expect(await admin.client.getNamespaceUID('kube-system')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await admin.client.getNamespaceUID('no-such-namespace')).toBeUndefined()
})

test('requests are counted by verb, resource and outcome, without names', async () => {
  const own = connectAdmin()
  const created = await createWidget(own, type, namespace, uniqueName('counted'))
  await own.client.putStatus(type, created, { seen: 1 })
  await failure(own.client.putStatus(type, created, { seen: 2 }))
  const text = await own.metrics.text()
  expect(text).toContain('kube_requests_total{verb="update",resource="widgets/status",outcome="ok"} 1')
  expect(text).toContain('kube_requests_total{verb="update",resource="widgets/status",outcome="conflict"} 1')
  expect(text).not.toContain(created.metadata.name)
  await own.client.close()
})
