/**
 * The API server: credentials, requests, list and watch, the store, the lease, events.
 * Knows no cloud words and decides nothing about the kinds it carries.
 */
import type { ObjectMeta, Resource } from '../api/object.ts'

export type KubeObject = Resource<unknown, unknown>

export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
}

/** A Secret with its values decoded to text. */
export interface Secret {
  readonly metadata: Pick<
    ObjectMeta,
    'name' | 'namespace' | 'uid' | 'resourceVersion' | 'deletionTimestamp' | 'labels' | 'annotations'
  > & { readonly ownerReferences?: readonly OwnerReference[] }
  readonly data: Readonly<Record<string, string>>
}

/** Whom the API server's garbage collector deletes an object after. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** A Secret to be written whole. With uid and resourceVersion it replaces exactly that one, without it is made. */
export interface SecretWish {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'> &
    Partial<Pick<ObjectMeta, 'uid' | 'resourceVersion' | 'labels' | 'annotations'>> & {
      readonly ownerReferences: readonly OwnerReference[]
    }
  readonly data: Readonly<Record<string, string>>
}

/** The name of a resource as people write it, `cloudvms.cloud-operator.dev`. */
export function resourceName(type: ResourceType): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** `group/version`, or the version alone for the core group. */
export function apiVersion(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** The key of an object in stores and queues: `namespace/name`, `/name` for a cluster-scoped one. */
export function objectKey(object: KubeObject): string {
  return `${object.metadata.namespace}/${object.metadata.name}`
}
