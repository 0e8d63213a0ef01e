/** Stories that end with something held: nothing is done until a person changes what is in the way. */
import type { Scenario } from '../steps.ts'
import {
  apply,
  bucket,
  cloud,
  disk,
  edit,
  idOf,
  network,
  oneByOne,
  remove,
  settle,
  vm,
  wait,
} from './words.ts'

const web = vm('web')
const data = disk('data', { sizeGiB: 10 })
const assets = bucket('assets', { bucketName: 'work-assets' })

export const heldScenarios: readonly Scenario[] = [
  {
    name: 'default-deleted',
    timeline: [apply(network('main', { default: true })), settle, remove(network('main')), settle],
    ends: [
      { kind: 'CloudNetwork', reason: 'DefaultConflict', because: 'a default network cannot be deleted' },
      { kind: 'CloudAccount', reason: 'WaitingForDependents', because: 'the network still uses it' },
    ],
  },
  {
    name: 'full-bucket',
    timeline: [
      apply(assets),
      settle,
      cloud({ do: 'setBucket', bucket: 'work-assets', set: { objects: 2, sizeBytes: 10 } }),
      remove(assets),
      settle,
    ],
    ends: [
      { kind: 'CloudBucket', reason: 'NotEmpty', because: 'a bucket with something in it is never deleted' },
      { kind: 'CloudAccount', reason: 'WaitingForDependents', because: 'the bucket still uses it' },
    ],
  },
  {
    name: 'disk-held',
    timeline: [apply(data), settle, cloud({ do: 'snapshotDisk', disk: idOf(data) }), remove(data), settle],
    ends: [
      { kind: 'CloudDisk', reason: 'NotEmpty', because: 'its snapshots hold the disk' },
      { kind: 'CloudAccount', reason: 'WaitingForDependents', because: 'the disk still uses it' },
    ],
    unseen: { counts: 'a read that lags does not show a snapshot that was taken a moment ago' },
  },
  {
    name: 'drift-reported',
    timeline: oneByOne(
      apply(vm('web', { lifecycle: { drift: 'Report' }, powerState: 'Running' })),
      cloud({ do: 'setVm', uuid: idOf(web), set: { status: 'stopped' } }),
      wait(120),
    ),
    ends: [{ kind: 'CloudVM', reason: 'DriftDetected', because: 'drift is reported, and left' }],
  },
  {
    name: 'vm-approved',
    timeline: oneByOne(
      apply(vm('web', { lifecycle: { disruption: 'RequireApproval' } })),
      edit(web, { vcpus: 2 }),
      wait(60),
    ),
    ends: [{ kind: 'CloudVM', reason: 'ApprovalRequired', because: 'the change waits for an approval' }],
  },
]
