/** Records of the VM family: the VM, the disks on it, their replicas, and the resource pools. */
import { z } from 'zod'
import { shape, storageTime, uuid, vmTime, whole } from './shapes.ts'

const replicaFields = {
  /** The master's UUID followed directly by YYYY-MM-DD-HH-MM-SS. */
  uuid: z.string().regex(/^[0-9a-f-]{36}\d{4}(-\d\d){5}$/),
  id: whole,
  master_id: whole,
  master_uuid: uuid,
  pool: z.string(),
  size: whole,
  type: z.enum(['snapshot', 'backup']),
  created_at: storageTime,
  updated_at: storageTime.nullable(),
}

const storageFields = {
  uuid,
  id: whole.optional(),
  name: z.string(),
  pool: z.string(),
  primary: z.boolean(),
  shared: z.boolean(),
  size: whole,
  type: z.literal('block'),
  user_id: whole,
  replica: z.array(z.strictObject(replicaFields)),
  created_at: storageTime,
  updated_at: storageTime.nullable().optional(),
}

export const replica = shape(replicaFields)
export const storageItem = shape(storageFields)

export const vm = shape({
  uuid,
  id: whole.optional(),
  name: z.string(),
  description: z.string(),
  hostname: z.string(),
  status: z.string(),
  backup: z.boolean(),
  billing_account: whole,
  user_id: whole,
  username: z.string(),
  mac: z.string(),
  memory: whole,
  vcpu: whole,
  os_name: z.string(),
  os_version: z.string(),
  private_ipv4: z.union([z.ipv4(), z.literal('')]),
  public_ipv6: z.string().optional(),
  designated_pool_name: z.string().optional(),
  designated_pool_uuid: uuid.optional(),
  tags: z.json().optional(),
  storage: z.array(z.strictObject(storageFields)),
  created_at: vmTime,
  updated_at: vmTime.nullable(),
})

export const pool = shape(
  {
    uuid,
    name: z.string(),
    description: z.string(),
    is_default_designated: z.boolean(),
    created_at: vmTime,
    updated_at: vmTime,
  },
  { adds: { guest_limits: z.looseObject({}) } },
)
