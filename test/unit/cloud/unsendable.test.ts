import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CloudClient } from '../../../src/cloud/client.ts'
import { createDisk, getDisk } from '../../../src/cloud/disks.ts'
import { getFloatingIp } from '../../../src/cloud/floatingips.ts'
import { addTarget } from '../../../src/cloud/loadbalancers.ts'
import { createNetwork } from '../../../src/cloud/networks.ts'
import { createBucket, deleteBucket } from '../../../src/cloud/buckets.ts'
import { createVm, deleteVm, listVms } from '../../../src/cloud/vms.ts'
import { detachDisk } from '../../../src/cloud/vm-storage.ts'
import { send, startRecorder, testClient } from './recorder.ts'
import type { Recorder } from './recorder.ts'

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

const uuid = '7a7b2d2e-1111-4222-8333-0123456789ab'
const vm = { name: 'a', networkUUID: uuid, reservePublicIP: false, vcpus: 1, memoryMiB: 1024 }

test.each<{ says: string; field: string; call: () => Promise<unknown> }>([
  { says: 'a slug that leaves its segment', field: 'location', call: () => listVms(client, '../admin') },
  { says: 'an empty slug', field: 'location', call: () => listVms(client, '') },
  { says: 'a slug that is a route', field: 'location', call: () => listVms(client, 'network') },
  { says: 'a uuid with a slash', field: 'disk', call: () => getDisk(client, 'tll01', 'a/b') },
  { says: 'a uuid of dots', field: 'disk', call: () => getDisk(client, 'tll01', '..') },
  { says: 'a uuid with a query', field: 'disk', call: () => getDisk(client, 'tll01', 'a?b=c') },
  {
    says: 'an address with a space',
    field: 'address',
    call: () => getFloatingIp(client, 'tll01', '1.2.3.4 '),
  },
  { says: 'an empty uuid in a form', field: 'uuid', call: () => deleteVm(client, 'tll01', '', send()) },
  {
    says: 'an empty disk in a form',
    field: 'storage_uuid',
    call: () => detachDisk(client, 'tll01', uuid, '', send()),
  },
  { says: 'an empty bucket name', field: 'name', call: () => deleteBucket(client, '', send()) },
  {
    says: 'a bucket name with a slash',
    field: 'name',
    call: () => createBucket(client, { name: 'a/b', billingAccount: 1 }, send()),
  },
  {
    says: 'a network without a name',
    field: 'name',
    call: () => createNetwork(client, undefined, ' ', send()),
  },
  {
    says: 'a VM without a network',
    field: 'network_uuid',
    call: () => createVm(client, 'tll01', { ...vm, networkUUID: '' }, send()),
  },
  {
    says: 'a VM without a name',
    field: 'name',
    call: () => createVm(client, 'tll01', { ...vm, name: '' }, send()),
  },
  {
    says: 'half a character',
    field: 'description',
    call: () => createVm(client, 'tll01', { ...vm, description: '\ud800' }, send()),
  },
  {
    says: 'a disk source without an id',
    field: 'source_image',
    call: () => createDisk(client, 'tll01', { billingAccount: 1, source: { type: 'DISK', id: '' } }, send()),
  },
  {
    says: 'a target with a slash',
    field: 'target_uuid',
    call: () => addTarget(client, undefined, uuid, 'a/b', send()),
  },
  {
    says: 'an operation id that is no header',
    field: 'operationID',
    call: () => deleteVm(client, 'tll01', uuid, send('a\nb')),
  },
])('$says is not sent', async ({ field, call }) => {
  await expect(call()).rejects.toMatchObject({ class: 'notSent', sent: false, field })
  expect(recorder.requests).toHaveLength(0)
})

test('an API key with a line break at its end is used without it; one inside is not sent', async () => {
  recorder.respond(() => ({ body: [] }))
  const trimmed = testClient(recorder.url, { apiKey: 'abcdef-1\n' })
  await listVms(trimmed, 'tll01')
  expect(recorder.requests.pop()?.headers['apikey']).toBe('abcdef-1')
  await trimmed.close()
  const broken = testClient(recorder.url, { apiKey: 'abc\ndef' })
  await expect(listVms(broken, 'tll01')).rejects.toMatchObject({ class: 'notSent', field: 'apiKey' })
  await broken.close()
})
