/** CloudVMOperation: one thing done once to a virtual machine. */
import { z } from 'zod'
import type { KindSchema } from './kindschema.ts'
import type { Resource } from './object.ts'
import { list, ruled } from './schema.ts'
import { STATUS_BOUNDS, cloudID, commonStatusShape, image, reference, vmOfStatus } from './shared.ts'

const reinstall = ruled(
  z.object({
    image: image
      .exactOptional()
      .describe('Operating system to install. Default: the one the VM was made from.'),
    baseOSImage: z
      .string()
      .min(1)
      .max(128)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/)
      .exactOptional()
      .describe('The same as one word, as the service names its images. Example: ubuntu_24.04'),
  }),
  [
    {
      rule: '!has(self.image) || !has(self.baseOSImage)',
      holds: ({ image: os, baseOSImage }) => os === undefined || baseOSImage === undefined,
      message: 'reinstall: set image or baseOSImage, not both',
    },
  ],
)

export const vmOperationSpec = ruled(
  z.object({
    vmRef: reference.describe(
      'CloudVM it is done to, in the same namespace; account and location are those of the VM. Frozen once it has begun. Required.',
    ),
    restart: z
      .object({})
      .exactOptional()
      .describe(
        'Stop the VM, gracefully if it can, and start it again. It always ends with the VM running. Frozen once it has begun. Default: none; exactly one of restart, rescue, reinstall and rebuild is required.',
      ),
    rescue: z
      .object({})
      .exactOptional()
      .describe(
        'Start the VM once from the rescue system; a running VM is stopped for it. The next start is a normal one. Frozen once it has begun. Default: none; exactly one of restart, rescue, reinstall and rebuild is required.',
      ),
    reinstall: reinstall
      .exactOptional()
      .describe(
        'Install an operating system anew. Everything on the boot disk is lost. Frozen once it has begun. Default: none; exactly one of restart, rescue, reinstall and rebuild is required.',
      ),
    rebuild: z
      .object({
        snapshotRef: reference.describe(
          'CloudSnapshot of this VM, in the same namespace, to put back. Required.',
        ),
      })
      .exactOptional()
      .describe(
        'Put the boot disk back to a snapshot. Everything written to it since the snapshot is lost. Frozen once it has begun. Default: none; exactly one of restart, rescue, reinstall and rebuild is required.',
      ),
    confirmVMID: cloudID
      .exactOptional()
      .describe(
        'Identity (status.id) of the VM whose data may be lost; anything else does nothing. Frozen once it has begun. Required for reinstall and rebuild. Example: 6b3f0a52-8c1d-4f0e-9a77-2f6d5a1c9e10',
      ),
    expiresAt: z
      .string()
      .max(32)
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/)
      .exactOptional()
      .describe(
        'Time after which it no longer begins, at most 7 days ahead, so that the same manifest applied or restored later destroys nothing. Frozen once it has begun. Required for reinstall and rebuild. Example: 2026-01-02T15:04:05Z',
      ),
  }),
  [
    {
      rule: '[has(self.restart), has(self.rescue), has(self.reinstall), has(self.rebuild)].filter(x, x).size() == 1',
      holds: ({ restart, rescue, reinstall: anew, rebuild }) =>
        [restart, rescue, anew, rebuild].filter((each) => each !== undefined).length === 1,
      message: 'spec: set exactly one of restart, rescue, reinstall and rebuild',
    },
    {
      rule: '!(has(self.reinstall) || has(self.rebuild)) || has(self.confirmVMID)',
      holds: ({ reinstall: anew, rebuild, confirmVMID }) =>
        (anew ?? rebuild) === undefined || confirmVMID !== undefined,
      message: 'confirmVMID is required for reinstall and rebuild: the status.id of the CloudVM',
      at: 'confirmVMID',
    },
    {
      rule: '!(has(self.reinstall) || has(self.rebuild)) || has(self.expiresAt)',
      holds: ({ reinstall: anew, rebuild, expiresAt }) =>
        (anew ?? rebuild) === undefined || expiresAt !== undefined,
      message: 'expiresAt is required for reinstall and rebuild: a time at most 7 days ahead',
      at: 'expiresAt',
    },
  ],
)
export type VmOperationSpec = z.infer<typeof vmOperationSpec>

export const vmOperationStatus = z.object({
  ...commonStatusShape,
  vm: vmOfStatus.exactOptional().describe('VM it is done to'),
  sent: list(z.string().max(64), 8)
    .exactOptional()
    .describe(
      'What was sent so far, each at most once: stop, forceStop, start, rescueStart, reinstall, rebuild',
    ),
  refused: z
    .object({
      reason: z.string().max(64).describe('Reason it fails with'),
      message: z.string().max(STATUS_BOUNDS.message).describe("The service's answer, in words"),
    })
    .exactOptional()
    .describe('Refusal of the service, while the VM is started again before the operation ends'),
  startedAt: z.string().max(64).exactOptional().describe('When it began, RFC 3339'),
  finishedAt: z.string().max(64).exactOptional().describe('When it ended, RFC 3339'),
})
export type VmOperationStatus = z.infer<typeof vmOperationStatus>
export type CloudVMOperation = Resource<VmOperationSpec, VmOperationStatus>

const again = 'an operation runs once; make a new CloudVMOperation'

export const vmOperationKind: KindSchema = {
  kind: 'CloudVMOperation',
  plural: 'cloudvmoperations',
  singular: 'cloudvmoperation',
  shortName: 'cvmop',
  description:
    'One thing done once to a virtual machine: restart, rescue, reinstall or rebuild. Finished, it does nothing more.',
  spec: vmOperationSpec,
  status: vmOperationStatus,
  columns: [
    { name: 'VM', type: 'string', jsonPath: '.spec.vmRef.name', description: 'CloudVM it is done to' },
    { name: 'Started', type: 'string', jsonPath: '.status.startedAt', description: 'When it began' },
    { name: 'Finished', type: 'string', jsonPath: '.status.finishedAt', description: 'When it ended' },
  ],
  selectableFields: ['.spec.vmRef.name'],
  frozen: ['vmRef', 'restart', 'rescue', 'reinstall', 'rebuild', 'confirmVMID', 'expiresAt'].map((field) => ({
    field,
    instead: again,
  })),
  growOnly: [],
}
