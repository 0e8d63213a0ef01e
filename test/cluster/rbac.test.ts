/** The shipped roles on a real API server: what the operator and a tenant may do, and what not. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { kindSchemas } from '../../src/api/kinds.ts'
import { installOperator } from './install.ts'
import { freshNamespace, kubectlAs, succeeded } from './kubectl.ts'
import type { Who } from './kubectl.ts'

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

/** `verb resource [--flag …]` as kubectl auth can-i takes it. */
async function can(who: Who, question: string, where = namespace.name): Promise<boolean> {
  const answer = await kubectlAs(plane, who, where)(['auth', 'can-i', '--quiet', ...question.split(' ')])
  return answer.code === 0
}

const plurals = Object.values(kindSchemas).map(({ plural }) => `${plural}.cloud-operator.dev`)
const each = (verbs: string, subresource = '') =>
  plurals.flatMap((plural) => verbs.split(' ').map((verb) => `${verb} ${plural}${subresource}`))
const status = ' --subresource=status'

describe('the operator', () => {
  test.each([...each('get list watch patch'), ...each('get update', status)])('may %s', async (question) => {
    expect(await can('operator', question)).toBe(true)
  })

  test.each([
    'get secrets',
    'create events.events.k8s.io',
    'patch events.events.k8s.io',
    'get namespaces/kube-system',
    ...plurals.map((plural) => `get crds/${plural}`),
  ])('may %s', async (question) => {
    expect(await can('operator', question)).toBe(true)
  })

  test.each([
    ...each('create update delete deletecollection'),
    ...each('patch', status),
    ...['list', 'watch', 'update', 'delete', 'create', 'patch'].map((verb) => `${verb} secrets`),
    'list namespaces',
    'get namespaces/default',
    'list crds',
    'get crds/things.example.com',
    'create pods',
    'get configmaps',
    'get leases.coordination.k8s.io/cloud-operator',
    'create leases.coordination.k8s.io',
  ])('may not %s', async (question) => {
    expect(await can('operator', question)).toBe(false)
  })

  test.each(['get', 'update'])('may %s its own lease, in its own namespace', async (verb) => {
    expect(await can('operator', `${verb} leases.coordination.k8s.io/cloud-operator`, system)).toBe(true)
    expect(await can('operator', `${verb} leases.coordination.k8s.io/another`, system)).toBe(false)
  })
})

describe('a tenant with view and edit', () => {
  const tenants = plurals.filter((plural) => !plural.startsWith('cloudaccounts'))

  test.each(
    tenants.flatMap((plural) => ['get', 'create', 'update', 'patch', 'delete'].map((v) => `${v} ${plural}`)),
  )('may %s', async (question) => {
    expect(await can('tenant', question)).toBe(true)
  })

  test('sees the account and may not touch it', async () => {
    expect(await can('tenant', 'get cloudaccounts.cloud-operator.dev')).toBe(true)
    for (const verb of ['create', 'update', 'patch', 'delete']) {
      expect(await can('tenant', `${verb} cloudaccounts.cloud-operator.dev`)).toBe(false)
    }
  })

  test.each(each('update patch', status))('may not %s', async (question) => {
    expect(await can('tenant', question)).toBe(false)
  })
})

test('no role has a wildcard', async () => {
  const admin = kubectlAs(plane, 'admin', system)
  const selector = '--selector=app.kubernetes.io/name=cloud-operator'
  const roles = JSON.parse(
    succeeded(await admin(['get', 'clusterroles,roles', '--all-namespaces', selector, '-o', 'json'])),
  ) as { items: { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] }[] }
  expect(roles.items).toHaveLength(4)
  for (const { apiGroups, resources, verbs } of roles.items.flatMap(({ rules }) => rules)) {
    expect([...apiGroups, ...resources, ...verbs].join()).not.toContain('*')
  }
})
