/** The installation for one namespace: its rights suffice for every kind there, and reach into no other namespace. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { freshNamespace, kubectlAs, manifest, manifests, succeeded, type Kubectl } from './kubectl.ts'
import { asked, expectAllowed, expectRefused, plurals } from './rights.ts'
import { sixReady, theSix } from './story/six.ts'
import { conditionOf, startStory, type Story } from './story.ts'

interface Shipped {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly rules?: { readonly resources: readonly string[] }[]
}
interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string }[]
}

const plane = inject('controlPlane')
const folder = join(import.meta.dirname, '../../deploy/namespaced')
const group = 'cloud-operator.dev'

let story: Story
/** Where the operator lives; it watches the story's. */
let system: Awaited<ReturnType<typeof freshNamespace>>
let other: Awaited<ReturnType<typeof freshNamespace>>
let shipped: readonly Shipped[]
/** kubectl as the operator. */
let operator: Kubectl

beforeAll(async () => {
  system = await freshNamespace(plane, 'operator')
  other = await freshNamespace(plane, 'other')
  const user = `system:serviceaccount:${system.name}:cloud-operator`
  const operatorKubeconfig = join(plane.directory, `${system.name}.kubeconfig`)
  await writeFile(operatorKubeconfig, await impersonating(user))
  story = await startStory('namespaced', { withoutOperator: true, plane: { ...plane, operatorKubeconfig } })
  const admin = kubectlAs(plane, 'admin', story.namespace)
  operator = (args, input) => admin([`--as=${user}`, ...args], input)
  shipped = await rendered()
  await applyRights(shipped)
})
afterAll(async () => {
  await story.end()
  await system.cleanUp()
  await other.cleanUp()
})

async function impersonating(user: string): Promise<string> {
  const config = parse(await readFile(plane.adminKubeconfig, 'utf8')) as { users: { user: object }[] }
  const [login] = config.users
  if (login !== undefined) login.user = { ...login.user, as: user }
  return stringify(config)
}

/** What kustomize makes of the folder, for these two namespaces, with names of its own for what belongs to the cluster. */
async function rendered(): Promise<Shipped[]> {
  const text = succeeded(await kubectlAs(plane, 'admin', system.name)(['kustomize', folder]))
    .replaceAll('cloud-operator-system', system.name)
    .replaceAll('team-a', story.namespace)
    .replaceAll('cloud-operator-namespaced', `cloud-operator-${system.name}`)
  return parseAllDocuments(text).map((each) => each.toJS() as Shipped)
}

const RIGHTS = ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']

/** Those of the operator alone: what tenants may is in the cluster already. */
async function applyRights(objects: readonly Shipped[]): Promise<void> {
  const rights = objects
    .filter(({ kind, metadata }) => RIGHTS.includes(kind) && !/-(view|edit)$/.test(metadata.name))
    .map((each) => JSON.stringify(each))
  expect(rights).toHaveLength(7)
  // They are of two namespaces.
  const admin = kubectlAs(plane, 'admin', '')
  succeeded(await admin(['apply', '--server-side', '--force-conflicts', '--filename=-'], manifests(rights)))
}

/** The flags of the shipped Deployment that concern namespaces, as the container gets them. */
function shippedFlags(): string[] {
  const deployment = shipped.find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: { template: { spec: { containers: Container[] } } }
  }
  const [container] = deployment.spec.template.spec.containers
  const env = new Map(container?.env.map(({ name, value }) => [name, value ?? '']))
  const args = container?.args.map((arg) =>
    arg.replace(/\$\((\w+)\)/g, (_, name: string) => env.get(name) ?? ''),
  )
  return args?.filter((arg) => arg.startsWith('--namespace')) ?? []
}

const start = (...more: string[]) =>
  story.start(['--leader-elect=true', `--lease-namespace=${system.name}`, ...shippedFlags(), ...more])

test('the shipped flags name the namespace that the shipped rights are for', () => {
  expect(shippedFlags()).toEqual([`--namespace=${story.namespace}`])
})

test('objects of every kind are made and deleted under these rights', async () => {
  story.operator = await start()
  await story.apply(
    ...theSix(story),
    manifest('CloudSnapshot', 'before', { vmRef: { name: 'web' } }),
    manifest('CloudAccessKey', 'shop', { secretName: 'shop-s3' }),
    manifest('CloudAPIToken', 'ci', { secretName: 'ci-token' }),
  )
  await sixReady(story)
  await story.ready('cloudsnapshot', 'before')
  await story.ready('cloudaccesskey', 'shop')
  await story.ready('cloudapitoken', 'ci')
  const doomed = ['cloudbucket/assets', 'cloudfloatingip/public', 'cloudaccesskey/shop', 'cloudapitoken/ci']
  await story.run('delete', '--wait=false', ...doomed)
  for (const each of doomed) {
    const [kind = '', name = ''] = each.split('/')
    await story.gone(kind, name)
  }
  expect(story.operator.lines.filter((line) => /forbidden/i.test(line))).toEqual([])
}, 180_000)

test('an event tells of them', async () => {
  await expect
    .poll(() => story.run('get', 'events', '-o', 'name'), { timeout: 20_000 })
    .toContain('event/web.')
})

test('what is in another namespace is neither touched nor found', async () => {
  const admin = kubectlAs(plane, 'admin', other.name)
  const account = await story.get('cloudaccount', 'default')
  const secret = (name: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData: { apikey: story.account.apiKey },
    })
  const theirs = [
    secret('cloud-token'),
    secret('theirs'),
    manifest('CloudAccount', 'default', account?.spec),
    manifest('CloudNetwork', 'theirs', {}),
    manifest('CloudBucket', 'theirs', { bucketName: `${other.name}-theirs` }),
  ]
  succeeded(await admin(['apply', '--filename=-'], manifests(theirs)))
  await story.apply(
    manifest('CloudLoadBalancer', 'reaching', {
      networkRef: { name: 'theirs' },
      rules: [{ sourcePort: 80, targetPort: 80 }],
    }),
    manifest('CloudAccount', 'reaching', {
      ...account?.spec,
      tokenSecretRef: { name: 'theirs', key: 'apikey' },
    }),
  )
  const waits = await story.reason('cloudloadbalancer', 'reaching', 'WaitingForDependency')
  expect(conditionOf(waits, 'Ready')?.message).toContain('CloudNetwork theirs does not exist yet')
  const without = await story.reason('cloudaccount', 'reaching', 'WaitingForDependency')
  expect(conditionOf(without, 'Ready')?.message).toContain(
    `Secret theirs does not exist in namespace ${story.namespace}`,
  )
  const untouched = JSON.parse(succeeded(await admin(['get', 'cloud', '-o', 'json']))) as {
    items: { metadata: { finalizers?: string[] }; status: object }[]
  }
  expect(untouched.items).toHaveLength(3)
  for (const { metadata, status } of untouched.items) {
    expect({ finalizers: metadata.finalizers ?? [], status }).toEqual({
      finalizers: [],
      status: { observedGeneration: -1 },
    })
  }
})

test('the rights end with the namespace', async () => {
  const core = { group: '' }
  const everything = [
    ...asked('get list watch create update patch delete deletecollection', plurals),
    ...asked('get update patch', plurals, { subresource: 'status' }),
    ...asked('get list watch create update patch delete', ['secrets', 'configmaps', 'pods'], core),
    ...asked('create patch', ['events'], { group: 'events.k8s.io' }),
  ]
  const lease = { group: 'coordination.k8s.io', name: 'cloud-operator' }
  const crd = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
  // Elsewhere, in the operator's own namespace, and in all of them.
  for (const where of [other.name, system.name, 'kube-system', ''])
    await expectRefused(operator, where, everything)
  await expectRefused(operator, other.name, asked('get create update', ['leases'], lease))
  await expectRefused(operator, '', [
    ...asked('list watch', ['namespaces'], core),
    ...asked('get', ['namespaces'], { ...core, name: other.name }),
    ...asked('list watch delete patch', ['customresourcedefinitions'], crd),
    { verb: 'get', ...crd, name: 'things.example.com' },
  ])
  await expectAllowed(operator, story.namespace, [
    ...asked('get list watch patch', plurals),
    ...asked('get create update', ['secrets'], core),
  ])
  await expectRefused(operator, story.namespace, [
    ...asked('list watch delete', ['secrets'], core),
    ...asked('create update delete', plurals),
  ])
  await expectAllowed(operator, '', [
    { verb: 'get', ...core, resource: 'namespaces', name: 'kube-system' },
    ...plurals.map((plural) => ({ verb: 'get', ...crd, name: `${plural}.${group}` })),
  ])
})

test('with a cluster id not even the UID of kube-system is read; without one and without that right it does not start', async () => {
  await story.operator.stop()
  const less = shipped.map((each) =>
    each.kind === 'ClusterRole' && each.rules !== undefined
      ? { ...each, rules: each.rules.filter(({ resources }) => !resources.includes('namespaces')) }
      : each,
  )
  await applyRights(less)
  await expect
    .poll(() => start().then(String, String), { timeout: 30_000 })
    .toMatch(/ended with 2 [\s\S]*--cluster-id: the namespace kube-system cannot be read/)
  story.operator = await start('--cluster-id=ours')
  await story.operator.logged('reconciling')
  await story.apply(manifest('CloudNetwork', 'later', {}))
  await story.ready('cloudnetwork', 'later')
})
