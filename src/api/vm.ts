/** CloudVM: one virtual machine. */
import { z } from 'zod'
import { guestShape } from './guest.ts'
import { type KindSchema, frozenEverywhere } from './kindschema.ts'
import type { Resource } from './object.ts'
import { list, ruled } from './schema.ts'
import {
  STATUS_BOUNDS,
  billingAccountNumber,
  commonStatusShape,
  disruption,
  displayName,
  image,
  lifecycleDescription,
  lifecycleShape,
  objectSpecShape,
  publicIP,
  reference,
  reservedIP,
  sizeGiB,
  statusID,
} from './shared.ts'
import { CLONES, NOT_OF_A_CLONE, vmSource } from './vmsource.ts'

const text = z.string().max(STATUS_BOUNDS.text)

const bootDisk = z.object({
  sizeGiB: sizeGiB.describe('Size in GiB; can only grow. Required. Example: 20'),
})

const stop = z.object({
  mode: z
    .enum(['Graceful', 'GracefulThenForce', 'Force'])
    .exactOptional()
    .describe(
      'Graceful: the guest is asked to shut down, and waited for. GracefulThenForce: power is cut after timeoutSeconds. Force: power is cut at once. Default: Graceful. Mutable.',
    ),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .exactOptional()
    .describe(
      'Seconds a graceful stop may take before it counts as failed or is forced. Default: 300. Mutable. Example: 120',
    ),
})

export const vmSpec = ruled(
  z.object({
    ...objectSpecShape,
    name: displayName.exactOptional(),
    billingAccount: billingAccountNumber
      .exactOptional()
      .describe(
        "Number of the billing account that is charged. Frozen once a cloud object may exist. Default: the account's at creation, kept in status. Example: 1234",
      ),
    lifecycle: z
      .object({
        ...lifecycleShape,
        disruption: disruption
          .exactOptional()
          .describe(
            'Allow: a change that needs the VM stopped stops it and starts it again. RequireApproval: it waits for the annotation cloud-operator.dev/approve. Default: Allow. Mutable.',
          ),
      })
      .exactOptional()
      .describe(lifecycleDescription),
    image: image
      .exactOptional()
      .describe(
        'Operating system installed at creation; used once and never compared, status.image says what is installed. Frozen once a cloud object may exist. Default: none; exactly one of image and source is required unless adopting.',
      ),
    source: vmSource
      .exactOptional()
      .describe(
        'Something existing the VM is made from, in place of an image. Frozen once a cloud object may exist. Default: none; exactly one of image and source is required unless adopting.',
      ),
    vcpus: z
      .int()
      .min(1)
      .max(1024)
      .exactOptional()
      .describe(
        'Number of virtual CPUs. Mutable: the VM is stopped for the change and started again, see lifecycle.disruption. Required unless adopting or cloning; absent: not managed. Example: 2',
      ),
    memoryMiB: z
      .int()
      .min(1)
      .max(16_777_216)
      .exactOptional()
      .describe(
        'Memory in MiB. Mutable: the VM is stopped for the change and started again, see lifecycle.disruption. Required unless adopting or cloning; absent: not managed. Example: 2048',
      ),
    bootDisk: bootDisk
      .exactOptional()
      .describe(
        'Boot disk made with the VM. Mutable: its size can only grow. Required unless adopting or made from a source; refused with source.diskRef; absent: not managed.',
      ),
    pool: z
      .string()
      .min(1)
      .max(128)
      .regex(/^[^\s/\\]([^/\\]*[^\s/\\])?$/)
      .exactOptional()
      .describe(
        "Resource pool (server class) that hosts the VM, by name or uuid. Frozen once a cloud object may exist. Default: the service's choice. Example: high-cpu",
      ),
    networkRef: reference
      .exactOptional()
      .describe(
        "CloudNetwork the VM is made in, in the same namespace. Frozen once a cloud object may exist. Default: the account's default network, looked up at creation.",
      ),
    ...guestShape,
    description: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe(
        "Description in the cloud; the operator's marker follows it there. Frozen once a cloud object may exist. Default: none. Example: web server of the shop",
      ),
    backups: z
      .enum(['Enabled', 'Disabled'])
      .exactOptional()
      .describe(
        'Automatic backups by the service. Mutable. Default: absent, not managed; a new VM has none.',
      ),
    powerState: z
      .enum(['Running', 'Stopped'])
      .exactOptional()
      .describe(
        'Running: started whenever it is found off. Stopped: stopped, in the way stop says. Mutable. Default: absent, not managed; a new VM runs.',
      ),
    stop: stop
      .exactOptional()
      .describe('How the VM is stopped when it has to be. Mutable. Default: graceful, 300 seconds.'),
    publicIP: publicIP
      .exactOptional()
      .describe(
        'Reserve: a public IPv4 address is made with the VM and deleted with it. None: no address; a CloudFloatingIP can give it one. Frozen once a cloud object may exist. Default: None.',
      ),
  }),
  [
    {
      rule: 'has(self.adopt) ? !(has(self.image) && has(self.source)) : has(self.image) != has(self.source)',
      holds: ({ adopt, image: os, source }) =>
        adopt ? !(os && source) : (os === undefined) !== (source === undefined),
      message: 'spec: set exactly one of image and source; with adopt, at most one',
    },
    {
      rule: `has(self.adopt) || ${CLONES} || has(self.vcpus)`,
      holds: ({ adopt, source, vcpus }) => adopt !== undefined || !!source?.vmRef || vcpus !== undefined,
      message: 'vcpus is required unless adopting or cloning',
      at: 'vcpus',
    },
    {
      rule: `has(self.adopt) || ${CLONES} || has(self.memoryMiB)`,
      holds: ({ adopt, source, memoryMiB }) =>
        adopt !== undefined || !!source?.vmRef || memoryMiB !== undefined,
      message: 'memoryMiB is required unless adopting or cloning',
      at: 'memoryMiB',
    },
    {
      rule: 'has(self.adopt) || has(self.source) || has(self.bootDisk)',
      holds: ({ adopt, source, bootDisk: boot }) =>
        adopt !== undefined || source !== undefined || boot !== undefined,
      message: 'bootDisk is required unless adopting or made from a source',
      at: 'bootDisk',
    },
    {
      rule: '!has(self.source) || !has(self.source.diskRef) || !has(self.bootDisk)',
      holds: ({ source, bootDisk: boot }) => !source?.diskRef || !boot,
      message: 'bootDisk is refused with source.diskRef; size the CloudDisk with its own sizeGiB instead',
      at: 'bootDisk',
    },
    {
      rule: `has(self.adopt) || !${CLONES} || !(${NOT_OF_A_CLONE.map((field) => `has(self.${field})`).join(' || ')})`,
      holds: (spec) =>
        spec.adopt !== undefined ||
        spec.source?.vmRef === undefined ||
        NOT_OF_A_CLONE.every((field) => spec[field] === undefined),
      message: `source.vmRef: a clone takes these from the original, so leave them out: ${NOT_OF_A_CLONE.join(', ')}`,
      at: 'source',
    },
  ],
)
export type VmSpec = z.infer<typeof vmSpec>

export const vmStatus = z.object({
  ...commonStatusShape,
  powerState: z
    .string()
    .max(64)
    .exactOptional()
    .describe('Running, Stopped, or the word the service shows while it is between them'),
  image: z
    .object({
      os: text.describe('Name of the operating system'),
      version: text.describe('Version of the operating system'),
    })
    .exactOptional()
    .describe('What is installed, as the service shows it'),
  bootDiskGiB: z.int().exactOptional().describe('Size of the boot disk in GiB'),
  privateIP: text.exactOptional().describe('IPv4 address in the private network'),
  publicIPs: list(text, 32).exactOptional().describe('Public IPv4 addresses assigned to the VM'),
  reservedIP: reservedIP
    .exactOptional()
    .describe('Address made with the VM because of publicIP Reserve; deleted with the VM'),
  mac: text.exactOptional().describe('Hardware address of the network interface'),
  hostname: text.exactOptional().describe('Host name in the guest'),
  pool: text.exactOptional().describe('Name of the resource pool that hosts the VM'),
  disks: list(
    z.object({
      id: statusID.describe('Identity of the disk'),
      name: text.exactOptional().describe('Device name'),
      sizeGiB: z.int().exactOptional().describe('Size in GiB'),
      primary: z.boolean().exactOptional().describe('Whether it is the boot disk'),
    }),
    64,
  )
    .exactOptional()
    .describe('Disks the VM has, boot disk included'),
  passwordApplied: z
    .object({
      secretUID: text.describe('UID of the Secret'),
      secretVersion: text.describe('Resource version of the Secret'),
      operations: list(statusID, 16)
        .exactOptional()
        .describe('UIDs of the CloudVMOperations that replaced the boot disk before it was set'),
    })
    .exactOptional()
    .describe('Secret whose password was last set in the guest'),
  resize: z
    .object({
      target: z
        .object({
          vcpus: z.int().describe('Virtual CPUs afterwards'),
          memoryMiB: z.int().describe('Memory afterwards, in MiB'),
        })
        .describe('Size the change leads to'),
      wasRunning: z
        .boolean()
        .describe('Whether the VM ran before it was stopped for the change; it is started again then'),
      refused: text
        .exactOptional()
        .describe("The service's answer when it refused this size; not tried again"),
    })
    .exactOptional()
    .describe('A change of size under way, stored before the VM is stopped for it'),
})
export type VmStatus = z.infer<typeof vmStatus>
export type CloudVM = Resource<VmSpec, VmStatus>

const remake = 'make a new CloudVM instead'

export const vmKind: KindSchema = {
  kind: 'CloudVM',
  plural: 'cloudvms',
  singular: 'cloudvm',
  shortName: 'cvm',
  description: 'A virtual machine in the cloud.',
  spec: vmSpec,
  status: vmStatus,
  columns: [
    { name: 'Power', type: 'string', jsonPath: '.status.powerState', description: 'Running or Stopped' },
    { name: 'CPU', type: 'integer', jsonPath: '.spec.vcpus', description: 'Virtual CPUs' },
    { name: 'Memory', type: 'integer', jsonPath: '.spec.memoryMiB', description: 'Memory in MiB' },
    {
      name: 'IP',
      type: 'string',
      jsonPath: '.status.privateIP',
      description: 'Address in the private network',
    },
  ],
  selectableFields: [
    '.spec.accountRef.name',
    '.spec.location',
    '.spec.networkRef.name',
    '.spec.powerState',
    '.spec.source.diskRef.name',
    '.status.id',
    '.status.powerState',
  ],
  frozen: [
    ...frozenEverywhere,
    {
      field: 'billingAccount',
      instead: 'the service cannot move a VM to another billing account; make a new CloudVM',
    },
    { field: 'image', instead: 'make a new CloudVM for another system' },
    { field: 'source', instead: remake },
    { field: 'pool', instead: `a VM stays in its pool; ${remake}` },
    { field: 'networkRef', instead: `a VM stays in its network; ${remake}` },
    { field: 'username', instead: 'add users inside the guest, or make a new CloudVM' },
    { field: 'publicKey', instead: 'change the keys inside the guest, or make a new CloudVM' },
    { field: 'cloudInit', instead: `it runs at the first boot only; ${remake}` },
    { field: 'description', instead: 'the service cannot change it; use name, or make a new CloudVM' },
    { field: 'publicIP', instead: 'use a CloudFloatingIP to add an address' },
  ],
  growOnly: [
    {
      field: 'bootDisk.sizeGiB',
      existing: 'bootDiskGiB',
      instead: 'make a new CloudVM with a smaller one and copy the data',
    },
  ],
}
