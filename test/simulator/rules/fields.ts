/** The fields of every record and the kind of their values, as the interface lists them. */
import { expect } from 'vitest'
import type { RecordName } from './sample.ts'

/** Whether a value is of the kind. */
export const kinds = {
  text: (value: unknown) => typeof value === 'string',
  whole: (value: unknown) => Number.isInteger(value),
  flag: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value: unknown) => value === null,
  uuid: looksLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  replicaId: looksLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\d{4}(-\d\d){5}$/),
  url: (value: unknown) => typeof value === 'string' && URL.canParse(value),
  ipv4: looksLike(/^\d+(\.\d+){3}$/),
  cidr4: looksLike(/^\d+(\.\d+){3}\/\d+$/),
  cidr6: looksLike(/^[0-9a-f:]+\/\d+$/),
  vmTime: looksLike(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  storageTime: looksLike(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
  diskTime: looksLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
} as const

export type Kind = keyof typeof kinds

/** Field names by kind; 'kind|kind' means either. */
export type Fields = Partial<Record<Kind | `${Kind}|${Kind}`, string>>

function looksLike(pattern: RegExp) {
  return (value: unknown): boolean => typeof value === 'string' && pattern.test(value)
}

export function isOf(kind: string, value: unknown): boolean {
  return kind.split('|').some((one) => (one in kinds ? kinds[one as Kind](value) : expect.fail(one)))
}

const disk: Fields = {
  uuid: 'uuid',
  text: 'status source_image_type source_image',
  whole: 'user_id billing_account_id size_gb',
  diskTime: 'created_at updated_at',
}

const floatingIp: Fields = {
  whole: 'id user_id billing_account_id',
  'whole|null': 'network_id',
  ipv4: 'address',
  text: 'type name assigned_to_resource_type assigned_to_private_ip',
  flag: 'enabled is_deleted is_virtual',
  'uuid|null': 'assigned_to',
  vmTime: 'created_at updated_at',
}

export const fields: Readonly<Record<RecordName, Fields>> = {
  user: {
    text: 'cookie_id name',
    whole: 'id',
    vmTime: 'last_activity',
    'null|text': 'profile',
    object: 'profile_data state',
  },
  profile: {
    url: 'avatar',
    vmTime: 'created_at updated_at',
    text: 'email first_name last_name personal_id_number phone_number',
    whole: 'id user_id',
  },
  'API token': {
    whole: 'id user_id billing_account_id',
    uuid: 'consumer_id gateway_id',
    text: 'description token',
    flag: 'restricted',
    vmTime: 'created_at',
    'vmTime|null': 'updated_at',
  },
  location: {
    text: 'display_name description slug country_code',
    flag: 'is_default is_preferred',
    whole: 'order_nr',
  },
  VM: {
    uuid: 'uuid designated_pool_uuid',
    whole: 'id billing_account user_id memory vcpu',
    text: 'name description hostname status username mac os_name os_version private_ipv4 public_ipv6 designated_pool_name',
    flag: 'backup',
    'null|object': 'tags',
    list: 'storage',
    vmTime: 'created_at',
    'vmTime|null': 'updated_at',
  },
  'storage item': {
    uuid: 'uuid',
    whole: 'id size user_id',
    text: 'name pool type',
    flag: 'primary shared',
    list: 'replica',
    'storageTime|vmTime': 'created_at',
    'storageTime|null': 'updated_at',
  },
  replica: {
    replicaId: 'uuid',
    whole: 'id master_id size',
    uuid: 'master_uuid',
    text: 'pool type',
    storageTime: 'created_at',
    'storageTime|null': 'updated_at',
  },
  'resource pool': {
    uuid: 'uuid',
    text: 'name description',
    flag: 'is_default_designated',
    vmTime: 'created_at updated_at',
  },
  disk: { ...disk, list: 'snapshots' },
  'new disk': disk,
  'disk snapshot': { uuid: 'uuid disk_uuid', whole: 'sizeGb', diskTime: 'created_at' },
  bucket: {
    text: 'name',
    whole: 'billing_account_id num_objects size_bytes',
    flag: 'is_suspended',
    diskTime: 'created_at modified_at',
  },
  'object storage user': {
    text: 'userId displayName email',
    whole: 'maxBuckets suspended',
    list: 'caps subusers swiftCredentials s3Credentials',
  },
  'key pair': { text: 'accessKey secretKey userId' },
  'private network': {
    uuid: 'uuid',
    text: 'name type',
    whole: 'vlan_id resources_count',
    cidr4: 'subnet',
    cidr6: 'subnet_ipv6',
    flag: 'is_default',
    list: 'vm_uuids',
    vmTime: 'created_at updated_at',
  },
  'floating IP': floatingIp,
  'unassigned floating IP': {
    ...floatingIp,
    null: 'assigned_to',
    'uuid|null': '',
    vmTime: 'created_at updated_at unassigned_at',
    uuid: 'uuid',
  },
  'load balancer': {
    uuid: 'uuid network_uuid',
    whole: 'user_id billing_account_id',
    ipv4: 'private_address',
    flag: 'is_deleted',
    list: 'forwarding_rules targets',
    vmTime: 'created_at updated_at',
  },
  'forwarding rule': {
    uuid: 'uuid',
    text: 'protocol',
    whole: 'source_port target_port',
    object: 'settings',
    vmTime: 'created_at',
  },
  target: { uuid: 'target_uuid', text: 'target_type', ipv4: 'target_ip_address', vmTime: 'created_at' },
}

/** What deployed records leave out although the interface lists it: clients must live without it. */
export const deployedLack: Partial<Record<RecordName, readonly string[]>> = {
  VM: ['id', 'tags', 'public_ipv6'],
  'floating IP': ['is_virtual'],
  'unassigned floating IP': ['is_virtual', 'assigned_to_resource_type', 'assigned_to_private_ip'],
}
