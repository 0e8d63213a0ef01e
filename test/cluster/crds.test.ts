/** The definitions on a real API server: what is accepted, what is refused and with which words. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { KINDS, type Kind } from '../../src/api/group.ts'
import { kindSchemas } from '../../src/api/kinds.ts'
import { specCases } from '../unit/api/cases.ts'
import { installOperator } from './install.ts'
import {
  type Kubectl,
  freshNamespace,
  kubectlAs,
  manifest,
  manifests,
  refusals,
  succeeded,
  unexplained,
} from './kubectl.ts'

const plane = inject('controlPlane')
let kubectl: Kubectl

beforeAll(async () => {
  await installOperator(plane)
  const namespace = await freshNamespace(plane, 'crds')
  kubectl = kubectlAs(plane, 'admin', namespace.name)
  return namespace.cleanUp
})

const create = (kind: Kind, name: string, spec: unknown, ...flags: string[]) =>
  kubectl(['create', '--filename=-', ...flags], manifest(kind, name, spec))

test('every definition is structural and established', async () => {
  const list = JSON.parse(succeeded(await kubectl(['get', 'crds', '-o', 'json']))) as {
    items: {
      metadata: { name: string }
      status: { conditions: { type: string; status: string }[] }
    }[]
  }
  for (const { plural } of Object.values(kindSchemas)) {
    const crd = list.items.find(({ metadata }) => metadata.name === `${plural}.cloud-operator.dev`)
    const conditions = Object.fromEntries(crd?.status.conditions.map((c) => [c.type, c.status]) ?? [])
    expect(conditions, plural).toEqual({ NamesAccepted: 'True', Established: 'True' })
  }
})

describe('a spec is accepted or refused', () => {
  const told = new Map<string, string>()
  beforeAll(async () => {
    const all = specCases.map(({ kind, spec }, index) => manifest(kind, `case-${index}`, spec))
    const answer = await kubectl(['create', '--dry-run=server', '--filename=-'], manifests(all))
    for (const { name, text } of refusals(answer)) told.set(name, text)
    for (const [, name = ''] of answer.stdout.matchAll(/\/(case-\d+) created/g)) told.set(name, '')
  })

  test.each(specCases.map((each, index) => ({ ...each, index })))('$kind $title', ({ refused, index }) => {
    const text = told.get(`case-${index}`)
    for (const cause of refused?.causes ?? []) expect(text).toContain(cause)
    expect(unexplained(text ?? 'no answer', refused?.causes ?? [])).toBe('')
  })
})

test('a field that does not exist is refused', async () => {
  const answer = await create('CloudDisk', 'typo', { sizeGiB: 1, sizeGib: 2 }, '--dry-run=server')
  expect(answer.stderr).toContain('unknown field "spec.sizeGib"')
})

test('a new object counts as not looked at yet, whatever status its manifest carries', async () => {
  const plain = JSON.parse(manifest('CloudNetwork', 'fresh', {})) as object
  const text = JSON.stringify({ ...plain, status: { observedGeneration: 1, id: 'stolen' } })
  succeeded(await kubectl(['create', '--filename=-'], text))
  const status = succeeded(await kubectl(['get', 'cnet', 'fresh', '-o', 'jsonpath={.status}']))
  expect(JSON.parse(status)).toEqual({ observedGeneration: -1 })
})

const image = { os: 'ubuntu', version: '24.04' }
const vm = { image, vcpus: 2, memoryMiB: 2048, bootDisk: { sizeGiB: 20 }, networkRef: { name: 'a' } }
const account = {
  tokenSecretRef: { name: 's', key: 'k' },
  endpoint: 'https://a.example.com',
  billingAccount: 1,
}

/** Per kind: a spec, and for each frozen field a value that it did not have. */
const frozen: Record<Kind, { spec: object; edits: Record<string, unknown> }> = {
  CloudAccount: { spec: account, edits: { endpoint: 'https://b.example.com' } },
  CloudVM: {
    spec: vm,
    edits: {
      accountRef: { name: 'b' },
      location: 'sgp01',
      adopt: { id: 'other' },
      billingAccount: 2,
      image: { ...image, version: '22.04' },
      source: { diskRef: { name: 'b' } },
      pool: 'b',
      networkRef: { name: 'b' },
      username: 'b',
      publicKey: 'ssh-ed25519 b',
      cloudInit: { runcmd: ['b'] },
      description: 'b',
      publicIP: 'Reserve',
    },
  },
  CloudDisk: {
    spec: { sizeGiB: 10 },
    edits: {
      accountRef: { name: 'b' },
      location: 'sgp01',
      adopt: { id: 'b' },
      source: { diskRef: { name: 'b' } },
    },
  },
  CloudBucket: {
    spec: { bucketName: 'aaa' },
    edits: { accountRef: { name: 'b' }, adopt: { id: 'aaa' }, bucketName: 'bbb' },
  },
  CloudNetwork: { spec: {}, edits: { accountRef: { name: 'b' }, location: 'sgp01', adopt: { id: 'b' } } },
  CloudFloatingIP: { spec: {}, edits: { accountRef: { name: 'b' }, location: 'sgp01', adopt: { id: 'b' } } },
  CloudLoadBalancer: {
    spec: { rules: [{ sourcePort: 80, targetPort: 80 }] },
    edits: {
      accountRef: { name: 'b' },
      location: 'sgp01',
      adopt: { id: 'b' },
      networkRef: { name: 'b' },
      publicIP: 'Reserve',
    },
  },
  CloudAccessKey: {
    spec: { secretName: 'a' },
    edits: { accountRef: { name: 'b' }, secretName: 'b' },
  },
  CloudAPIToken: {
    spec: { secretName: 'a' },
    edits: { accountRef: { name: 'b' }, scope: 'AllBillingAccounts', secretName: 'b' },
  },
  CloudSnapshot: {
    spec: { vmRef: { name: 'a' } },
    edits: { vmRef: { name: 'b' }, adopt: { id: 'other' } },
  },
  CloudVMOperation: {
    spec: { vmRef: { name: 'a' }, reinstall: { image }, confirmVMID: 'a', expiresAt: '2026-01-01T15:04:05Z' },
    edits: {
      vmRef: { name: 'b' },
      restart: {},
      rescue: {},
      reinstall: {},
      rebuild: { snapshotRef: { name: 'b' } },
      confirmVMID: 'b',
      expiresAt: '2026-01-02T15:04:05Z',
    },
  },
}

describe.each(KINDS)('%s: a frozen field', (kind) => {
  const { plural, frozen: fields } = kindSchemas[kind]
  const { spec, edits } = frozen[kind]
  const replaced = (specs: readonly object[], ...flags: string[]) =>
    kubectl(
      ['replace', '--filename=-', ...flags],
      manifests(specs.map((each) => manifest(kind, 'ice', each))),
    )
  const setStatus = async (status: object) =>
    succeeded(
      await kubectl([
        ...['patch', plural, 'ice', '--subresource=status', '--type=merge'],
        ...['--patch', JSON.stringify({ status })],
      ]),
    )
  const refusal = (field: string) => {
    const instead = fields.find((each) => each.field === field)?.instead ?? ''
    return `spec.${field}: Invalid value: ${field} is immutable once the cloud object may exist: ${instead}`
  }
  const edited = Object.entries(edits).map(([field, value]) => ({ ...spec, [field]: value }))
  const had = Object.keys(edits).filter((field) => field in spec)
  const removed = had.map((field) =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => name !== field)),
  )

  test('is tried for every one that the kind declares', () => {
    expect(Object.keys(edits).toSorted()).toEqual(fields.map(({ field }) => field).toSorted())
  })

  test('can be corrected before anything exists', async () => {
    succeeded(await create(kind, 'ice', spec))
    const { stderr } = await replaced(edited, '--dry-run=server')
    expect(stderr).not.toContain('immutable')
  })

  test.each([
    ['an id', { id: 'cloud-1' }],
    [
      'an open operation',
      { id: null, operation: { id: 'op', verb: 'create', issuedAt: '2026-01-01T00:00:00Z' } },
    ],
  ])('cannot be changed, added or removed with %s', async (_, status) => {
    await setStatus(status)
    const told = refusals(await replaced([...edited, ...removed])).map(({ text }) => text)
    const asked = [...Object.keys(edits), ...had]
    expect(told).toHaveLength(asked.length)
    for (const [index, field] of asked.entries()) {
      // A field that is required is missed before its rule is looked at.
      const missing = `spec.${field}: Required value`
      const text = told[index] ?? ''
      expect(text.includes(missing) ? missing : text).toContain(
        text.includes(missing) ? missing : refusal(field),
      )
    }
  })

  test('leaves everything else as free as before', async () => {
    await setStatus({ operation: null, id: 'cloud-1' })
    succeeded(await kubectl(['annotate', plural, 'ice', 'note=kept']))
    const free =
      kind === 'CloudAccount'
        ? { syncIntervalSeconds: 60 }
        : 'lifecycle' in kindSchemas[kind].spec.shape
          ? { lifecycle: { onDelete: 'Retain' } }
          : {}
    succeeded(await replaced([{ ...spec, ...free }]))
    await setStatus({ id: 'cloud-2' })
  })
})

describe.each([
  {
    kind: 'CloudDisk',
    spec: { sizeGiB: 50 },
    sized: (n: number) => ({ sizeGiB: n }),
    status: 'sizeGiB',
    at: 'sizeGiB',
  },
  {
    kind: 'CloudVM',
    spec: { ...vm, bootDisk: { sizeGiB: 50 } },
    sized: (n: number) => ({ bootDisk: { sizeGiB: n } }),
    status: 'bootDiskGiB',
    at: 'bootDisk.sizeGiB',
  },
] as const)('$kind: the size only grows', ({ kind, spec, sized, status, at }) => {
  const { plural, growOnly } = kindSchemas[kind]
  const resize = (n: number) =>
    kubectl(['patch', plural, 'grow', '--type=merge', '--patch', JSON.stringify({ spec: sized(n) })])

  test('over what exists: a size never reached may be lowered again', async () => {
    succeeded(await create(kind, 'grow', spec))
    succeeded(await resize(40)) // nothing exists yet
    const existing = JSON.stringify({ status: { id: 'd-1', [status]: 40 } })
    succeeded(
      await kubectl(['patch', plural, 'grow', '--subresource=status', '--type=merge', '--patch', existing]),
    )
    succeeded(await resize(100))
    succeeded(await resize(60))
    const refused = `spec.${at}: Invalid value: ${at} can only grow, 40 GiB exist: ${growOnly[0]?.instead ?? ''}`
    expect(refusals(await resize(30))).toEqual([{ name: 'grow', text: refused }])
    succeeded(await resize(40))
  })
})

test('columns show what matters, the wide ones more', async () => {
  succeeded(await create('CloudVM', 'shown', vm))
  const conditions = ['Ready', 'Synced'].map((type) => ({
    ...{ type, status: 'True', reason: type === 'Ready' ? 'Available' : 'InSync', message: 'all is well' },
    ...{ lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 },
  }))
  const status = { id: 'u-1', location: 'jkt01', powerState: 'Running', privateIP: '10.0.0.5', conditions }
  succeeded(
    await kubectl([
      ...['patch', 'cvm', 'shown', '--subresource=status', '--type=merge'],
      ...['--patch', JSON.stringify({ status })],
    ]),
  )
  const columns = async (...flags: string[]) =>
    succeeded(await kubectl(['get', 'cvm', 'shown', ...flags]))
      .split('\n')
      .map((line) => line.split(/\s{2,}/))
  const [head, row] = await columns()
  expect(head?.map((each) => each.trim())).toEqual('NAME READY REASON POWER CPU MEMORY IP AGE'.split(' '))
  expect(row?.slice(0, -1)).toEqual(['shown', 'True', 'Available', 'Running', '2', '2048', '10.0.0.5'])
  const [wideHead, wideRow] = await columns('-o', 'wide')
  expect(wideHead?.slice(-4).map((each) => each.trim())).toEqual(['SYNCED', 'ID', 'LOCATION', 'MESSAGE'])
  expect(wideRow?.slice(-4)).toEqual(['True', 'u-1', 'jkt01', 'all is well'])
})

test('objects are found by the fields that can be selected', async () => {
  succeeded(await create('CloudDisk', 'picked', { sizeGiB: 1, vmRef: { name: 'picker' } }))
  const found = await kubectl(['get', 'cdisk', '--field-selector=spec.vmRef.name=picker', '-o', 'name'])
  expect(succeeded(found)).toBe('clouddisk.cloud-operator.dev/picked\n')
})

test('`kubectl get cloud` shows all kinds', async () => {
  const names = succeeded(await kubectl(['get', 'cloud', '-o', 'name']))
  for (const { singular } of Object.values(kindSchemas))
    expect(names).toContain(`${singular}.cloud-operator.dev/`)
})

test.each(Object.values(kindSchemas))(
  '`kubectl explain` tells of $kind',
  async ({ shortName, description, spec }) => {
    // The server publishes a schema some time after it serves the definition.
    const explain = async (path: string) => (await kubectl(['explain', path])).stdout
    await expect.poll(() => explain(shortName), { timeout: 30_000 }).toContain(description.slice(0, 40))
    const told = (await explain(`${shortName}.spec`)).replace(/\s+/g, ' ')
    for (const field of Object.keys(spec.shape)) expect(told).toMatch(new RegExp(` ${field} <`))
    expect(told).not.toContain('<no description>')
  },
)
