/** Disks: on their own, on a VM, and as replicas. */
import { billing } from '../kit.ts'
import { busy } from './machines.ts'
import { unknownUuid, type Ids } from './scene.ts'
import { account, amount, id, type Operation, type Wrong } from './spec.ts'

const onVm = '/user-resource/vm/storage'
const primary = ({ bootDisk }: Ids): Wrong => ({
  why: 'the primary disk',
  fields: { storage_uuid: bootDisk },
  names: ['primary disk'],
})
const diskInPath = { of: 'disk', id: (ids: Ids) => ids.disk, word: 'Disk' } as const

export const storageOperations: readonly Operation[] = [
  {
    name: 'GET /user-resource/vm/replica',
    carrier: 'query',
    parameters: { uuid: id('vm') },
    right: ({ vm }) => ({ uuid: vm, r_type: 'snapshot' }),
    wrong: () =>
      ['other', 'SNAPSHOT', '1'].map((type) => ({
        why: `the type ${type}`,
        fields: { r_type: type },
        names: ['r_type'],
      })),
  },
  {
    name: 'POST /user-resource/vm/replica',
    carrier: 'form',
    parameters: { uuid: id('vm') },
    right: ({ vm }) => ({ uuid: vm }),
    wrong: (ids) => [busy(ids)],
  },
  {
    name: 'DELETE /user-resource/vm/replica',
    carrier: 'form',
    parameters: { replica_uuid: id('replica') },
    right: ({ replica }) => ({ replica_uuid: replica }),
  },
  {
    name: `POST ${onVm}`,
    carrier: 'form',
    parameters: { uuid: id('vm'), size_gb: amount() },
    right: ({ vm }) => ({ uuid: vm, size_gb: 5 }),
    wrong: (ids) => [busy(ids)],
  },
  {
    name: `PATCH ${onVm}`,
    carrier: 'form',
    parameters: { uuid: id('vm'), disk_uuid: id('diskOnVm'), size_gb: amount() },
    right: ({ vm, attachedDisk }) => ({ uuid: vm, disk_uuid: attachedDisk, size_gb: 12 }),
    wrong: (ids) => [
      busy(ids),
      { why: 'smaller than it is', fields: { size_gb: 9 }, names: ['size_gb'] },
      {
        why: 'under the name storage_uuid',
        fields: { disk_uuid: undefined, storage_uuid: ids.attachedDisk },
        names: ['disk_uuid'],
      },
    ],
  },
  {
    name: `DELETE ${onVm}`,
    carrier: 'form',
    parameters: { uuid: id('vm'), storage_uuid: id('diskOnVm') },
    right: ({ vm, attachedDisk }) => ({ uuid: vm, storage_uuid: attachedDisk }),
    wrong: (ids) => [busy(ids), primary(ids)],
  },
  {
    name: `POST ${onVm}/attach`,
    carrier: 'form',
    parameters: { uuid: id('vm'), storage_uuid: id('disk') },
    right: ({ vm, disk }) => ({ uuid: vm, storage_uuid: disk }),
    wrong: (ids) => [
      busy(ids),
      { why: 'attached already', fields: { storage_uuid: ids.attachedDisk }, names: [ids.attachedDisk] },
      {
        why: 'attached to another VM',
        fields: { uuid: ids.stoppedVm, storage_uuid: ids.attachedDisk },
        names: [ids.attachedDisk],
      },
    ],
  },
  {
    name: `POST ${onVm}/detach`,
    carrier: 'form',
    parameters: { uuid: id('vm'), storage_uuid: id('diskOnVm') },
    right: ({ vm, attachedDisk }) => ({ uuid: vm, storage_uuid: attachedDisk }),
    wrong: (ids) => [busy(ids), primary(ids)],
  },
  {
    name: 'POST /storage/disks',
    carrier: 'form',
    parameters: { size_gb: amount(), billing_account_id: account() },
    right: () => ({ size_gb: 10, billing_account_id: billing, source_image_type: 'EMPTY' }),
    wrong: sourceWrongs,
  },
  { name: 'GET /storage/disks' },
  { name: 'GET /storage/disks/:uuid', path: diskInPath },
  {
    name: 'PATCH /storage/disks/:uuid',
    carrier: 'form',
    path: diskInPath,
    parameters: { billing_account_id: account() },
    right: () => ({ billing_account_id: billing }),
    wrong: ({ deletedDisk }) => [{ why: 'a deleted disk', id: deletedDisk, names: ['Disk'] }],
  },
  {
    name: 'DELETE /storage/disks/:uuid',
    path: diskInPath,
    wrong: ({ deletedDisk, attachedDisk, bootDisk }) => [
      { why: 'a deleted disk', id: deletedDisk, names: ['Disk'] },
      { why: 'an attached disk', id: attachedDisk, names: ['Disk is attached'] },
      { why: 'a boot disk', id: bootDisk, names: ['Disk is attached'] },
    ],
  },
]

function sourceWrongs(ids: Ids): Wrong[] {
  const from = (type: string, source: string | undefined, why: string, name = 'source_image'): Wrong => ({
    why: `from ${type}: ${why}`,
    fields: { source_image_type: type, source_image: source, size_gb: 20 },
    names: [name],
  })
  return [
    from('OTHER', 'x', 'an unknown type', 'source_image_type'),
    from('empty', undefined, 'a type in small letters', 'source_image_type'),
    ...['OS_BASE', 'DISK', 'SNAPSHOT'].flatMap((type) => [
      from(type, undefined, 'no source'),
      from(type, '', 'an empty source'),
      from(type, 'nonsense', 'nonsense'),
      from(type, unknownUuid, 'unknown'),
    ]),
    from('OS_BASE', 'ubuntu_1.0', 'an unknown image'),
    from('DISK', ids.foreignDisk, "another account's"),
    from('DISK', ids.elsewhereDisk, "another location's"),
    from('DISK', ids.deletedDisk, 'deleted'),
    from('DISK', ids.snapshot, 'a snapshot'),
    from('SNAPSHOT', ids.disk, 'a disk'),
    {
      why: 'smaller than its source',
      fields: { source_image_type: 'DISK', source_image: ids.disk, size_gb: 9 },
      names: ['size_gb'],
    },
    {
      why: 'a billing account that the token is not for',
      apiKey: ids.restrictedKey,
      fields: { billing_account_id: 8 },
      names: ['billing_account_id'],
    },
  ]
}
