/** Specs of a CloudVM that are accepted and that are refused; see cases.ts. */
import type { SpecCase } from './cases.ts'

const image = { os: 'ubuntu', version: '24.04' }
const bootDisk = { sizeGiB: 20 }
const size = { vcpus: 2, memoryMiB: 2048 }
const takenFromTheOriginal =
  'spec.source: Invalid value: source.vmRef: a clone takes these from the original, so leave them out: networkRef, pool, username, publicKey, cloudInit, description, publicIP'
const vm = { image, ...size, bootDisk }

export const vmCases: readonly SpecCase[] = [
  { kind: 'CloudVM', title: 'from an image', spec: vm },
  {
    kind: 'CloudVM',
    title: 'from a disk',
    spec: { source: { diskRef: { name: 'root' } }, vcpus: 1, memoryMiB: 512 },
  },
  { kind: 'CloudVM', title: 'adopted, with nothing else', spec: { adopt: { id: 'b7a3-1' } } },
  { kind: 'CloudVM', title: 'adopted, with an image', spec: { ...vm, adopt: { id: 'b7a3-1' } } },
  {
    kind: 'CloudVM',
    title: 'with a public key on a line that ends',
    spec: { ...vm, publicKey: 'ssh-ed25519 AAAA me@example.com\n' },
  },
  {
    kind: 'CloudVM',
    title: 'from a snapshot, with a bigger boot disk',
    spec: { ...size, bootDisk, source: { snapshotRef: { name: 'monday' } } },
  },
  {
    kind: 'CloudVM',
    title: 'cloned, with nothing else',
    spec: { source: { vmRef: { name: 'web' } } },
  },
  {
    kind: 'CloudVM',
    title: 'cloned, with what a clone is given afterwards',
    spec: {
      ...size,
      bootDisk,
      source: { vmRef: { name: 'web' } },
      name: 'copy',
      backups: 'Enabled',
      powerState: 'Stopped',
      passwordSecretRef: { name: 'copy', key: 'password' },
      billingAccount: 1234,
    },
  },
  {
    kind: 'CloudVM',
    title: 'cloned into a network of its own',
    spec: { source: { vmRef: { name: 'web' } }, networkRef: { name: 'front' } },
    refused: { field: 'source', causes: [takenFromTheOriginal] },
  },
  {
    kind: 'CloudVM',
    title: 'cloned with an address and a description',
    spec: { source: { vmRef: { name: 'web' } }, publicIP: 'None', description: 'a copy' },
    refused: { field: 'source', causes: [takenFromTheOriginal] },
  },
  {
    kind: 'CloudVM',
    title: 'from two sources',
    spec: { ...size, source: { vmRef: { name: 'web' }, snapshotRef: { name: 'monday' } } },
    refused: {
      field: 'source',
      causes: ['spec.source: Invalid value: source: set exactly one of its fields'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'from a snapshot, without a size',
    spec: { source: { snapshotRef: { name: 'monday' } }, vcpus: 1 },
    refused: {
      field: 'memoryMiB',
      causes: ['spec.memoryMiB: Invalid value: memoryMiB is required unless adopting or cloning'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with cloud-init in a Secret',
    spec: { ...vm, cloudInit: { secretRef: { name: 'web', key: 'user-data' } } },
  },
  {
    kind: 'CloudVM',
    title: 'with cloud-init in a ConfigMap',
    spec: { ...vm, cloudInit: { configMapRef: { name: 'web', key: 'user-data' } } },
  },
  {
    kind: 'CloudVM',
    title: 'with cloud-init in two ways',
    spec: { ...vm, cloudInit: { runcmd: ['ls'], secretRef: { name: 'web', key: 'user-data' } } },
    refused: {
      field: 'cloudInit',
      causes: [
        'spec.cloudInit: Invalid value: cloudInit: say it in one way: runcmd and writeFiles, or secretRef, or configMapRef',
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with both image and source',
    spec: { image, ...size, source: { diskRef: { name: 'root' } } },
    refused: {
      field: 'spec',
      causes: ['spec: Invalid value: spec: set exactly one of image and source; with adopt, at most one'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'adopted, with both image and source',
    spec: { adopt: { id: 'x' }, image, source: { diskRef: { name: 'root' } } },
    refused: {
      field: 'spec',
      causes: ['spec: Invalid value: spec: set exactly one of image and source; with adopt, at most one'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with neither image nor source',
    spec: { ...size, bootDisk },
    refused: {
      field: 'spec',
      causes: ['spec: Invalid value: spec: set exactly one of image and source; with adopt, at most one'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with an empty source',
    spec: { ...size, bootDisk, source: {} },
    refused: {
      field: 'source',
      causes: ['spec.source: Invalid value: source: set exactly one of its fields'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'without a size',
    spec: { image, bootDisk: { sizeGiB: 20 } },
    refused: {
      field: 'vcpus',
      causes: [
        'spec.vcpus: Invalid value: vcpus is required unless adopting or cloning',
        'spec.memoryMiB: Invalid value: memoryMiB is required unless adopting or cloning',
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'from an image without a boot disk',
    spec: { image, ...size },
    refused: {
      field: 'bootDisk',
      causes: ['spec.bootDisk: Invalid value: bootDisk is required unless adopting or made from a source'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'from a disk, with a boot disk',
    spec: { ...size, bootDisk, source: { diskRef: { name: 'root' } } },
    refused: {
      field: 'bootDisk',
      causes: [
        'spec.bootDisk: Invalid value: bootDisk is refused with source.diskRef; size the CloudDisk with its own sizeGiB instead',
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with a name of 300 characters',
    spec: { ...vm, name: 'a'.repeat(300) },
    refused: { field: 'name', causes: ['spec.name: Too long: may not be more than 200 bytes'] },
  },
  {
    kind: 'CloudVM',
    title: 'with a negative number of CPUs',
    spec: { ...vm, vcpus: -1 },
    refused: {
      field: 'vcpus',
      causes: ['spec.vcpus: Invalid value: -1: spec.vcpus in body should be greater than or equal to 1'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with a fraction of a MiB',
    spec: { ...vm, memoryMiB: 0.5 },
    refused: {
      field: 'memoryMiB',
      causes: [
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.memoryMiB',
        'spec.memoryMiB: Invalid value: "float64": spec.memoryMiB in body must be of type int64: "float64"',
        'spec.memoryMiB: Invalid value: 0.5: spec.memoryMiB in body should be greater than or equal to 1',
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with a boot disk of no size',
    spec: { ...vm, bootDisk: { sizeGiB: 0 } },
    refused: {
      field: 'bootDisk.sizeGiB',
      causes: [
        'spec.bootDisk.sizeGiB: Invalid value: 0: spec.bootDisk.sizeGiB in body should be greater than or equal to 1',
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with an unknown power state',
    spec: { ...vm, powerState: 'On' },
    refused: {
      field: 'powerState',
      causes: ['spec.powerState: Unsupported value: "On": supported values: "Running", "Stopped"'],
    },
  },
  {
    kind: 'CloudVM',
    title: 'adopting an id that climbs out of its path',
    spec: { adopt: { id: '../user' } },
    refused: {
      field: 'adopt.id',
      causes: [
        `spec.adopt.id: Invalid value: "../user": spec.adopt.id in body should match '^[A-Za-z0-9][A-Za-z0-9_:-]*(\\.[A-Za-z0-9_:-]+)*$'`,
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'in a location that climbs out of its path',
    spec: { ...vm, location: '../v1' },
    refused: {
      field: 'location',
      causes: [
        `spec.location: Invalid value: "../v1": spec.location in body should match '^[a-z0-9][a-z0-9-]*$'`,
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with a private key in place of a public one',
    spec: { ...vm, publicKey: '-----BEGIN OPENSSH PRIVATE KEY-----' },
    refused: {
      field: 'publicKey',
      causes: [
        `spec.publicKey: Invalid value: "-----BEGIN OPENSSH PRIVATE KEY-----": spec.publicKey in body should match '^(ssh-|ecdsa-|sk-)[^\\r\\n]*\\n?$'`,
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'writing a file at a relative path',
    spec: { ...vm, cloudInit: { writeFiles: [{ path: 'etc/motd' }] } },
    refused: {
      field: 'cloudInit.writeFiles[0].path',
      causes: [
        `spec.cloudInit.writeFiles[0].path: Invalid value: "etc/motd": spec.cloudInit.writeFiles[0].path in body should match '^\\/\\S'`,
      ],
    },
  },
  {
    kind: 'CloudVM',
    title: 'with a stop that never times out',
    spec: { ...vm, stop: { mode: 'Graceful', timeoutSeconds: 0 } },
    refused: {
      field: 'stop.timeoutSeconds',
      causes: [
        'spec.stop.timeoutSeconds: Invalid value: 0: spec.stop.timeoutSeconds in body should be greater than or equal to 1',
      ],
    },
  },
]
