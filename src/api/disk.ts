/** CloudDisk: one block storage disk. */
import { z } from 'zod'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { list, ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  cloudID,
  commonStatusShape,
  displayName,
  image,
  lifecycle,
  lifecycleDescription,
  mutableBillingAccount,
  objectSpecShape,
  reference,
  sizeGiB,
  statusID,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

export const diskSource = ruled(
  z.object({
    image: image.exactOptional().describe('Operating system put on the disk.'),
    diskRef: reference.exactOptional().describe('CloudDisk that is copied, in the same namespace.'),
    snapshotID: cloudID
      .exactOptional()
      .describe(
        'Snapshot of a disk whose content is copied, by its cloud id as in status.snapshots of the CloudDisk it is of; of the same account and location. Example: 0f2f6e0a-53d2-4f0c-8d5e-3a1b7c9d2e4f',
      ),
  }),
  [
    {
      rule: '[has(self.image), has(self.diskRef), has(self.snapshotID)].filter(x, x).size() == 1',
      holds: ({ image: os, diskRef, snapshotID }) =>
        [os, diskRef, snapshotID].filter((each) => each !== undefined).length === 1,
      message: 'source: set exactly one of image, diskRef and snapshotID',
    },
  ],
)

export const diskSpec = ruled(
  z.object({
    ...objectSpecShape,
    name: displayName
      .exactOptional()
      .describe(
        'Display name in the cloud, where the service shows one for disks; elsewhere not sent. Mutable. Default: metadata.name. Example: data-1',
      ),
    billingAccount: mutableBillingAccount.exactOptional(),
    lifecycle: lifecycle.exactOptional().describe(lifecycleDescription),
    sizeGiB: sizeGiB
      .exactOptional()
      .describe(
        'Size in GiB. Mutable: it can only grow, and only while attached to a VM. Required unless adopting; absent: not managed. Example: 50',
      ),
    source: diskSource
      .exactOptional()
      .describe(
        'What the new disk is a copy of. Frozen once a cloud object may exist. Default: an empty disk.',
      ),
    vmRef: reference
      .exactOptional()
      .describe(
        'CloudVM the disk is attached to, in the same namespace. Mutable: the disk moves. Default: absent, attached to none.',
      ),
    snapshotsOnDelete: z
      .enum(['Hold', 'Delete'])
      .exactOptional()
      .describe(
        'What deleting a disk with snapshots does. Hold: it waits until they are gone. Delete: they are deleted with it. Mutable. Default: Hold.',
      ),
  }),
  [
    {
      rule: 'has(self.adopt) || has(self.sizeGiB)',
      holds: (spec) => spec.adopt !== undefined || spec.sizeGiB !== undefined,
      message: 'sizeGiB is required unless adopting',
      at: 'sizeGiB',
    },
  ],
)
export type DiskSpec = z.infer<typeof diskSpec>

export const diskStatus = z.object({
  ...commonStatusShape,
  sizeGiB: z.int().exactOptional().describe('Size in GiB'),
  attachedTo: z
    .object({
      name: text.exactOptional().describe('CloudVM in this namespace; absent when it is none of ours'),
      id: statusID.describe('Identity of the VM in the cloud'),
    })
    .exactOptional()
    .describe('VM the disk is attached to; absent when it is attached to none'),
  device: text
    .exactOptional()
    .describe('Path of the device in the guest. Example: /dev/disk/by-id/virtio-0b5b6cb1-1c4b-4b35-9'),
  snapshots: list(
    z.object({
      id: statusID.describe('Identity of the snapshot'),
      sizeGiB: z.int().exactOptional().describe('Size in GiB'),
      createdAt: z.string().max(64).exactOptional().describe('When it was taken, as the service shows it'),
    }),
    STATUS_BOUNDS.list,
  )
    .exactOptional()
    .describe('Snapshots of the disk; deleting the disk deletes them'),
})
export type DiskStatus = z.infer<typeof diskStatus>
export type CloudDisk = Resource<DiskSpec, DiskStatus>

export const diskKind: KindSchema = {
  kind: 'CloudDisk',
  plural: 'clouddisks',
  singular: 'clouddisk',
  shortName: 'cdisk',
  description: 'A block storage disk in the cloud, attached to one virtual machine or to none.',
  spec: diskSpec,
  status: diskStatus,
  columns: [
    { name: 'Size', type: 'integer', jsonPath: '.status.sizeGiB', description: 'Size in GiB' },
    {
      name: 'VM',
      type: 'string',
      jsonPath: '.status.attachedTo.name',
      description: 'CloudVM it is attached to',
    },
  ],
  selectableFields: [
    '.spec.accountRef.name',
    '.spec.location',
    '.spec.vmRef.name',
    '.spec.source.diskRef.name',
    '.status.id',
  ],
  frozen: [...frozenEverywhere, { field: 'source', instead: 'make a new CloudDisk from the other source' }],
  growOnly: [
    { field: 'sizeGiB', existing: 'sizeGiB', instead: 'make a smaller CloudDisk and copy the data' },
  ],
}
