/** Disks and replicas through their VM, and the two deprecated operations on a VM's public address. */
import type { ApiCall, Route } from '../http/route.ts'
import { replicaRecord, storageRecord } from '../records/vm.ts'
import { releasePublicIp, reservePublicIp } from '../state/publicip.ts'
import { createReplica, deleteReplica, replicasOf } from '../state/replicas.ts'
import { addStorage, attachStorage, deleteStorage, detachStorage, resizeStorage } from '../state/storage.ts'
import { one } from './vms.ts'

const common = { family: 'vm', slug: 'both', reads: 'form' } as const
const success = { status: 200, body: { success: true } } as const

export const storageRoutes: readonly Route[] = [
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/storage',
    handle: (call) => ({
      status: 200,
      body: storageRecord(addStorage(call, vmOf(call), call.body.requiredWhole('size_gb'))),
    }),
  },
  {
    ...common,
    method: 'PATCH',
    path: '/user-resource/vm/storage',
    handle: (call) => {
      const { body } = call
      const disk = resizeStorage(
        call,
        vmOf(call),
        body.requiredText('disk_uuid'),
        body.requiredWhole('size_gb'),
      )
      return { status: 200, body: storageRecord(disk) }
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/user-resource/vm/storage',
    handle: (call) => {
      deleteStorage(call, vmOf(call), call.body.requiredText('storage_uuid'))
      return success
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/storage/attach',
    handle: (call) => ({
      status: 200,
      body: storageRecord(attachStorage(call, vmOf(call), call.body.requiredText('storage_uuid'))),
    }),
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/storage/detach',
    handle: (call) => {
      detachStorage(call, vmOf(call), call.body.requiredText('storage_uuid'))
      return success
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/user-resource/vm/replica',
    handle: (call) => {
      const { query } = call
      const { disk, replicas } = replicasOf(
        call,
        query.requiredText('uuid'),
        query.text('r_type') ?? 'snapshot',
      )
      return { status: 200, body: replicas.map((replica) => replicaRecord(disk, replica)) }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/replica',
    handle: (call) => ({ status: 200, body: storageRecord(createReplica(call, vmOf(call))) }),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/user-resource/vm/replica',
    handle: (call) => {
      deleteReplica(call, call.body.requiredText('replica_uuid'))
      return success
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/user-resource/vm/ip/public',
    handle: (call) => one(call, releasePublicIp(call, vmOf(call))),
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/ip/public',
    handle: (call) => one(call, reservePublicIp(call, vmOf(call))),
  },
]

function vmOf(call: ApiCall): string {
  return call.body.requiredText('uuid')
}
