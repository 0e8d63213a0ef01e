/** CloudSnapshot: one copy of a virtual machine's boot disk, which the service calls a replica. */
import { z } from 'zod'
import type { KindSchema } from './kindschema.ts'
import type { Resource } from './object.ts'
import {
  STATUS_BOUNDS,
  commonStatusShape,
  keepShape,
  lifecycleDescription,
  objectSpecShape,
  reference,
  vmOfStatus,
} from './shared.ts'

const text = z.string().max(STATUS_BOUNDS.text)

export const snapshotSpec = z.object({
  vmRef: reference.describe(
    'CloudVM whose boot disk is copied, in the same namespace; account and location are those of the VM. Frozen once a cloud object may exist. Required.',
  ),
  adopt: objectSpecShape.adopt,
  lifecycle: z.object(keepShape).exactOptional().describe(lifecycleDescription),
})
export type SnapshotSpec = z.infer<typeof snapshotSpec>

export const snapshotStatus = z.object({
  ...commonStatusShape,
  vm: vmOfStatus.exactOptional().describe('VM the snapshot was taken of'),
  diskID: z.string().max(STATUS_BOUNDS.id).exactOptional().describe('Identity of the disk that was copied'),
  type: text.exactOptional().describe('Kind of copy, in the words of the service: snapshot, backup'),
  sizeGiB: z.int().exactOptional().describe('Size of the copied disk in GiB'),
  takenAt: z.string().max(64).exactOptional().describe('When it was taken, as the service shows it'),
})
export type SnapshotStatus = z.infer<typeof snapshotStatus>
export type CloudSnapshot = Resource<SnapshotSpec, SnapshotStatus>

export const snapshotKind: KindSchema = {
  kind: 'CloudSnapshot',
  plural: 'cloudsnapshots',
  singular: 'cloudsnapshot',
  shortName: 'csnap',
  description: "A snapshot of a virtual machine's boot disk. It is gone when its machine is deleted.",
  spec: snapshotSpec,
  status: snapshotStatus,
  columns: [
    { name: 'VM', type: 'string', jsonPath: '.spec.vmRef.name', description: 'CloudVM it was taken of' },
    { name: 'Size', type: 'integer', jsonPath: '.status.sizeGiB', description: 'Size in GiB' },
    { name: 'Taken', type: 'string', jsonPath: '.status.takenAt', description: 'When it was taken' },
  ],
  selectableFields: ['.spec.vmRef.name', '.status.id'],
  frozen: [
    { field: 'vmRef', instead: 'make a new CloudSnapshot of the other VM' },
    {
      field: 'adopt',
      instead:
        'to stand for another snapshot, delete this one with lifecycle.onDelete Retain and make a new one',
    },
  ],
  growOnly: [],
}
