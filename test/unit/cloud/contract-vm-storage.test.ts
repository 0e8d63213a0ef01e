import { describe } from 'vitest'
import { attachDisk, detachDisk, growDisk } from '../../../src/cloud/vm-storage.ts'
import { contract } from './contract.ts'
import { send } from './recorder.ts'
import { disk, storage, storageRecord } from './storage-item.ts'

const at = 'tll01'
const vm = '7a7b2d2e-1111-4222-8333-0123456789ab'

describe('disks on a VM', () => {
  contract([
    {
      name: 'grow says disk_uuid',
      call: (client) => growDisk(client, at, vm, disk, 40, send()),
      line: 'PATCH /v1/tll01/user-resource/vm/storage',
      form: `uuid=${vm}&disk_uuid=${disk}&size_gb=40`,
      reply: storage,
      result: storageRecord,
      mutation: true,
    },
    {
      name: 'attach says storage_uuid',
      call: (client) => attachDisk(client, at, vm, disk, send()),
      line: 'POST /v1/tll01/user-resource/vm/storage/attach',
      form: `uuid=${vm}&storage_uuid=${disk}`,
      reply: storage,
      result: storageRecord,
      mutation: true,
    },
    {
      name: 'detach says storage_uuid',
      call: (client) => detachDisk(client, at, vm, disk, send()),
      line: 'POST /v1/tll01/user-resource/vm/storage/detach',
      form: `uuid=${vm}&storage_uuid=${disk}`,
      reply: { success: true },
      result: undefined,
      mutation: true,
    },
  ])
})
