/**
 * Stories outside of the sweep of all troubles: they stand for one rule each, and are asked for by name. Where they may rest
 * under every trouble there is has not been listed.
 */
import type { Scenario } from '../steps.ts'
import {
  annotate,
  apply,
  bucket,
  disk,
  edit,
  floatingIP,
  loadBalancer,
  network,
  oneByOne,
  ref,
  remove,
  settle,
  vm,
  wait,
} from './words.ts'

const web = vm('web')
const net = network('net')
const TEN = { sizeGiB: 10 }
const ROTATED = { duplicate: 'the new one is made before the old one goes' }
const STALLED = { converges: 'the name is taken for good, and only a person can decide' }
const keys = {
  kind: 'CloudAccessKey',
  name: 'keys',
  spec: { secretName: 's3', rotation: { graceSeconds: 5 } },
}
const token = {
  kind: 'CloudAPIToken',
  name: 'ci',
  spec: { secretName: 'ci-token', rotation: { graceSeconds: 5 } },
}
const rotate = (object: typeof keys) => annotate(object, { 'cloud-operator.dev/rotate': 'now' })

export const asideScenarios: readonly Scenario[] = [
  {
    name: 'namesakes',
    strangers: [
      { kind: 'network', name: 'net' },
      { kind: 'vm', name: 'web' },
      { kind: 'disk', name: 'data' },
      { kind: 'floatingIp', name: 'public' },
      { kind: 'loadBalancer', name: 'entry' },
    ],
    timeline: oneByOne(
      apply(
        net,
        web,
        disk('data', TEN),
        floatingIP('public'),
        loadBalancer('entry', {
          networkRef: ref(net),
          rules: [{ sourcePort: 80, targetPort: 8_080 }],
          targets: [],
        }),
      ),
    ),
  },
  {
    name: 'namesake-bucket',
    strangers: [{ kind: 'bucket', name: 'work-assets' }],
    timeline: oneByOne(apply(bucket('assets', { bucketName: 'work-assets' }))),
    excused: STALLED,
  },
  {
    name: 'disks-alike',
    profiles: ['documented'],
    account: { dedicated: true },
    timeline: oneByOne(apply(disk('a', TEN), disk('b', TEN))),
  },
  { name: 'vm-brief', timeline: [apply(web), settle, remove(web), settle] },
  {
    name: 'retain-again',
    timeline: oneByOne(apply(kept(net)), remove(net), apply(kept(net))),
    excused: { ...STALLED, leak: 'it is retained', owned: 'what was retained has no owner any more' },
  },
  { name: 'keys', timeline: [apply(keys), settle, rotate(keys), settle, wait(30), settle], excused: ROTATED },
  {
    name: 'token',
    timeline: [apply(token), settle, rotate(token), settle, wait(30), settle],
    excused: ROTATED,
  },
  {
    name: 'foreign-secret',
    timeline: [
      { do: 'secret', name: 's3', data: { AWS_ACCESS_KEY_ID: 'of-somebody-else' } },
      apply(keys),
      settle,
    ],
    excused: STALLED,
  },
  { name: 'restart', timeline: oneByOne(apply(web), apply(operation({ restart: {} }))) },
  {
    name: 'reinstall',
    strangers: [{ kind: 'vm', name: 'old-vm' }],
    timeline: oneByOne(
      apply({ kind: 'CloudVM', name: 'web', spec: { adopt: { id: { stranger: 'old-vm' } } } }),
      apply(
        operation({
          reinstall: { image: { os: 'ubuntu', version: '24.04' } },
          confirmVMID: { stranger: 'old-vm' },
          expiresAt: '2026-01-02T00:00:00Z',
        }),
      ),
    ),
    excused: {
      converges: 'an operation whose result is not known ends so',
      data: 'it is what was asked for',
    },
  },
  {
    name: 'expired',
    strangers: [{ kind: 'vm', name: 'old-vm' }],
    timeline: oneByOne(
      apply({ kind: 'CloudVM', name: 'web', spec: { adopt: { id: { stranger: 'old-vm' } } } }),
      apply(
        operation({
          reinstall: { image: { os: 'ubuntu', version: '24.04' } },
          confirmVMID: { stranger: 'old-vm' },
          expiresAt: '2025-12-31T00:00:00Z',
        }),
      ),
    ),
    excused: { converges: 'it has expired and ends as failed' },
  },
  {
    name: 'snapshot',
    timeline: oneByOne(apply(web), apply({ kind: 'CloudSnapshot', name: 'snap', spec: { vmRef: ref(web) } })),
  },
  {
    name: 'default-deleted',
    timeline: [apply(network('main', { default: true })), settle, remove(network('main')), settle],
    excused: {
      converges: 'a default network cannot be deleted',
      leak: 'a default network cannot be deleted',
    },
  },
  {
    name: 'full-bucket',
    timeline: [
      apply(bucket('assets', { bucketName: 'work-assets' })),
      settle,
      { do: 'cloud', change: { do: 'setBucket', bucket: 'work-assets', set: { objects: 2, sizeBytes: 10 } } },
      remove(bucket('assets')),
      settle,
    ],
    excused: {
      converges: 'a bucket with something in it is never deleted',
      leak: 'a bucket with something in it is never deleted',
    },
  },
  {
    name: 'drift-reported',
    timeline: oneByOne(
      apply(vm('web', { lifecycle: { drift: 'Report' }, powerState: 'Running' })),
      {
        do: 'cloud',
        change: { do: 'setVm', uuid: { idOf: { kind: 'CloudVM', name: 'web' } }, set: { status: 'stopped' } },
      },
      wait(120),
    ),
    excused: { converges: 'drift is reported, and left' },
  },
  {
    name: 'vm-approved',
    timeline: oneByOne(
      apply(vm('web', { lifecycle: { disruption: 'RequireApproval' } })),
      edit(web, { vcpus: 2 }),
      wait(60),
    ),
    excused: { converges: 'the change waits for an approval' },
  },
  {
    name: 'disk-held',
    timeline: [
      apply(disk('data', TEN)),
      settle,
      { do: 'cloud', change: { do: 'snapshotDisk', disk: { idOf: { kind: 'CloudDisk', name: 'data' } } } },
      remove(disk('data')),
      settle,
    ],
    excused: { converges: 'its snapshots hold the disk', leak: 'its snapshots hold the disk' },
  },
]

function kept(object: ReturnType<typeof network>): ReturnType<typeof network> {
  return { ...object, spec: { ...object.spec, lifecycle: { onDelete: 'Retain' } } }
}

function operation(spec: Readonly<Record<string, unknown>>) {
  return { kind: 'CloudVMOperation', name: 'task', spec: { vmRef: { name: 'web' }, ...spec } }
}
