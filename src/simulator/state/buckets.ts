/** Object storage: buckets, whose names are unique across all users, and the keys of the storage user. */
import { billingAccountFor, checkQuota } from './caller.ts'
import { nextHex, nextNumber } from './ids.ts'
import type { Bucket, Caller, KeyPair } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

export const maxBuckets = 1000

export function bucketsOf(caller: Caller, billingAccount?: number): Bucket[] {
  return [...caller.world.buckets.values()].filter(
    (bucket) =>
      bucket.userId === caller.account.userId &&
      (billingAccount === undefined || bucket.billingAccount === billingAccount),
  )
}

export function bucketOf(caller: Caller, name: string): Bucket {
  const bucket = caller.world.buckets.get(name)
  if (bucket?.userId === caller.account.userId) return bucket
  return refuse('Bucket not found', { status: 404, name: 'bucketUnknown' })
}

export function createBucket(caller: Caller, name: string, billing: number | undefined): Bucket {
  checkBucketName(name)
  const billingAccount = billingAccountFor(caller, billing)
  if (caller.world.buckets.has(name))
    refuse('Bucket name is already taken', { status: 409, name: 'bucketTaken' })
  const used = bucketsOf(caller).length
  checkQuota(caller, 'buckets', () => used)
  if (used >= maxBuckets) refuse(`At most ${maxBuckets} buckets are allowed`, { name: 'quota' })
  const bucket: Bucket = {
    name,
    userId: caller.account.userId,
    billingAccount,
    objects: 0,
    sizeBytes: 0,
    suspended: false,
    generation: nextNumber(caller.world, 'bucket'),
    createdAt: caller.now,
    modifiedAt: caller.now,
  }
  caller.world.buckets.set(name, bucket)
  caller.note(`created bucket ${name}`)
  return bucket
}

export function setBucketBilling(caller: Caller, name: string, billing: number): Bucket {
  const bucket = bucketOf(caller, name)
  bucket.billingAccount = billingAccountFor(caller, billing)
  bucket.modifiedAt = caller.now
  caller.note(`billing account of bucket ${name}`)
  return bucket
}

export function deleteBucket(caller: Caller, name: string): void {
  const bucket = bucketOf(caller, name)
  if (bucket.objects > 0) refuse('Bucket is not empty', { name: 'bucketNotEmpty', precondition: true })
  caller.world.buckets.delete(name)
  caller.note(`deleted bucket ${name}`)
}

/** 3 to 63 lower-case letters, digits, dots and hyphens; begins and ends with a letter or digit; no IP address. */
function checkBucketName(name: string): void {
  const wellFormed = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..')
  if (!wellFormed || /^\d+\.\d+\.\d+\.\d+$/.test(name))
    throw new Refusal('Invalid bucket name', { field: 'name' })
}

/** The storage user comes into being, with a first key pair, when it is first asked for. */
export function ensureStorageUser(caller: Caller): KeyPair[] {
  const { objectStorage } = caller.account
  if (!objectStorage.enabled) {
    objectStorage.enabled = true
    objectStorage.keys.push(newKey(caller))
  }
  return objectStorage.keys
}

export function keysOf(caller: Caller): KeyPair[] {
  const { objectStorage } = caller.account
  if (!objectStorage.enabled && caller.world.rules.keysNeedUser)
    refuse('Storage account not found.', { status: 404 })
  return objectStorage.keys
}

/** Adds a key pair; where it stands in the list is not stated. */
export function createKey(caller: Caller): KeyPair[] {
  const keys = keysOf(caller)
  caller.account.objectStorage.enabled = true
  const key = newKey(caller)
  const place = caller.world.rules.newKeyPlace
  if (place === 'first' || (place === 'alternate' && keys.length % 2 === 1)) keys.unshift(key)
  else keys.push(key)
  return keys
}

export function deleteKey(caller: Caller, accessKey: string): void {
  const keys = keysOf(caller)
  const index = keys.findIndex((key) => key.accessKey === accessKey)
  if (index < 0) refuse('Access key not found', { status: 404 })
  keys.splice(index, 1)
  caller.note(`deleted key ${accessKey}`)
}

function newKey(caller: Caller): KeyPair {
  const accessKey = nextHex(caller.world, 'access-key', 20).toUpperCase()
  caller.note(`created key ${accessKey}`)
  return { accessKey, secretKey: nextHex(caller.world, 'secret-key', 40) }
}
