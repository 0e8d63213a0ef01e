/** The shipped roles on a real API server: what the operator and a tenant may do, and what not. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { installOperator } from './install.ts'
import { freshNamespace, kubectlAs, succeeded } from './kubectl.ts'
import type { Who } from './kubectl.ts'
import { asked, expectAllowed, expectRefused, plurals, type Question } from './rights.ts'

const plane = inject('controlPlane')
const system = 'cloud-operator-system'
let namespace: Awaited<ReturnType<typeof freshNamespace>>

beforeAll(async () => {
  await installOperator(plane)
  namespace = await freshNamespace(plane, 'rbac')
  const admin = kubectlAs(plane, 'admin', namespace.name)
  for (const role of ['cloud-operator-view', 'cloud-operator-edit']) {
    succeeded(await admin(['create', 'rolebinding', role, `--clusterrole=${role}`, '--user=tenant']))
  }
  return namespace.cleanUp
})

const allowed = (who: Who, questions: readonly Question[], where = namespace.name) =>
  expectAllowed(kubectlAs(plane, who, where), where, questions)
const refused = (who: Who, questions: readonly Question[], where = namespace.name) =>
  expectRefused(kubectlAs(plane, who, where), where, questions)

const group = 'cloud-operator.dev'
const status = { subresource: 'status' }
const core = { group: '' }
const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
const leases = { group: 'coordination.k8s.io' }

describe('the operator', () => {
  test('reads our kinds everywhere, patches finalizers and updates status', () =>
    allowed('operator', [...asked('get list watch patch', plurals), ...asked('get update', plurals, status)]))

  test('neither makes nor deletes objects nor rewrites their specs', () =>
    refused('operator', [
      ...asked('create update delete deletecollection', plurals),
      ...asked('patch delete', plurals, status),
    ]))

  test('gets Secrets and ConfigMaps by name, and writes only Secrets', async () => {
    await allowed('operator', asked('get create update', ['secrets'], core))
    await refused('operator', asked('list watch patch delete deletecollection', ['secrets'], core))
    await allowed('operator', asked('get', ['configmaps'], core))
    await refused('operator', asked('list watch create update patch delete', ['configmaps'], core))
  })

  test('tells events', () =>
    allowed('operator', asked('create patch', ['events'], { group: 'events.k8s.io' })))

  test('sees of the cluster what it must', async () => {
    await allowed('operator', [
      { verb: 'get', ...core, resource: 'namespaces', name: 'kube-system' },
      ...plurals.map((plural) => ({ verb: 'get', ...crds, name: `${plural}.${group}` })),
    ])
    await refused('operator', [
      { verb: 'get', ...core, resource: 'namespaces', name: 'default' },
      { verb: 'get', ...crds, name: 'things.example.com' },
      ...asked('list watch', ['namespaces'], core),
      ...asked('list watch delete patch', ['customresourcedefinitions'], { group: crds.group }),
      ...asked('get create', ['pods'], core),
    ])
  })

  test('keeps its own lease, in its own namespace', async () => {
    await allowed('operator', [{ verb: 'create', ...leases, resource: 'leases' }], system)
    await allowed('operator', asked('get update', ['leases'], { ...leases, name: 'cloud-operator' }), system)
    await refused('operator', asked('get update', ['leases'], { ...leases, name: 'another' }), system)
    await refused('operator', asked('get create', ['leases'], { ...leases, name: 'cloud-operator' }))
  })
})

describe('a tenant with view and edit', () => {
  const held = ['cloudaccounts', 'cloudapitokens']
  const tenants = plurals.filter((plural) => !held.includes(plural))

  test('works with everything but the account and its tokens', () =>
    allowed('tenant', asked('get list watch create update patch delete', tenants)))

  test('sees the account and its tokens and does not touch them', async () => {
    await allowed('tenant', asked('get list watch', held))
    await refused('tenant', asked('create update patch delete', held))
  })

  test('writes no status', () => refused('tenant', asked('update patch', plurals, status)))

  test('is given no Secret by them', () =>
    refused('tenant', asked('get list watch create update patch delete', ['secrets'], core)))
})

test('no role has a wildcard', async () => {
  const admin = kubectlAs(plane, 'admin', system)
  const selector = '--selector=app.kubernetes.io/name=cloud-operator'
  const roles = JSON.parse(
    succeeded(await admin(['get', 'clusterroles,roles', '--all-namespaces', selector, '-o', 'json'])),
  ) as {
    items: {
      metadata: { name: string }
      rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[]
    }[]
  }
  // Those of a namespace may be there as well, installed by another test.
  expect(roles.items.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(['cloud-operator', 'cloud-operator-view', 'cloud-operator-edit']),
  )
  for (const { apiGroups, resources, verbs } of roles.items.flatMap(({ rules }) => rules)) {
    expect([...apiGroups, ...resources, ...verbs].join()).not.toContain('*')
  }
})
