import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CloudClient } from '../../../src/cloud/client.ts'
import { createReplica, deleteReplica, listReplicas } from '../../../src/cloud/replicas.ts'
import { contract } from './contract.ts'
import { send, startRecorder, testClient, type Recorder } from './recorder.ts'

const at = 'tll01'
const vm = '7a7b2d2e-1111-4222-8333-0123456789ab'
const disk = 'd15c0000-1111-4222-8333-0123456789ab'
const id = `${disk}2024-01-02-03-04-05`
const reply = {
  uuid: id,
  id: 3,
  master_id: 7,
  master_uuid: disk,
  pool: 'p',
  size: '20',
  type: 'snapshot',
  created_at: '2024-01-02 03:04:05.123456',
  updated_at: null,
}
const replica = {
  uuid: id,
  masterUUID: disk,
  sizeGiB: 20,
  type: 'snapshot',
  createdAt: '2024-01-02 03:04:05.123456',
}
const item = { uuid: disk, name: 'vda', primary: true, size: 20, replica: [reply] }
const known = { uuid: disk, name: 'vda', primary: true, sizeGiB: 20, replicas: [replica] }

contract([
  {
    name: 'list: the type is always sent',
    call: (client) => listReplicas(client, at, vm, 'snapshot'),
    line: `GET /v1/tll01/user-resource/vm/replica?uuid=${vm}&r_type=snapshot`,
    reply: [reply, { uuid: 'bare' }],
    result: [replica, { uuid: 'bare' }],
    mutation: false,
  },
  {
    name: 'create: the id of the machine; answered by its disk',
    call: (client) => createReplica(client, at, { uuid: vm, diskUUID: disk }, send()),
    line: 'POST /v1/tll01/user-resource/vm/replica',
    form: `uuid=${vm}`,
    reply: item,
    result: known,
    mutation: true,
  },
  {
    name: 'create: of a machine whose disk is not known',
    call: (client) => createReplica(client, at, { uuid: vm, diskUUID: undefined }, send()),
    line: 'POST /v1/tll01/user-resource/vm/replica',
    form: `uuid=${vm}`,
    reply: item,
    status: 201,
    result: known,
    mutation: true,
  },
  {
    name: 'delete: a form body, and only the id of the replica',
    call: (client) => deleteReplica(client, at, id, send()),
    line: 'DELETE /v1/tll01/user-resource/vm/replica',
    form: `replica_uuid=${id}`,
    reply: { success: true },
    result: undefined,
    mutation: true,
  },
])

let recorder: Recorder
let client: CloudClient
beforeAll(async () => {
  recorder = await startRecorder()
  client = testClient(recorder.url)
})
afterAll(async () => {
  await client.close()
  await recorder.stop()
})

test.each<[string, unknown]>([
  ['about another disk', { ...item, uuid: 'another' }],
  ['of another shape', [reply]],
  ['of nothing', {}],
])('a create with an answer %s: it may have happened', async (_what, body) => {
  recorder.respond(() => ({ body }))
  const create = createReplica(client, at, { uuid: vm, diskUUID: disk }, send())
  await expect(create).rejects.toMatchObject({ class: 'unclear', sent: true })
})

test.each<[string, () => Promise<unknown>]>([
  ['list', () => listReplicas(client, at, vm, 'snapshot')],
  ['create', () => createReplica(client, at, { uuid: vm, diskUUID: disk }, send())],
])('%s of a machine that is gone: absent, and only then', async (_what, call) => {
  const status = 400
  recorder.respond(() => ({ status, body: { errors: { Error: `No such virtual machine exists: ${vm}` } } }))
  await expect(call()).rejects.toMatchObject({ class: 'absent' })
  recorder.respond(() => ({ status, body: { errors: { Error: 'No such virtual machine exists: other' } } }))
  await expect(call()).rejects.toMatchObject({ class: 'refused' })
})

test('an unknown replica is refused: that it is gone is told by the list alone', async () => {
  const body = { errors: { replica_uuid: `No such replica exists: ${id}` } }
  recorder.respond(() => ({ status: 400, body }))
  const removal = deleteReplica(client, at, id, send())
  await expect(removal).rejects.toMatchObject({ class: 'refused', field: 'replica_uuid' })
})
