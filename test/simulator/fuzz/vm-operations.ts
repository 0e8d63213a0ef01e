/** VMs, their disks and replicas. */
import { flag, nothing, sometimes, words, type Operation, type Asked, type Values } from './operation.ts'
import type { Picks } from './picks.ts'

const vm = { sends: 'form', errors: 'fields', local: 'always' } as const
const isStopped = (machine: { status: string }) => machine.status === 'stopped'
const isRunning = (machine: { status: string }) => machine.status === 'running'

export const vmOperations: readonly Operation[] = [
  { ...vm, method: 'GET', path: '/user-resource/host_pool/list', ask: nothing },
  { ...vm, method: 'GET', path: '/user-resource/vm/list', ask: nothing },
  { ...vm, method: 'GET', path: '/user-resource/vm', ask: (picks) => ({ query: { uuid: picks.vm() } }) },
  { ...vm, method: 'POST', path: '/user-resource/vm', ask: (picks) => ({ body: newVm(picks) }) },
  {
    ...vm,
    method: 'PATCH',
    path: '/user-resource/vm',
    ask: (picks) => ({
      body: {
        uuid: picks.vm(isStopped),
        ...sometimes(picks, {
          name: words(2),
          ram: picks.random.whole(1, 64) * 512,
          vcpu: picks.random.whole(1, 16),
        }),
      },
    }),
  },
  { ...vm, method: 'DELETE', path: '/user-resource/vm', ask: (picks) => ({ body: { uuid: picks.vm() } }) },
  {
    ...vm,
    method: 'PATCH',
    path: '/user-resource/vm/user',
    ask: (picks) => ({ body: { uuid: picks.vm(isRunning), username: 'someone', password: 'Secret123' } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/start',
    ask: (picks) => ({ body: { uuid: picks.vm(isStopped) } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/stop',
    ask: (picks) => ({
      body: { uuid: picks.vm(isRunning), ...sometimes(picks, { force: flag(picks) }) },
    }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/rescue_start',
    ask: (picks) => ({ body: { uuid: picks.vm(isStopped) } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/reinstall',
    ask: (picks) => {
      const other = picks.random.chance(0.5) ? { os_name: 'debian', os_version: '12' } : {}
      const image = picks.random.chance(0.3) ? { base_os_image: 'rocky_9' } : other
      return { body: { uuid: picks.vm(), ...image } }
    },
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/backup',
    ask: (picks) => ({ body: { uuid: picks.vm() } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/clone',
    ask: (picks) => ({ body: { uuid: picks.vm(), name: 'copy' } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/rebuild',
    ask: (picks) => {
      const uuid = picks.vm()
      return { body: { uuid, replica_uuid: picks.replicaOf(uuid) } }
    },
  },
  {
    ...vm,
    method: 'DELETE',
    path: '/user-resource/vm/ip/public',
    ask: (picks) => ({ body: { uuid: picks.vm() } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/ip/public',
    ask: (picks) => ({ body: { uuid: picks.vm() } }),
  },
  {
    ...vm,
    method: 'GET',
    path: '/user-resource/vm/replica',
    ask: (picks) => ({
      query: { uuid: picks.vm(), ...sometimes(picks, { r_type: 'snapshot' }) },
    }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/replica',
    ask: (picks) => ({ body: { uuid: picks.vm() } }),
  },
  {
    ...vm,
    method: 'DELETE',
    path: '/user-resource/vm/replica',
    ask: (picks) => ({ body: { replica_uuid: picks.anyReplica() } }),
  },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/storage',
    ask: (picks) => ({ body: { uuid: picks.vm(), size_gb: picks.random.whole(1, 100) } }),
  },
  {
    ...vm,
    method: 'PATCH',
    path: '/user-resource/vm/storage',
    ask: (picks) => {
      const uuid = picks.vm()
      return { body: { uuid, disk_uuid: picks.diskOn(uuid), size_gb: picks.random.whole(10, 200) } }
    },
  },
  { ...vm, method: 'DELETE', path: '/user-resource/vm/storage', ask: onVm },
  {
    ...vm,
    method: 'POST',
    path: '/user-resource/vm/storage/attach',
    ask: (picks) => ({
      body: { uuid: picks.vm(), storage_uuid: picks.disk((candidate) => candidate.attachedTo === null) },
    }),
  },
  { ...vm, method: 'POST', path: '/user-resource/vm/storage/detach', ask: onVm },
]

function newVm(picks: Picks): Values {
  const { random } = picks
  const common = {
    name: words(random.whole(1, 3)),
    vcpu: random.whole(1, 8),
    ram: random.whole(1, 16) * 512,
    billing_account_id: picks.billing(),
    ...sometimes(picks, {
      username: 'someone',
      password: 'Secret123',
      public_key: 'ssh-ed25519 AAAA a+b',
      description: 'ü & = ? %',
      backup: flag(picks),
      reserve_public_ip: flag(picks),
      network_uuid: random.chance(0.2) ? '' : picks.network(),
      cloud_init: '{"runcmd":["echo 1 + 1"],"write_files":[]}',
    }),
  }
  if (random.chance(0.15))
    return { ...common, disk_uuid: picks.disk((free) => free.attachedTo === null), disks: '' }
  const image = { os_name: 'ubuntu', os_version: random.oneOf(['20.04', '22.04', '24.04']) }
  if (random.chance(0.15)) {
    const source = picks.vm()
    return { ...common, source_uuid: source, source_replica: picks.replicaOf(source) }
  }
  return { ...common, ...image, disks: random.whole(5, 100) }
}

function onVm(picks: Picks): Asked {
  const uuid = picks.vm()
  return { body: { uuid, storage_uuid: picks.diskOn(uuid) } }
}
