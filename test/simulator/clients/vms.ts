/** Virtual machines, their replicas, disks and public addresses, and the pools that host them. Location-specific. */
import { many, one, success } from './shapes.ts'
import { pool, replica, storageItem, vm } from './vmshapes.ts'
import type { Wire } from './wire.ts'

export const vmOperations = [
  'GET /user-resource/vm',
  'GET /user-resource/vm/list',
  'POST /user-resource/vm',
  'PATCH /user-resource/vm',
  'DELETE /user-resource/vm',
  'PATCH /user-resource/vm/user',
  'POST /user-resource/vm/start',
  'POST /user-resource/vm/stop',
  'POST /user-resource/vm/rescue_start',
  'POST /user-resource/vm/reinstall',
  'POST /user-resource/vm/backup',
  'POST /user-resource/vm/clone',
  'POST /user-resource/vm/rebuild',
  'GET /user-resource/host_pool/list',
  'DELETE /user-resource/vm/ip/public',
  'POST /user-resource/vm/ip/public',
  'GET /user-resource/vm/replica',
  'POST /user-resource/vm/replica',
  'DELETE /user-resource/vm/replica',
  'POST /user-resource/vm/storage',
  'PATCH /user-resource/vm/storage',
  'DELETE /user-resource/vm/storage',
  'POST /user-resource/vm/storage/attach',
  'POST /user-resource/vm/storage/detach',
] as const

export interface CreateVm {
  name: string
  os_name?: string
  os_version?: string
  /** Size of the boot disk; empty when disk_uuid is given. */
  disks?: string
  vcpu?: number
  ram?: number
  username?: string
  password?: string
  public_key?: string
  description?: string
  backup?: boolean
  billing_account_id?: number
  designated_pool_uuid?: string
  source_uuid?: string
  source_replica?: string
  disk_uuid?: string
  reserve_public_ip?: boolean
  network_uuid?: string
  /** JSON. */
  cloud_init?: string
}

export function vmsClient({ send, dialect }: Wire) {
  return {
    get: async (uuid: string) => one(await send('GET /user-resource/vm', { query: { uuid } }), dialect, vm),
    list: async () => many(await send('GET /user-resource/vm/list'), dialect, vm),
    create: async (form: CreateVm) =>
      one(await send('POST /user-resource/vm', { form: { ...form } }), dialect, vm),
    modify: async (uuid: string, change: { name?: string; ram?: number; vcpu?: number }) =>
      one(await send('PATCH /user-resource/vm', { form: { uuid, ...change } }), dialect, vm),
    delete: async (uuid: string): Promise<void> => {
      await send('DELETE /user-resource/vm', { form: { uuid } })
    },
    setPassword: async (uuid: string, username: string, password: string) =>
      success(await send('PATCH /user-resource/vm/user', { form: { uuid, username, password } })),
    start: async (uuid: string): Promise<void> => {
      await send('POST /user-resource/vm/start', { form: { uuid } })
    },
    stop: async (uuid: string, force?: boolean) =>
      one(await send('POST /user-resource/vm/stop', { form: { uuid, force } }), dialect, vm),
    rescueStart: async (uuid: string): Promise<void> => {
      await send('POST /user-resource/vm/rescue_start', { form: { uuid } })
    },
    reinstall: async (uuid: string, os: { os_name?: string; os_version?: string; base_os_image?: string }) =>
      one(await send('POST /user-resource/vm/reinstall', { form: { uuid, ...os } }), dialect, vm),
    toggleBackup: async (uuid: string) =>
      one(await send('POST /user-resource/vm/backup', { form: { uuid } }), dialect, vm),
    clone: async (uuid: string, name: string) =>
      one(await send('POST /user-resource/vm/clone', { form: { uuid, name } }), dialect, vm),
    rebuild: async (uuid: string, replicaUuid: string) =>
      one(
        await send('POST /user-resource/vm/rebuild', { form: { uuid, replica_uuid: replicaUuid } }),
        dialect,
        vm,
      ),
    pools: async () => many(await send('GET /user-resource/host_pool/list'), dialect, pool),
    ...publicAddress({ send, dialect }),
    ...replicas({ send, dialect }),
    ...storage({ send, dialect }),
  }
}

/** Deprecated in favour of floating IPs. */
function publicAddress({ send, dialect }: Wire) {
  return {
    releasePublicIp: async (uuid: string) =>
      one(await send('DELETE /user-resource/vm/ip/public', { form: { uuid } }), dialect, vm),
    reservePublicIp: async (uuid: string) =>
      one(await send('POST /user-resource/vm/ip/public', { form: { uuid } }), dialect, vm),
  }
}

function replicas({ send, dialect }: Wire) {
  return {
    replicas: async (uuid: string, type?: string) =>
      many(await send('GET /user-resource/vm/replica', { query: { uuid, r_type: type } }), dialect, replica),
    createReplica: async (uuid: string) =>
      one(await send('POST /user-resource/vm/replica', { form: { uuid } }), dialect, storageItem),
    deleteReplica: async (replicaUuid: string) =>
      success(await send('DELETE /user-resource/vm/replica', { form: { replica_uuid: replicaUuid } })),
  }
}

/** A resize calls the disk disk_uuid, all others storage_uuid. */
function storage({ send, dialect }: Wire) {
  const path = '/user-resource/vm/storage'
  return {
    addDisk: async (uuid: string, sizeGb: number) =>
      one(await send(`POST ${path}`, { form: { uuid, size_gb: sizeGb } }), dialect, storageItem),
    resizeDisk: async (uuid: string, disk: string, sizeGb: number) =>
      one(
        await send(`PATCH ${path}`, { form: { uuid, disk_uuid: disk, size_gb: sizeGb } }),
        dialect,
        storageItem,
      ),
    deleteDisk: async (uuid: string, disk: string) =>
      success(await send(`DELETE ${path}`, { form: { uuid, storage_uuid: disk } })),
    attachDisk: async (uuid: string, disk: string) =>
      one(await send(`POST ${path}/attach`, { form: { uuid, storage_uuid: disk } }), dialect, storageItem),
    detachDisk: async (uuid: string, disk: string) =>
      success(await send(`POST ${path}/detach`, { form: { uuid, storage_uuid: disk } })),
  }
}
