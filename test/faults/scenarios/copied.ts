/** Stories of statuses that are another object's: copied with the object, as backup tools do it, or written over its own. */
import type { End, Named, PersonStep, Scenario } from '../steps.ts'
import {
  annotate,
  apply,
  bucket,
  disk,
  edit,
  named,
  network,
  oneByOne,
  ref,
  remove,
  settle,
  vm,
  wait,
  wipe,
} from './words.ts'

const TEN = { sizeGiB: 10 }
const RETAIN = { lifecycle: { onDelete: 'Retain' } }
const DELETE = { lifecycle: { onDelete: 'Delete' } }
const ENDS = [
  {
    reason: 'AdoptionConflict',
    because: 'what a copied status names belongs to the original until a person says otherwise',
  },
]
const ASKED: End = {
  kind: 'CloudDisk',
  reason: 'CreateOutcomeUnknown',
  because: 'what shows no name is told by a person once the status is lost',
}
const goneWith = (kind: string): End => ({
  kind,
  reason: 'ExternallyDeleted',
  because: 'what a copied status names went with the original, and another one is a decision',
})
const assets = bucket('assets', { bucketName: 'work-assets' })
const data = disk('data', TEN)
const net = network('net')
const root = disk('root', { source: { image: { os: 'ubuntu', version: '24.04' } }, sizeGiB: 20, ...RETAIN })
const web = vm('web')
const booted = {
  kind: 'CloudVM',
  name: 'web',
  spec: { source: { diskRef: ref(root) }, vcpus: 1, memoryMiB: 1_024 },
}
const rotation = { graceSeconds: 5 }
const keys = { kind: 'CloudAccessKey', name: 'keys', spec: { secretName: 's3', rotation } }
const token = { kind: 'CloudAPIToken', name: 'ci', spec: { secretName: 'ci-token', rotation } }

const copied = (object: Named, to: string, more: object = {}): PersonStep => ({
  do: 'copy',
  object: named(object),
  to,
  withStatus: true,
  ...more,
})
const claimed = (object: Named): PersonStep => ({
  do: 'answer',
  object: named(object),
  with: 'claim',
})
const overwritten = (object: Named, from: Named): PersonStep => ({
  do: 'overwrite',
  object: named(object),
  from: named(from),
})
/** As restored into a cluster where every object has another UID. */
const restored = (object: Named): PersonStep => ({
  do: 'overwrite',
  object: named(object),
  status: { uid: '11111111-2222-4333-8444-555555555555' },
})
const rotate = (object: Named) => annotate(object, { 'cloud-operator.dev/rotate': 'now' })

/** Copied in the middle of its create, the copy makes and rotates one of its own. */
const ROTATED = { duplicate: 'the new one is made before the old one goes' }

export const copiedScenarios: readonly Scenario[] = [
  {
    // The edits make the originals the last of three in the operator's index.
    name: 'copied-twice',
    timeline: [
      ...oneByOne(
        apply(assets, data),
        copied(assets, 'assets-one'),
        copied(data, 'data-one'),
        copied(assets, 'assets-two'),
        copied(data, 'data-two'),
      ),
      edit(assets, DELETE),
      edit(data, DELETE),
      wait(3),
      remove(bucket('assets-one')),
      remove(disk('data-one')),
      settle,
    ],
    ends: [...ENDS, goneWith('CloudDisk'), goneWith('CloudBucket')],
  },
  {
    // Nothing in the cloud and no other object tells whose it was.
    name: 'copies-left',
    timeline: oneByOne(
      apply(assets, data),
      edit(assets, RETAIN),
      edit(data, RETAIN),
      copied(assets, 'assets-left'),
      copied(data, 'data-left'),
      remove(assets),
      remove(data),
      edit(bucket('assets-left'), DELETE),
      edit(disk('data-left'), DELETE),
    ),
    ends: ENDS,
  },
  {
    // An annotation is copied along, and must answer for its own object alone.
    name: 'answer-copied',
    timeline: oneByOne(
      apply(data),
      edit(data, RETAIN),
      copied(data, 'restored'),
      remove(data),
      claimed(disk('restored')),
      copied(disk('restored'), 'second', { withAnnotations: true, spec: DELETE }),
      remove(disk('restored')),
      remove(disk('second')),
    ),
    ends: ENDS,
  },
  {
    name: 'copied-keys',
    timeline: oneByOne(
      apply(keys),
      copied(keys, 'other', { spec: { secretName: 's3-other' } }),
      rotate({ ...keys, name: 'other' }),
      wait(60),
    ),
    ends: [...ENDS, goneWith('CloudAccessKey')],
    excused: ROTATED,
  },
  {
    name: 'copied-token',
    timeline: oneByOne(
      apply(token),
      copied(token, 'other', { spec: { secretName: 'other' } }),
      rotate({ ...token, name: 'other' }),
      wait(60),
    ),
    ends: [...ENDS, goneWith('CloudAPIToken')],
    excused: ROTATED,
  },
  {
    name: 'restored-boot',
    timeline: oneByOne(
      apply(root),
      apply(booted),
      restored(root),
      restored(booted),
      remove(booted),
      wait(60),
    ),
    ends: [
      ...ENDS,
      {
        kind: 'CloudVM',
        reason: 'WaitingForDependents',
        because: 'its boot disk may be somebody\u2019s to keep',
      },
    ],
  },
  {
    name: 'booted-and-lost',
    timeline: oneByOne(
      apply(root),
      apply({ ...booted, spec: { ...booted.spec, ...RETAIN } }),
      remove(booted),
      wipe(root),
    ),
    ends: [
      {
        kind: 'CloudDisk',
        reason: 'CreateOutcomeUnknown',
        because: 'what shows no name is told by a person once the status is lost',
      },
    ],
  },
  {
    name: 'overwritten',
    timeline: oneByOne(apply(net), apply(network('other')), overwritten(net, network('other'))),
    // Renamed by hand its own network has no marker any more.
    ends: ENDS,
  },
  {
    name: 'overwritten-leaving',
    timeline: [
      ...oneByOne(apply(net), apply(network('other'))),
      overwritten(net, network('other')),
      ...oneByOne(remove(net)),
    ],
    ends: ENDS,
  },
  {
    name: 'overwritten-data',
    timeline: oneByOne(
      apply(data),
      apply(disk('other', TEN)),
      overwritten(data, disk('other')),
      remove(data),
    ),
    ends: [...ENDS, ASKED],
    excused: {
      owned: 'where the service shows no name nothing tells of what the lost status named',
      leak: 'where the service shows no name nothing tells of what the lost status named',
    },
  },
  {
    name: 'overwritten-adopted',
    strangers: [{ kind: 'disk', name: 'old-disk' }],
    timeline: oneByOne(
      apply(disk('data', { adopt: { id: { stranger: 'old-disk' } }, ...DELETE })),
      apply(disk('other', TEN)),
      overwritten(data, disk('other')),
      remove(data),
    ),
    ends: ENDS,
    excused: {
      leak: 'what was adopted goes with its object, as the spec says',
      counts: 'what was adopted carries no marker, and stays where nobody looked at it again',
    },
  },
  {
    // As copied in the middle of a create.
    name: 'overwritten-without-id',
    timeline: oneByOne(apply(data), apply(web), {
      do: 'overwrite',
      object: named(data),
      status: { uid: '11111111-2222-4333-8444-555555555555', id: null, conditions: null },
    }),
    ends: [ASKED],
  },
]
