/** The shipped manifests on a real API server: the whole installation and the examples. */
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { KINDS } from '../../src/api/group.ts'
import { installOperator } from './install.ts'
import { type Kubectl, freshNamespace, kubectlAs, succeeded } from './kubectl.ts'

const root = join(import.meta.dirname, '../..')
const plane = inject('controlPlane')
let kubectl: Kubectl

beforeAll(async () => {
  await installOperator(plane)
  const namespace = await freshNamespace(plane, 'deploy')
  kubectl = kubectlAs(plane, 'admin', namespace.name)
  return namespace.cleanUp
})

const TEAM = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } })
const dryRun = ['--server-side', '--force-conflicts', '--dry-run=server']

test('the installation is accepted, and its pods pass the restricted profile without a warning', async () => {
  const system = kubectlAs(plane, 'admin', 'cloud-operator-system')
  const { code, stdout, stderr } = await system(['apply', ...dryRun, '--kustomize', join(root, 'deploy')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('deployment.apps/cloud-operator serverside-applied')
  expect(stdout.match(/customresourcedefinition/g)).toHaveLength(KINDS.length)
})

test('the installation for one namespace is accepted as well', async () => {
  // It is of two namespaces.
  const admin = kubectlAs(plane, 'admin', '')
  succeeded(await admin(['apply', '--filename=-'], TEAM))
  const args = ['apply', ...dryRun, '--kustomize', join(root, 'deploy/namespaced')]
  const { code, stdout, stderr } = await admin(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('role.rbac.authorization.k8s.io/cloud-operator-watched serverside-applied')
  expect(stdout).not.toContain('clusterrole.rbac.authorization.k8s.io/cloud-operator serverside-applied')
})

test('a pod that the profile forbids would have been told', async () => {
  const system = kubectlAs(plane, 'admin', 'cloud-operator-system')
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'root' },
    spec: { containers: [{ name: 'root', image: 'root' }] },
  }
  const { stderr } = await system(['create', '--dry-run=server', '--filename=-'], JSON.stringify(pod))
  expect(stderr).toContain('violates PodSecurity "restricted:latest"')
})

test('every example is accepted', async () => {
  const examples = join(root, 'deploy/examples')
  const each = await kubectl(['apply', ...dryRun, '--filename', examples])
  expect(each.stderr).toBe('')
  expect(succeeded(each).trim().split('\n')).toHaveLength(KINDS.length)
  const together = await kubectl(['apply', ...dryRun, '--kustomize', join(examples, 'web-server')])
  expect(together.stderr).toBe('')
  expect(succeeded(together).trim().split('\n')).toHaveLength(8)
})
