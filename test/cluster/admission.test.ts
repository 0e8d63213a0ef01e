/** The shipped policies on a real API server: which deletions are refused, and with which words. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { KINDS } from '../../src/api/group.ts'
import { kindSchemas } from '../../src/api/kinds.ts'
import { installOperator } from './install.ts'
import {
  type Kubectl,
  type Ran,
  freshNamespace,
  kubectlAs,
  manifest,
  manifests,
  succeeded,
} from './kubectl.ts'

const plane = inject('controlPlane')
let kubectl: Kubectl
let namespace: Awaited<ReturnType<typeof freshNamespace>>

beforeAll(async () => {
  await installOperator(plane)
  namespace = await freshNamespace(plane, 'admission')
  kubectl = kubectlAs(plane, 'admin', namespace.name)
  return namespace.cleanUp
})

/** What a policy said of each refusal. */
const denied = ({ stderr }: Ran): string[] =>
  [...stderr.matchAll(/denied request: (.*)/g)].map(([, message = '']) => message)

const apply = async (text: string) => succeeded(await kubectl(['apply', '--filename=-'], text))

describe('an object under protection', () => {
  const protectedSpecs = {
    CloudVM: { adopt: { id: 'v' } },
    CloudDisk: { sizeGiB: 1 },
    CloudBucket: { bucketName: 'aaa' },
    CloudNetwork: {},
    CloudFloatingIP: {},
    CloudLoadBalancer: { adopt: { id: 'l' } },
  }
  const kinds = Object.keys(protectedSpecs) as (keyof typeof protectedSpecs)[]
  const under = (protection: 'None' | 'Deletion') =>
    manifests(
      kinds.map((kind) => manifest(kind, 'kept', { ...protectedSpecs[kind], lifecycle: { protection } })),
    )
  const remove = (...flags: string[]) =>
    kubectl(['delete', '--filename=-', '--wait=false', ...flags], under('None'))
  const messages = () =>
    kinds.map(
      (kind) => `${kind} ${namespace.name}/kept is protected: set spec.lifecycle.protection to None first`,
    )

  test('is not deleted, whatever its kind, until that is lifted', async () => {
    const withProtection = KINDS.filter((kind) => {
      const schema = JSON.stringify(
        z.toJSONSchema(kindSchemas[kind].spec, { io: 'input', unrepresentable: 'any' }),
      )
      return schema.includes('"protection":')
    })
    expect(kinds).toEqual(withProtection)
    await apply(under('Deletion'))
    // A policy is taken up some time after it was applied.
    await expect
      .poll(async () => denied(await remove('--dry-run=server')), { timeout: 30_000 })
      .toEqual(messages())
    expect(denied(await remove())).toEqual(messages())
    const collection = `/apis/cloud-operator.dev/v1alpha1/namespaces/${namespace.name}/clouddisks`
    expect((await kubectl(['delete', '--raw', collection])).stderr).toContain(messages()[1])
    await apply(under('None'))
    succeeded(await remove())
  })

  test('an object without lifecycle is deleted', async () => {
    await apply(manifest('CloudNetwork', 'free', {}))
    succeeded(await kubectl(['delete', 'cnet', 'free']))
  })
})

describe('our definitions', () => {
  test('are not deleted', async () => {
    const names = Object.values(kindSchemas).map(({ plural }) => `${plural}.cloud-operator.dev`)
    expect(denied(await kubectl(['delete', 'crd', ...names, '--dry-run=server']))).toEqual(
      names.map(
        (name) =>
          `${name} takes all its objects along; their cloud objects stay but nothing looks after them: ` +
          'annotate it with cloud-operator.dev/allow-deletion=true first',
      ),
    )
  })

  test('another group’s definition is deleted, and so is one of ours that says so', async () => {
    const name = 'things.example.com'
    const schema = { openAPIV3Schema: { type: 'object' } }
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group: 'example.com',
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }
    await apply(JSON.stringify(crd))
    succeeded(await kubectl(['delete', 'crd', name]))
    const allowed = 'spares.cloud-operator.dev'
    const annotations = { 'cloud-operator.dev/allow-deletion': 'true' }
    const spec = { ...crd.spec, group: 'cloud-operator.dev', names: { kind: 'Spare', plural: 'spares' } }
    await apply(JSON.stringify({ ...crd, metadata: { name: allowed, annotations }, spec }))
    succeeded(await kubectl(['delete', 'crd', allowed]))
  })
})

describe('the Secret of an account', () => {
  const spec = {
    tokenSecretRef: { name: 'token', key: 'apikey' },
    endpoint: 'https://api.example.com',
    billingAccount: 1,
  }
  const finalizers = (list: string[]) =>
    kubectl([
      'patch',
      'cacct',
      'default',
      '--type=merge',
      '--patch',
      JSON.stringify({ metadata: { finalizers: list } }),
    ])
  const deletes = (name: string) => kubectl(['delete', 'secret', name, '--dry-run=server'])

  test('is kept while the account is in use, every other Secret is not', async () => {
    for (const name of ['token', 'other']) {
      succeeded(await kubectl(['create', 'secret', 'generic', name, '--from-literal=apikey=x']))
    }
    await apply(manifest('CloudAccount', 'default', spec))
    succeeded(await deletes('token'))
    succeeded(await finalizers(['cloud-operator.dev/cloud-resource']))
    await expect
      .poll(async () => (await deletes('token')).stderr, { timeout: 30_000 })
      .toContain(
        `Secret ${namespace.name}/token holds the key of CloudAccount default, which is in use: ` +
          'delete what uses the account, then the account, first',
      )
    succeeded(await deletes('other'))
    succeeded(await finalizers([]))
    await expect.poll(async () => (await deletes('token')).code, { timeout: 30_000 }).toBe(0)
  })
})
