/** Stories of things that look alike: strangers of the same name, copies, and what was left behind. */
import type { Scenario } from '../steps.ts'
import {
  apply,
  bucket,
  disk,
  floatingIP,
  idOf,
  loadBalancer,
  network,
  oneByOne,
  ref,
  remove,
  vm,
} from './words.ts'

const web = vm('web')
const net = network('net')
const kept = network('net', { lifecycle: { onDelete: 'Retain' } })
const TEN = { sizeGiB: 10 }
const assets = bucket('assets', { bucketName: 'work-assets' })

export const nameScenarios: readonly Scenario[] = [
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
    timeline: oneByOne(apply(assets)),
    ends: [
      {
        kind: 'CloudBucket',
        reason: 'AdoptionConflict',
        because: 'the name is taken for good, and only a person can decide',
      },
    ],
  },
  {
    name: 'disks-alike',
    profiles: ['documented'],
    account: { dedicated: true },
    timeline: oneByOne(apply(disk('a', TEN), disk('b', TEN))),
  },
  {
    name: 'retain-again',
    timeline: oneByOne(apply(kept), remove(net), apply(kept)),
    ends: [
      {
        kind: 'CloudNetwork',
        reason: 'AdoptionConflict',
        because: 'what the deleted one left in the cloud may be meant by the new one: a person says which',
      },
    ],
    unseen: { counts: 'a list that lags does not show what was left a moment ago: then nobody is asked' },
  },
  {
    name: 'adopt-owned',
    timeline: oneByOne(
      apply(net, web),
      apply(network('second', { adopt: { id: idOf(net) } }), {
        kind: 'CloudVM',
        name: 'second',
        spec: { adopt: { id: idOf(web) } },
      }),
    ),
    ends: [
      { reason: 'AdoptionConflict', because: 'one cloud object has one owner, and this one has it already' },
    ],
  },
  {
    name: 'restored-beside',
    timeline: oneByOne(
      apply(net, web, disk('data', TEN)),
      { do: 'copy', object: net, to: 'net-restored', withStatus: true },
      { do: 'copy', object: web, to: 'web-restored', withStatus: true },
      { do: 'copy', object: disk('data'), to: 'data-restored', withStatus: true },
    ),
    ends: [{ reason: 'AdoptionConflict', because: 'what a copied status names belongs to the original' }],
  },
]
