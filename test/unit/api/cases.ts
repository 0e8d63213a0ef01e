/**
 * Specs that are accepted and specs that are refused, said once: the operator's own check and the API server's are both
 * held against them.
 */
import type { Kind } from '../../../src/api/group.ts'
import { vmCases } from './vm-cases.ts'

export interface SpecCase {
  readonly kind: Kind
  readonly title: string
  readonly spec: unknown
  /** Absent: accepted. */
  readonly refused?: {
    /** First field that validateSpec names. */
    readonly field: string
    /** Everything the API server says, in no order. */
    readonly causes: readonly string[]
  }
}

const image = { os: 'ubuntu', version: '24.04' }
const account = {
  tokenSecretRef: { name: 'cloud-token', key: 'apikey' },
  endpoint: 'https://api.example.com',
  billingAccount: 1234,
}
const rules = [{ sourcePort: 80, targetPort: 8080 }]

const diskCases: SpecCase[] = [
  { kind: 'CloudDisk', title: 'empty and attached', spec: { sizeGiB: 10, vmRef: { name: 'web-1' } } },
  { kind: 'CloudDisk', title: 'from an image', spec: { sizeGiB: 10, source: { image } } },
  { kind: 'CloudDisk', title: 'copied', spec: { sizeGiB: 10, source: { diskRef: { name: 'data' } } } },
  {
    kind: 'CloudDisk',
    title: 'from a snapshot',
    spec: { sizeGiB: 10, source: { snapshotID: '0f2f6e0a-53d2-4f0c-8d5e-3a1b7c9d2e4f' } },
  },
  { kind: 'CloudDisk', title: 'adopted', spec: { adopt: { id: 'd-1', takeover: true } } },
  {
    kind: 'CloudDisk',
    title: 'without a size',
    spec: {},
    refused: {
      field: 'sizeGiB',
      causes: ['spec.sizeGiB: Invalid value: sizeGiB is required unless adopting'],
    },
  },
  {
    kind: 'CloudDisk',
    title: 'with a negative size',
    spec: { sizeGiB: -5 },
    refused: {
      field: 'sizeGiB',
      causes: ['spec.sizeGiB: Invalid value: -5: spec.sizeGiB in body should be greater than or equal to 1'],
    },
  },
  {
    kind: 'CloudDisk',
    title: 'from two sources',
    spec: { sizeGiB: 10, source: { image, diskRef: { name: 'data' } } },
    refused: {
      field: 'source',
      causes: ['spec.source: Invalid value: source: set exactly one of image, diskRef and snapshotID'],
    },
  },
  {
    kind: 'CloudDisk',
    title: 'from a disk and a snapshot',
    spec: { sizeGiB: 10, source: { diskRef: { name: 'data' }, snapshotID: 's-1' } },
    refused: {
      field: 'source',
      causes: ['spec.source: Invalid value: source: set exactly one of image, diskRef and snapshotID'],
    },
  },
  {
    kind: 'CloudDisk',
    title: 'with an unknown word for its snapshots',
    spec: { sizeGiB: 10, snapshotsOnDelete: 'Keep' },
    refused: {
      field: 'snapshotsOnDelete',
      causes: ['spec.snapshotsOnDelete: Unsupported value: "Keep": supported values: "Hold", "Delete"'],
    },
  },
]

const badBucketName =
  'bucketName: the name of a new bucket has 3 to 63 small letters, digits, hyphens and single dots, with a letter or digit at both ends of each part'

const otherCases: SpecCase[] = [
  { kind: 'CloudBucket', title: 'new', spec: { bucketName: 'shop.images-1' } },
  {
    kind: 'CloudBucket',
    title: 'adopted, with a name that no new one gets',
    spec: { bucketName: 'Shop_Images', adopt: { id: 'Shop_Images' } },
  },
  {
    kind: 'CloudBucket',
    title: 'new, with capital letters',
    spec: { bucketName: 'Shop_Images' },
    refused: { field: 'bucketName', causes: [`spec.bucketName: Invalid value: ${badBucketName}`] },
  },
  {
    kind: 'CloudBucket',
    title: 'new, with two letters',
    spec: { bucketName: 'ab' },
    refused: { field: 'bucketName', causes: [`spec.bucketName: Invalid value: ${badBucketName}`] },
  },
  {
    kind: 'CloudBucket',
    title: 'with two dots in a row',
    spec: { bucketName: 'a..b' },
    refused: {
      field: 'bucketName',
      causes: [
        `spec.bucketName: Invalid value: ${badBucketName}`,
        `spec.bucketName: Invalid value: "a..b": spec.bucketName in body should match '^[A-Za-z0-9][A-Za-z0-9_:-]*(\\.[A-Za-z0-9_:-]+)*$'`,
      ],
    },
  },
  {
    kind: 'CloudBucket',
    title: 'adopting one of another name',
    spec: { bucketName: 'shop-images', adopt: { id: 'other' } },
    refused: {
      field: 'adopt',
      causes: ['spec.adopt: Invalid value: adopt.id must be the bucketName, a bucket is known by its name'],
    },
  },
  {
    kind: 'CloudBucket',
    title: 'without a name',
    spec: {},
    refused: { field: 'bucketName', causes: ['spec.bucketName: Required value'] },
  },
  { kind: 'CloudNetwork', title: 'with nothing said', spec: {} },
  { kind: 'CloudNetwork', title: 'default', spec: { default: true } },
  {
    kind: 'CloudNetwork',
    title: 'not default',
    spec: { default: false },
    refused: {
      field: 'default',
      causes: ['spec.default: Unsupported value: false: supported values: "true"'],
    },
  },
  { kind: 'CloudFloatingIP', title: 'assigned to nothing', spec: {} },
  { kind: 'CloudFloatingIP', title: 'adopted by its address', spec: { adopt: { id: '203.0.113.7' } } },
  {
    kind: 'CloudFloatingIP',
    title: 'for a VM and a load balancer',
    spec: { vmRef: { name: 'web-1' }, loadBalancerRef: { name: 'web' } },
    refused: {
      field: 'spec',
      causes: ['spec: Invalid value: spec: set only one of vmRef and loadBalancerRef'],
    },
  },
  { kind: 'CloudLoadBalancer', title: 'with rules', spec: { rules, targets: [{ name: 'web-1' }] } },
  { kind: 'CloudLoadBalancer', title: 'adopted', spec: { adopt: { id: 'lb-1' } } },
  {
    kind: 'CloudLoadBalancer',
    title: 'without rules',
    spec: {},
    refused: { field: 'rules', causes: ['spec.rules: Invalid value: rules is required unless adopting'] },
  },
  {
    kind: 'CloudLoadBalancer',
    title: 'with two rules for a port',
    spec: { rules: [...rules, { sourcePort: 80, targetPort: 81 }] },
    refused: { field: 'rules', causes: ['spec.rules[1]: Duplicate value: {"sourcePort":80}'] },
  },
  {
    kind: 'CloudLoadBalancer',
    title: 'with a port that does not exist',
    spec: { rules: [{ sourcePort: 80, targetPort: 65_536 }] },
    refused: {
      field: 'rules[0].targetPort',
      causes: [
        'spec.rules[0].targetPort: Invalid value: 65536: spec.rules[0].targetPort in body should be less than or equal to 65535',
      ],
    },
  },
  { kind: 'CloudAccount', title: 'with what it needs', spec: account },
  {
    kind: 'CloudAccount',
    title: 'with a profile and rules for namesakes',
    spec: {
      ...account,
      profile: { firstName: 'Ada', personalIDNumberSecretRef: { name: 'person', key: 'number' } },
      dedicated: true,
      namesakesOfOtherClusters: 'Ignore',
    },
  },
  {
    kind: 'CloudAccount',
    title: 'with an empty name in its profile',
    spec: { ...account, profile: { firstName: '' } },
    refused: {
      field: 'profile.firstName',
      causes: [
        'spec.profile.firstName: Invalid value: "": spec.profile.firstName in body should be at least 1 chars long',
      ],
    },
  },
  {
    kind: 'CloudAccount',
    title: 'without a billing account',
    spec: { tokenSecretRef: account.tokenSecretRef, endpoint: account.endpoint },
    refused: { field: 'billingAccount', causes: ['spec.billingAccount: Required value'] },
  },
  {
    kind: 'CloudAccount',
    title: 'with a path in its endpoint',
    spec: { ...account, endpoint: 'https://api.example.com/v1' },
    refused: {
      field: 'endpoint',
      causes: [
        `spec.endpoint: Invalid value: "https://api.example.com/v1": spec.endpoint in body should match '^https?:\\/\\/[A-Za-z0-9.:[\\]-]+\\/?$'`,
      ],
    },
  },
  {
    kind: 'CloudAccount',
    title: 'settling too soon',
    spec: { ...account, settleSeconds: 5 },
    refused: {
      field: 'settleSeconds',
      causes: [
        'spec.settleSeconds: Invalid value: 5: spec.settleSeconds in body should be greater than or equal to 30',
      ],
    },
  },
  {
    kind: 'CloudAccount',
    title: 'with a settle time of zero',
    spec: { ...account, settleSeconds: 0 },
    refused: {
      field: 'settleSeconds',
      causes: [
        'spec.settleSeconds: Invalid value: 0: spec.settleSeconds in body should be greater than or equal to 30',
      ],
    },
  },
  {
    kind: 'CloudAccount',
    title: 'with a settle time of a year',
    spec: { ...account, settleSeconds: 31_536_000 },
    refused: {
      field: 'settleSeconds',
      causes: [
        'spec.settleSeconds: Invalid value: 31536000: spec.settleSeconds in body should be less than or equal to 86400',
      ],
    },
  },
]

export const specCases: readonly SpecCase[] = [...vmCases, ...diskCases, ...otherCases]
