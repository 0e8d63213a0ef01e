/**
 * Tolerant shapes of the service's replies, turned into records. Unknown fields are ignored, a number may come as
 * text, null means absent. What identifies a record is required; without it the reply is wrong-shaped.
 */
import { z } from 'zod'
import type {
  AccessKeyRecord,
  BucketRecord,
  DiskRecord,
  DiskSnapshotRecord,
  FloatingIpRecord,
  LoadBalancerRecord,
  LocationRecord,
  NetworkRecord,
  PoolRecord,
  ProfileRecord,
  ReplicaRecord,
  RuleRecord,
  S3Record,
  StorageRecord,
  StorageUserRecord,
  TargetRecord,
  TokenRecord,
  UserRecord,
  VmRecord,
} from './records.ts'
import { count, filled, flag, id, isTombstone, known, list, text, whole } from './shapes.ts'

export const replicaSchema: z.ZodType<ReplicaRecord> = z
  .object({ uuid: id, master_uuid: filled, size: count, type: text, created_at: filled })
  .transform((row) =>
    known({
      uuid: row.uuid,
      masterUUID: row.master_uuid,
      sizeGiB: row.size,
      type: row.type,
      createdAt: row.created_at,
    }),
  )

export const storageSchema: z.ZodType<StorageRecord> = z
  .object({ uuid: id, name: text, size: count, primary: flag, replica: list(replicaSchema) })
  .transform((row) =>
    known({ uuid: row.uuid, name: row.name, sizeGiB: row.size, primary: row.primary, replicas: row.replica }),
  )

export const vmSchema: z.ZodType<VmRecord> = z
  .object({
    uuid: id,
    name: text,
    description: text,
    status: text,
    vcpu: count,
    memory: count,
    backup: flag,
    os_name: text,
    os_version: text,
    private_ipv4: filled,
    mac: filled,
    hostname: text,
    username: text,
    designated_pool_uuid: filled,
    designated_pool_name: filled,
    billing_account: count,
    storage: list(storageSchema),
    created_at: filled,
  })
  .transform((row) =>
    known({
      uuid: row.uuid,
      name: row.name,
      description: row.description,
      status: row.status,
      vcpus: row.vcpu,
      memoryMiB: row.memory,
      backups: row.backup,
      osName: row.os_name,
      osVersion: row.os_version,
      privateIP: row.private_ipv4,
      mac: row.mac,
      hostname: row.hostname,
      username: row.username,
      poolID: row.designated_pool_uuid,
      poolName: row.designated_pool_name,
      billingAccount: row.billing_account,
      storage: row.storage,
      createdAt: row.created_at,
      deleted: isTombstone(row.status),
    }),
  )

const diskSnapshot: z.ZodType<DiskSnapshotRecord> = z
  .object({ uuid: id, sizeGb: count, created_at: filled })
  .transform((row) => known({ uuid: row.uuid, sizeGiB: row.sizeGb, createdAt: row.created_at }))

export const diskSchema: z.ZodType<DiskRecord> = z
  .looseObject({
    uuid: id,
    status: text,
    size_gb: count,
    billing_account_id: count,
    source_image_type: filled,
    source_image: filled,
    display_name: filled,
    snapshots: list(diskSnapshot),
    created_at: filled,
  })
  .transform((row) =>
    known({
      uuid: row.uuid,
      status: row.status,
      sizeGiB: row.size_gb,
      billingAccount: row.billing_account_id,
      sourceType: row.source_image_type,
      source: row.source_image,
      displayName: row.display_name,
      showsName: 'display_name' in row,
      snapshots: row.snapshots,
      createdAt: row.created_at,
      deleted: isTombstone(row.status),
    }),
  )

export const bucketSchema: z.ZodType<BucketRecord> = z
  .object({
    name: id,
    billing_account_id: count,
    num_objects: count,
    size_bytes: count,
    is_suspended: flag,
    created_at: filled,
  })
  .transform((row) =>
    known({
      name: row.name,
      billingAccount: row.billing_account_id,
      objects: row.num_objects,
      sizeBytes: row.size_bytes,
      suspended: row.is_suspended,
      createdAt: row.created_at,
    }),
  )

export const networkSchema: z.ZodType<NetworkRecord> = z
  .object({
    uuid: id,
    name: text,
    subnet: filled,
    subnet_ipv6: filled,
    is_default: flag,
    vm_uuids: list(z.string()),
    resources_count: count,
    created_at: filled,
  })
  .transform((row) =>
    known({
      uuid: row.uuid,
      name: row.name,
      subnet: row.subnet,
      subnetIPv6: row.subnet_ipv6,
      isDefault: row.is_default,
      vmUUIDs: row.vm_uuids,
      resourcesCount: row.resources_count,
      createdAt: row.created_at,
    }),
  )

export const floatingIpSchema: z.ZodType<FloatingIpRecord> = z
  .object({
    id: whole,
    uuid: filled,
    address: id,
    name: text,
    billing_account_id: count,
    enabled: flag,
    assigned_to: filled,
    assigned_to_resource_type: filled,
    assigned_to_private_ip: filled,
    created_at: filled,
    is_deleted: flag,
  })
  .transform((row) =>
    known({
      id: row.id,
      uuid: row.uuid,
      address: row.address,
      name: row.name,
      billingAccount: row.billing_account_id,
      enabled: row.enabled,
      assignedTo: row.assigned_to,
      assignedType: row.assigned_to_resource_type,
      privateAddress: row.assigned_to_private_ip,
      createdAt: row.created_at,
      deleted: row.is_deleted === true,
    }),
  )

const rule: z.ZodType<RuleRecord> = z
  .object({ uuid: filled, source_port: whole, target_port: whole })
  .transform((row) => known({ uuid: row.uuid, sourcePort: row.source_port, targetPort: row.target_port }))

const target: z.ZodType<TargetRecord> = z
  .object({ target_uuid: id, target_type: text, target_ip_address: filled })
  .transform((row) => known({ uuid: row.target_uuid, type: row.target_type, address: row.target_ip_address }))

export const loadBalancerSchema: z.ZodType<LoadBalancerRecord> = z
  .looseObject({
    uuid: id,
    display_name: filled,
    network_uuid: filled,
    billing_account_id: count,
    private_address: filled,
    forwarding_rules: list(rule),
    targets: list(target),
    created_at: filled,
    is_deleted: flag,
  })
  .transform((row) =>
    known({
      uuid: row.uuid,
      displayName: row.display_name,
      showsName: 'display_name' in row,
      networkUUID: row.network_uuid,
      billingAccount: row.billing_account_id,
      privateAddress: row.private_address,
      rules: row.forwarding_rules,
      targets: row.targets,
      createdAt: row.created_at,
      deleted: row.is_deleted === true,
    }),
  )

/** A profile is shown whole: null is a field that is not filled in, and only one that is left out is unknown. */
const shown = z
  .union([z.string(), z.number().transform(String), z.null().transform(() => '')])
  .exactOptional()

export const profileSchema: z.ZodType<ProfileRecord> = z
  .object({ first_name: shown, last_name: shown, phone_number: shown, personal_id_number: shown })
  .transform(({ personal_id_number: number, ...row }) =>
    known({
      firstName: row.first_name,
      lastName: row.last_name,
      phoneNumber: row.phone_number,
      hasPersonalIDNumber: number === undefined ? undefined : (value: string) => value === number,
    }),
  )

export const userSchema: z.ZodType<UserRecord> = z
  .object({
    id: whole,
    name: filled,
    profile_data: z.intersection(z.object({ email: filled }), profileSchema).nullish(),
  })
  .transform((row) => {
    const { email, ...profile } = row.profile_data ?? {}
    return known({
      id: row.id,
      name: row.name,
      email,
      profile: row.profile_data ? profile : undefined,
    })
  })

export const storageUserSchema: z.ZodType<StorageUserRecord> = z
  .object({ maxBuckets: count })
  .transform(({ maxBuckets }) => known({ maxBuckets }))

export const accessKeySchema: z.ZodType<AccessKeyRecord> = z
  .object({ accessKey: id, secretKey: id })
  .transform(({ accessKey, secretKey }) => ({ id: accessKey, reveal: () => secretKey }))

export const storageUserKeysSchema: z.ZodType<readonly AccessKeyRecord[]> = z
  .object({ s3Credentials: list(accessKeySchema) })
  .transform(({ s3Credentials }) => s3Credentials ?? [])

export const tokenSchema: z.ZodType<TokenRecord> = z
  .object({
    id: whole,
    description: text,
    billing_account_id: count,
    restricted: flag,
    consumer_id: filled,
    created_at: filled,
    token: id,
  })
  .transform((row) => ({
    ...known({
      id: row.id,
      description: row.description,
      billingAccount: row.billing_account_id,
      restricted: row.restricted,
      consumerID: row.consumer_id,
      createdAt: row.created_at,
    }),
    reveal: () => row.token,
  }))

export const locationSchema: z.ZodType<LocationRecord> = z
  .object({ slug: id, display_name: filled, country_code: filled, is_default: flag })
  .transform((row) =>
    known({
      slug: row.slug,
      displayName: row.display_name,
      countryCode: row.country_code,
      isDefault: row.is_default === true,
    }),
  )

export const poolSchema: z.ZodType<PoolRecord> = z
  .object({ uuid: id, name: filled, is_default_designated: flag })
  .transform((row) =>
    known({ uuid: row.uuid, name: row.name, isDefault: row.is_default_designated === true }),
  )

export const s3Schema: z.ZodType<S3Record> = z.object({ url: z.string().min(1) })

/** A row of which only that it is there matters: what it holds is secret. */
export const presentSchema: z.ZodType<object> = z.object({})
