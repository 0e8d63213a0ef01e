/** What people may do in the middle of a scenario: to each of its objects, in the cluster and in the cloud. */
import type { Change } from '../../src/simulator/changes.ts'
import type { Kind } from '../../src/simulator/strangers.ts'
import type { Manifest, Named, PersonStep, Scenario } from './steps.ts'

/** Kinds that stand for one thing in the cloud: how the service calls it, and where its id stands in the status. */
const IN_CLOUD: Readonly<Record<string, { readonly kind: Kind; readonly field?: string }>> = {
  CloudVM: { kind: 'vm' },
  CloudDisk: { kind: 'disk' },
  CloudBucket: { kind: 'bucket' },
  CloudNetwork: { kind: 'network' },
  CloudFloatingIP: { kind: 'floatingIp', field: 'address' },
  CloudLoadBalancer: { kind: 'loadBalancer' },
}

const ACCOUNT: Named = { kind: 'CloudAccount', name: 'default' }

const TO_THE_ACCOUNT: readonly PersonStep[] = [
  { do: 'delete', object: ACCOUNT },
  { do: 'wipeStatus', object: ACCOUNT },
  { do: 'stripFinalizer', object: ACCOUNT },
  { do: 'edit', object: ACCOUNT, spec: { settleSeconds: 61 } },
]

export function peopleFor({ timeline }: Scenario): readonly PersonStep[] {
  const applied = timeline.flatMap((step) => (step.do === 'apply' ? step.objects : []))
  const edits = timeline.filter((step) => step.do === 'edit')
  return [
    ...edits,
    ...TO_THE_ACCOUNT,
    ...applied.flatMap((object) => [...inCluster(object), ...inCloud(object)]),
  ]
}

function inCluster(manifest: Manifest): readonly PersonStep[] {
  const object: Named = { kind: manifest.kind, name: manifest.name }
  return [
    { do: 'delete', object },
    { do: 'pauseFor', object, ms: 60_000 },
    { do: 'wipeStatus', object },
    { do: 'stripFinalizer', object },
    { do: 'copy', object, to: `${object.name}-copy` },
    { do: 'copy', object, to: `${object.name}-restored`, withStatus: true },
    { do: 'again', object },
    { do: 'rebuild', object },
    { do: 'answer', object, with: 'stale' },
    { do: 'answer', object, with: 'recreateAnother' },
    { do: 'deleteCRD', kind: object.kind },
    { do: 'annotate', object, annotations: { 'cloud-operator.dev/reconcile-requested-at': 'now' } },
  ]
}

function inCloud({ kind, name }: Manifest): readonly PersonStep[] {
  const there = IN_CLOUD[kind]
  if (there === undefined) return []
  const id = { idOf: { kind, name }, ...(there.field !== undefined && { field: there.field }) }
  const changes: readonly ({ readonly do: Change['do'] } & Readonly<Record<string, unknown>>)[] = [
    { do: 'delete', kind: there.kind, id },
    { do: 'create', kind: there.kind, name },
    ...(kind === 'CloudBucket' ? [] : [{ do: 'rename' as const, kind: there.kind, id, name: 'by-hand' }]),
    ...(MORE[kind] ?? []).map((change) => ({ ...change(id) })),
  ]
  const taken: readonly PersonStep[] =
    kind === 'CloudBucket' || kind === 'CloudFloatingIP'
      ? [{ do: 'takenInCloud', object: { kind, name } }]
      : []
  return [...changes.map((change) => ({ do: 'cloud', change }) as PersonStep), ...taken]
}

type MakeChange = (id: unknown) => { readonly do: Change['do'] } & Readonly<Record<string, unknown>>

const MORE: Readonly<Record<string, readonly MakeChange[]>> = {
  CloudVM: [
    (uuid) => ({ do: 'setVm', uuid, set: { status: 'stopped' } }),
    (uuid) => ({ do: 'setVm', uuid, set: { backup: true } }),
    (uuid) => ({ do: 'setVm', uuid, set: { vcpu: 4 } }),
  ],
  CloudDisk: [(disk) => ({ do: 'detachDisk', disk }), (disk) => ({ do: 'snapshotDisk', disk })],
  CloudFloatingIP: [(address) => ({ do: 'unassignIp', address })],
  CloudNetwork: [(uuid) => ({ do: 'setDefaultNetwork', uuid })],
  CloudBucket: [(bucket) => ({ do: 'setBucket', bucket, set: { objects: 2, sizeBytes: 10 } })],
}
