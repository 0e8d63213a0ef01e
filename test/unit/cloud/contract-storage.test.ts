import { describe } from 'vitest'
import {
  createBucket,
  deleteBucket,
  getBucket,
  getS3,
  listBuckets,
  setBucketBillingAccount,
} from '../../../src/cloud/buckets.ts'
import {
  createDisk,
  deleteDisk,
  getDisk,
  listDisks,
  renameDisk,
  setDiskBillingAccount,
} from '../../../src/cloud/disks.ts'
import { contract } from './contract.ts'
import { send } from './recorder.ts'

const at = 'jkt01'
const disk = 'd15c0000-1111-4222-8333-0123456789ab'
const bare = { uuid: disk }
const record = { uuid: disk, showsName: false, deleted: false }

describe('disks', () => {
  contract([
    {
      name: 'get: every field of the record',
      call: (client) => getDisk(client, at, disk),
      line: `GET /v1/jkt01/storage/disks/${disk}`,
      reply: {
        uuid: disk,
        status: 'Active',
        user_id: 9,
        billing_account_id: 1234,
        size_gb: 20,
        source_image_type: 'OS_BASE',
        source_image: 'ubuntu_24.04',
        display_name: null,
        snapshots: [{ uuid: 's-1', sizeGb: 20, created_at: '2024-01-02T03:04:05.000+0000', disk_uuid: disk }],
        created_at: '2024-01-02T03:04:05.000+0000',
        updated_at: '2024-01-02T03:04:05.000+0000',
      },
      result: {
        uuid: disk,
        status: 'Active',
        billingAccount: 1234,
        sizeGiB: 20,
        sourceType: 'OS_BASE',
        source: 'ubuntu_24.04',
        showsName: true,
        snapshots: [{ uuid: 's-1', sizeGiB: 20, createdAt: '2024-01-02T03:04:05.000+0000' }],
        createdAt: '2024-01-02T03:04:05.000+0000',
        deleted: false,
      },
      mutation: false,
    },
    {
      name: 'get: a tombstone',
      call: (client) => getDisk(client, at, disk),
      line: `GET /v1/jkt01/storage/disks/${disk}`,
      reply: { uuid: disk, status: 'Deleted' },
      result: { uuid: disk, status: 'Deleted', showsName: false, deleted: true },
      mutation: false,
    },
    {
      name: 'list',
      call: (client) => listDisks(client, at),
      line: 'GET /v1/jkt01/storage/disks',
      reply: [bare, { uuid: 'd-2', display_name: 'data' }, { uuid: 'd-3', status: 'Deleted' }],
      result: [record, { uuid: 'd-2', displayName: 'data', showsName: true, deleted: false }],
      mutation: false,
    },
    {
      name: 'create: empty',
      call: (client) => createDisk(client, at, { sizeGiB: 20, billingAccount: 1234 }, send()),
      line: 'POST /v1/jkt01/storage/disks',
      form: 'size_gb=20&billing_account_id=1234&source_image_type=EMPTY',
      status: 201,
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'create: from an image, with a name',
      call: (client) =>
        createDisk(
          client,
          at,
          {
            sizeGiB: 20,
            billingAccount: 1234,
            source: { type: 'OS_BASE', id: 'ubuntu_24.04' },
            displayName: 'data 1',
          },
          send(),
        ),
      line: 'POST /v1/jkt01/storage/disks',
      form: 'size_gb=20&billing_account_id=1234&source_image_type=OS_BASE&source_image=ubuntu_24.04&display_name=data%201',
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'create: from a snapshot of a disk',
      call: (client) =>
        createDisk(
          client,
          at,
          { sizeGiB: 20, billingAccount: 1234, source: { type: 'SNAPSHOT', id: 's-1' } },
          send(),
        ),
      line: 'POST /v1/jkt01/storage/disks',
      form: 'size_gb=20&billing_account_id=1234&source_image_type=SNAPSHOT&source_image=s-1',
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'set the billing account: a form',
      call: (client) => setDiskBillingAccount(client, at, disk, 77, send()),
      line: `PATCH /v1/jkt01/storage/disks/${disk}`,
      form: 'billing_account_id=77',
      reply: bare,
      result: record,
      mutation: true,
    },
    {
      name: 'rename',
      call: (client) => renameDisk(client, at, disk, 'new name', send()),
      line: `PATCH /v1/jkt01/storage/disks/${disk}`,
      form: 'display_name=new%20name',
      reply: { uuid: disk, display_name: 'new name' },
      result: { uuid: disk, displayName: 'new name', showsName: true, deleted: false },
      mutation: true,
    },
    {
      name: 'delete',
      call: (client) => deleteDisk(client, at, disk, send()),
      line: `DELETE /v1/jkt01/storage/disks/${disk}`,
      status: 204,
      reply: undefined,
      result: undefined,
      mutation: true,
    },
  ])
})

describe('buckets', () => {
  const bucket = {
    name: 'logs.example',
    billing_account_id: 1234,
    num_objects: '3',
    size_bytes: 9_000_000_000,
  }
  const known = { name: 'logs.example', billingAccount: 1234, objects: 3, sizeBytes: 9_000_000_000 }
  contract([
    {
      name: 'get',
      call: (client) => getBucket(client, 'logs.example'),
      line: 'GET /v1/storage/bucket?name=logs.example',
      reply: { ...bucket, is_suspended: false, created_at: 'c', modified_at: 'm' },
      result: { ...known, suspended: false, createdAt: 'c' },
      mutation: false,
    },
    {
      name: 'list',
      call: (client) => listBuckets(client),
      line: 'GET /v1/storage/bucket/list',
      reply: [bucket],
      result: [known],
      mutation: false,
    },
    {
      name: 'create',
      call: (client) => createBucket(client, { name: 'logs.example', billingAccount: 1234 }, send()),
      line: 'PUT /v1/storage/bucket',
      form: 'name=logs.example&billing_account_id=1234',
      status: 201,
      reply: bucket,
      result: known,
      mutation: true,
    },
    {
      name: 'set the billing account',
      call: (client) => setBucketBillingAccount(client, 'logs.example', 77, send()),
      line: 'PATCH /v1/storage/bucket',
      form: 'name=logs.example&billing_account_id=77',
      reply: bucket,
      result: known,
      mutation: true,
    },
    {
      name: 'delete: the name in the query',
      call: (client) => deleteBucket(client, 'logs.example', send()),
      line: 'DELETE /v1/storage/bucket?name=logs.example',
      status: 204,
      reply: undefined,
      result: undefined,
      mutation: true,
    },
    {
      name: 'the address of the object storage',
      call: (client) => getS3(client),
      line: 'GET /v1/storage/api/s3',
      reply: { url: 'https://s3.example.com' },
      result: { url: 'https://s3.example.com' },
      mutation: false,
    },
  ])
})
