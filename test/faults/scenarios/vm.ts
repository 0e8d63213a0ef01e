/** Stories of virtual machines. */
import type { Scenario } from '../steps.ts'
import { apply, bucket, edit, network, oneByOne, ref, remove, settle, vm } from './words.ts'

const web = vm('web')

export const vmScenarios: readonly Scenario[] = [
  { name: 'vm', timeline: oneByOne(apply(web)) },
  { name: 'vm-brief', timeline: [apply(web), settle, remove(web), settle] },
  { name: 'vm-rename', timeline: oneByOne(apply(web), edit(web, { name: 'renamed' })) },
  { name: 'vm-resize', timeline: oneByOne(apply(web), edit(web, { vcpus: 2, memoryMiB: 2_048 })) },
  {
    name: 'vm-power',
    timeline: oneByOne(
      apply(web),
      edit(web, { powerState: 'Stopped' }),
      edit(web, { vcpus: 2 }),
      edit(web, { powerState: 'Running' }),
    ),
  },
  {
    name: 'vm-backups',
    timeline: oneByOne(apply(web), edit(web, { backups: 'Enabled' }), edit(web, { backups: 'Disabled' })),
  },
  { name: 'vm-disk-grows', timeline: oneByOne(apply(web), edit(web, { bootDisk: { sizeGiB: 40 } })) },
  {
    name: 'vm-password',
    timeline: [
      { do: 'secret', name: 'login', data: { pw: 'First-Pass-1' } },
      ...oneByOne(apply(vm('web', { passwordSecretRef: { name: 'login', key: 'pw' } }))),
      { do: 'secret', name: 'login', data: { pw: 'Second-Pass-2' } },
      { do: 'wait', ms: 90_000 },
      { do: 'settle' },
    ],
  },
  { name: 'vm-address', timeline: oneByOne(apply(vm('web', { publicIP: 'Reserve' })), remove(web)) },
  {
    name: 'vm-clone',
    timeline: oneByOne(
      apply(web),
      apply({ kind: 'CloudVM', name: 'copy', spec: { source: { vmRef: ref(web) }, memoryMiB: 2_048 } }),
    ),
  },
  {
    name: 'vm-in-network',
    timeline: oneByOne(apply(vm('web', { networkRef: { name: 'net' } })), apply(network('net'))),
  },
  {
    name: 'vm-everything',
    timeline: oneByOne(
      apply(vm('web', { backups: 'Enabled', powerState: 'Running', publicIP: 'Reserve' })),
      edit(web, { name: 'all', vcpus: 2, memoryMiB: 2_048, bootDisk: { sizeGiB: 30 }, backups: 'Disabled' }),
    ),
  },
  { name: 'bucket', timeline: oneByOne(apply(bucket('assets', { bucketName: 'work-assets' }))) },
  {
    name: 'buckets',
    timeline: oneByOne(
      apply(bucket('assets', { bucketName: 'work-assets' }), bucket('logs', { bucketName: 'work-logs' })),
      remove(bucket('assets')),
    ),
  },
]
