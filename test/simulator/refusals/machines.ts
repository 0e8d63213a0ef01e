/** Virtual machines, without what is on and around them. */
import { account, amount, flag, id, text, type Operation, type Wrong } from './spec.ts'
import { plainVm, unknownUuid, type Ids } from './scene.ts'

/** Another operation runs on the VM. */
export function busy({ busyVm }: Ids, field = 'uuid'): Wrong {
  return {
    why: 'a VM with an operation under way',
    fields: { [field]: busyVm },
    names: [busyVm],
    status: 409,
  }
}

const ofVm = { carrier: 'form', parameters: { uuid: id('vm') } } as const

export const machineOperations: readonly Operation[] = [
  {
    name: 'GET /user-resource/vm',
    carrier: 'query',
    parameters: { uuid: id('shownVm') },
    right: ({ vm }) => ({ uuid: vm }),
  },
  { name: 'GET /user-resource/vm/list' },
  { name: 'GET /user-resource/host_pool/list' },
  {
    name: 'POST /user-resource/vm',
    carrier: 'form',
    readsJsonToo: true,
    parameters: {
      name: text(),
      os_name: text(),
      os_version: text(),
      disks: amount(),
      vcpu: amount(),
      ram: amount(),
      backup: flag,
      billing_account_id: account(),
      designated_pool_uuid: id('pool', false),
      network_uuid: id('network', false),
      reserve_public_ip: flag,
    },
    right: ({ network, pool }) =>
      plainVm({
        backup: false,
        network_uuid: network,
        designated_pool_uuid: pool,
        cloud_init: '{"runcmd":[]}',
      }),
    wrong: createWrongs,
  },
  {
    ...ofVm,
    name: 'PATCH /user-resource/vm',
    parameters: { uuid: id('vm'), ram: amount(false), vcpu: amount(false) },
    right: ({ stoppedVm }) => ({ uuid: stoppedVm, name: 'other', ram: 4096, vcpu: 4 }),
    wrong: (ids) => [
      busy(ids),
      ...['ram', 'vcpu'].map((field) => ({
        why: `${field} of a running VM`,
        fields: { uuid: ids.vm, ram: undefined, vcpu: undefined, [field]: 4 },
        names: [field],
      })),
      { why: 'ram as it is', fields: { ram: 2048 }, names: ['ram'], only: 'extended' },
      { why: 'vcpu as it is', fields: { vcpu: 2 }, names: ['vcpu'], only: 'extended' },
      {
        why: 'nothing to change',
        fields: { name: undefined, ram: undefined, vcpu: undefined, description: 'x' },
        names: ['name, ram or vcpu'],
      },
    ],
  },
  {
    ...ofVm,
    name: 'DELETE /user-resource/vm',
    right: ({ vm }) => ({ uuid: vm }),
    wrong: (ids) => [busy(ids)],
  },
  {
    ...ofVm,
    name: 'PATCH /user-resource/vm/user',
    parameters: { uuid: id('vm'), username: text(), password: text() },
    right: ({ vm }) => ({ uuid: vm, username: 'other', password: 'Another123' }),
    wrong: (ids) => [
      busy(ids),
      {
        why: 'a stopped VM',
        fields: { uuid: ids.stoppedVm },
        names: ['must be running to change a password'],
      },
      ...weakPasswords(),
    ],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/start',
    right: ({ stoppedVm }) => ({ uuid: stoppedVm }),
    wrong: (ids) => [busy(ids)],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/stop',
    parameters: { uuid: id('vm'), force: flag },
    right: ({ vm }) => ({ uuid: vm, force: true }),
    wrong: (ids) => [busy(ids)],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/rescue_start',
    right: ({ stoppedVm }) => ({ uuid: stoppedVm }),
    wrong: (ids) => [
      busy(ids),
      { why: 'a running VM', fields: { uuid: ids.vm }, names: ['virtual machine must be stopped'] },
    ],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/reinstall',
    right: ({ vm }) => ({ uuid: vm }),
    wrong: (ids) => [
      busy(ids),
      { why: 'an unknown system', fields: { os_name: 'other' }, names: ['other_22.04'] },
      { why: 'an unknown version', fields: { os_version: '1.0' }, names: ['os_version'] },
      ...['other_1', 'ubuntu', 'ubuntu_', '_22.04'].map((image) => ({
        why: `the image ${image}`,
        fields: { base_os_image: image },
        names: ['base_os_image'],
      })),
    ],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/backup',
    right: ({ vm }) => ({ uuid: vm }),
    wrong: (ids) => [busy(ids)],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/clone',
    parameters: { uuid: id('vm'), name: text() },
    right: ({ vm }) => ({ uuid: vm, name: 'twin' }),
    wrong: (ids) => [busy(ids)],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/rebuild',
    parameters: { uuid: id('vm'), replica_uuid: id('replica') },
    right: ({ vm, replica }) => ({ uuid: vm, replica_uuid: replica }),
    wrong: (ids) => [
      busy(ids),
      { why: "another VM's replica", fields: { replica_uuid: ids.otherReplica }, names: ['replica_uuid'] },
    ],
  },
  {
    ...ofVm,
    name: 'DELETE /user-resource/vm/ip/public',
    right: ({ vm }) => ({ uuid: vm }),
    wrong: (ids) => [
      busy(ids),
      { why: 'a VM without one', fields: { uuid: ids.stoppedVm }, names: ['no public IPv4 address'] },
    ],
  },
  {
    ...ofVm,
    name: 'POST /user-resource/vm/ip/public',
    right: ({ stoppedVm }) => ({ uuid: stoppedVm }),
    wrong: (ids) => [busy(ids)],
  },
]

function weakPasswords(): Wrong[] {
  return ['Short1', 'alllower1', 'ALLUPPER1', 'NoDigitsHere'].map((password) => ({
    why: `the password ${password}`,
    fields: { password },
    names: ['password'],
    only: 'extended',
  }))
}

function createWrongs(ids: Ids): Wrong[] {
  const fromDisk = { disks: undefined, os_name: undefined, os_version: undefined }
  const disk = (why: string, uuid: string): Wrong => ({
    why: `to boot from a disk that is ${why}`,
    fields: { ...fromDisk, disk_uuid: uuid },
    names: ['disk_uuid'],
  })
  const copy = (why: string, fields: object, ...names: string[]): Wrong => ({
    why: `a copy ${why}`,
    fields: { ...fromDisk, source_uuid: ids.vm, source_replica: ids.replica, ...fields },
    names,
  })
  return [
    ...weakPasswords(),
    { why: 'the user root', fields: { username: 'root' }, names: ['username'], only: 'extended' },
    { why: 'an unknown system', fields: { os_name: 'other' }, names: ['other_22.04'] },
    { why: 'an unknown version', fields: { os_version: '1.0' }, names: ['os_version'] },
    ...['no json', '[]', '"x"', '{"packages":[]}'].map((config) => ({
      why: `cloud_init ${config}`,
      fields: { cloud_init: config },
      names: ['cloud_init'],
    })),
    { why: 'disks and disk_uuid', fields: { disk_uuid: ids.disk }, names: ['disks'] },
    disk('not there', unknownUuid),
    disk("another account's", ids.foreignDisk),
    disk("another location's", ids.elsewhereDisk),
    disk('attached', ids.attachedDisk),
    disk('deleted', ids.deletedDisk),
    copy('without its replica', { source_replica: undefined }, 'source_replica'),
    copy('without its source', { source_uuid: undefined }, 'source_uuid'),
    copy('of an unknown VM', { source_uuid: unknownUuid }, unknownUuid),
    copy("of another account's VM", { source_uuid: ids.foreignVm }, ids.foreignVm),
    copy("of another VM's replica", { source_replica: ids.otherReplica }, 'source_replica'),
    {
      why: 'a billing account that the token is not for',
      apiKey: ids.restrictedKey,
      fields: { billing_account_id: 8 },
      names: ['billing_account_id'],
    },
  ]
}
